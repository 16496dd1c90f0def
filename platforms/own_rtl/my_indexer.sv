// Bank of a word: its lowest five bits, exclusive or the next five. Maps 32 lanes at once.
module my_indexer (
    input  logic [31:0] word[32],
    output logic [31:0] bank[32],
    output logic [31:0] row[32]
);
  always_comb begin
    for (int lane = 0; lane < 32; lane++) begin
      bank[lane] = {27'b0, word[lane][4:0] ^ word[lane][9:5]};
      row[lane] = word[lane] >> 5;
    end
  end
endmodule
