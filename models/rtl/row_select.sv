// Row of a word beside a configurable bank: the address bits without M of them, in their order. If the bank determines
// the M bits once the others are known (models/indexing/indexer.h), bank and row tell each word from all others. One
// lane; the row is combinational.
//
// Configuration: the numbers of the M bits, lowest first and rising; taken at a rising edge of clk with config_we. Each
// of M stages drops a bit and moves the bits above it down by one.
module row_select #(
    parameter int unsigned N = 14,  // bits of a word address
    parameter int unsigned M = 5,   // bits of a bank number
    localparam int unsigned BIT_BITS = $clog2(N),
    localparam int unsigned CONFIG_BITS = M * BIT_BITS
) (
    input  logic                   clk,
    input  logic                   config_we,
    input  logic [CONFIG_BITS-1:0] config_data,
    input  logic [N-1:0]           word,
    output logic [N-M-1:0]         row
);
  logic [CONFIG_BITS-1:0] dropped;
  always_ff @(posedge clk) if (config_we) dropped <= config_data;

  function automatic logic [N-M-1:0] row_of(input logic [N-1:0] address);
    logic [N-1:0] rest, below;
    rest = address;
    for (int unsigned i = 0; i < M; i++) begin  // the highest first: the lower ones stay in place
      below = (N'(1) << dropped[(M-1-i)*BIT_BITS+:BIT_BITS]) - N'(1);
      rest = rest & below | rest >> 1 & ~below;
    end
    row_of = (N - M)'(rest);
  endfunction

  assign row = row_of(word);
endmodule
