// Bank of a word, configurable: M consecutive address bits from bit k upwards (van den Braak et al.:
// Configurable XOR Hash Functions for Banked Scratchpad Memories in GPUs, IEEE TC 2016, section
// 4.1). One lane; the bank is combinational.
//
// Configuration: k, 0 to N - M; taken at a rising edge of clk with config_we.
module bit_vector_permutation #(
    parameter int unsigned N = 14,  // bits of a word address
    parameter int unsigned M = 5,   // bits of a bank number
    localparam int unsigned CONFIG_BITS = $clog2(N)
) (
    input  logic                   clk,
    input  logic                   config_we,
    input  logic [CONFIG_BITS-1:0] config_data,
    input  logic [N-1:0]           word,
    output logic [M-1:0]           bank
);
  logic [CONFIG_BITS-1:0] k;
  always_ff @(posedge clk) if (config_we) k <= config_data;

  function automatic logic [M-1:0] bank_of(input logic [N-1:0] address);
    bank_of = M'(address >> k);
  endfunction

  assign bank = bank_of(word);
endmodule
