// Bank of a word, configurable: for each bank bit one address bit or the XOR of two (van den Braak
// et al.: Configurable XOR Hash Functions for Banked Scratchpad Memories in GPUs, IEEE TC 2016,
// section 4.4). One lane; the bank is combinational.
//
// Configuration {pair, second, first}, taken at a rising edge of clk with config_we. Each field has one entry per bank
// bit, bank bit 0 lowest: `first` the number of an address bit, `second` the number of the other, and `pair` whether
// there is another.
module bitwise_xor #(
    parameter int unsigned N = 14,  // bits of a word address
    parameter int unsigned M = 5,   // bits of a bank number
    localparam int unsigned BIT_BITS = $clog2(N),
    localparam int unsigned CONFIG_BITS = M * (2 * BIT_BITS + 1)
) (
    input  logic                   clk,
    input  logic                   config_we,
    input  logic [CONFIG_BITS-1:0] config_data,
    input  logic [N-1:0]           word,
    output logic [M-1:0]           bank
);
  logic [M*BIT_BITS-1:0] first, second;
  logic [M-1:0] pair;
  always_ff @(posedge clk) if (config_we) {pair, second, first} <= config_data;

  function automatic logic [M-1:0] bank_of(input logic [N-1:0] address);
    for (int unsigned i = 0; i < M; i++) begin
      bank_of[i] = address[first[i*BIT_BITS+:BIT_BITS]] ^
                   address[second[i*BIT_BITS+:BIT_BITS]] & pair[i];
    end
  endfunction

  assign bank = bank_of(word);
endmodule
