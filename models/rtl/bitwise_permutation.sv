// Bank of a word, configurable: any address bit for each bank bit (van den Braak et al.:
// Configurable XOR Hash Functions for Banked Scratchpad Memories in GPUs, IEEE TC 2016, section
// 4.3). One lane; the bank is combinational.
//
// Configuration: the number of an address bit for each bank bit, bank bit 0 lowest; taken at a
// rising edge of clk with config_we.
module bitwise_permutation #(
    parameter int unsigned N = 14,  // bits of a word address
    parameter int unsigned M = 5,   // bits of a bank number
    localparam int unsigned BIT_BITS = $clog2(N),
    localparam int unsigned CONFIG_BITS = M * BIT_BITS
) (
    input  logic                   clk,
    input  logic                   config_we,
    input  logic [CONFIG_BITS-1:0] config_data,
    input  logic [N-1:0]           word,
    output logic [M-1:0]           bank
);
  logic [CONFIG_BITS-1:0] from;
  always_ff @(posedge clk) if (config_we) from <= config_data;

  function automatic logic [M-1:0] bank_of(input logic [N-1:0] address);
    for (int unsigned i = 0; i < M; i++) bank_of[i] = address[from[i*BIT_BITS+:BIT_BITS]];
  endfunction

  assign bank = bank_of(word);
endmodule
