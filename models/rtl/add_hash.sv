// Bank and row of a word. Bank: each digit of DIGIT bits of the low M address bits plus the digit above it, without a
// carry into the next digit. Row: the address above the low M bits (van den Braak, Gomez-Luna, Corporaal,
// Gonzalez-Linares, Guil: Simulation and Architecture Improvements of Atomic Operations on GPU Scratchpad Memory, ICCD
// 2013, table I, where DIGIT is M). One lane, combinational.
module add_hash #(
    parameter int unsigned N = 14,     // bits of a word address
    parameter int unsigned M = 5,      // bits of a bank number
    parameter int unsigned DIGIT = M,  // a divisor of M
    localparam int unsigned ROW_BITS = N - M
) (
    input  logic [N-1:0]        word,
    output logic [M-1:0]        bank,
    output logic [ROW_BITS-1:0] row
);
  function automatic logic [N-1:0] place_of(input logic [N-1:0] address);
    logic [M-1:0] above;
    above = M'(address >> DIGIT);
    place_of = address;
    for (int unsigned i = 0; i < M; i += DIGIT) begin
      place_of[i+:DIGIT] = address[i+:DIGIT] + above[i+:DIGIT];
    end
  endfunction

  assign {row, bank} = place_of(word);
endmodule
