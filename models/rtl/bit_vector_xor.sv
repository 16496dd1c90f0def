// Bank of a word, configurable: M consecutive address bits from bit k1 upwards, XORed with the masked bits from bit k2
// upwards (van den Braak et al.: Configurable XOR Hash Functions for Banked Scratchpad Memories in GPUs, IEEE TC 2016,
// section 4.2). Bits above the address are 0. One lane; the bank is combinational.
//
// Configuration {mask, k2, k1}: k1 0 to N - M, k2 0 to N - 1; taken at a rising edge of clk with
// config_we.
module bit_vector_xor #(
    parameter int unsigned N = 14,  // bits of a word address
    parameter int unsigned M = 5,   // bits of a bank number
    localparam int unsigned K_BITS = $clog2(N),
    localparam int unsigned CONFIG_BITS = M + 2 * K_BITS
) (
    input  logic                   clk,
    input  logic                   config_we,
    input  logic [CONFIG_BITS-1:0] config_data,
    input  logic [N-1:0]           word,
    output logic [M-1:0]           bank
);
  logic [M-1:0] mask;
  logic [K_BITS-1:0] k1, k2;
  always_ff @(posedge clk) if (config_we) {mask, k2, k1} <= config_data;

  function automatic logic [M-1:0] bank_of(input logic [N-1:0] address);
    bank_of = M'(address >> k1) ^ M'(address >> k2) & mask;
  endfunction

  assign bank = bank_of(word);
endmodule
