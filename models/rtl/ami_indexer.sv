// Banks and rows of the words of a warp: ami_divmod for each lane (Diamond, Fussell, Keckler:
// Arbitrary Modulus Indexing, MICRO 2014, section IV: one unit in each address generation unit).
// Combinational; lane l has bits l * width and up of each port.
module ami_indexer #(
    parameter int unsigned LANES = 32,
    parameter int unsigned M = 33,  // banks: 1 and up
    parameter int unsigned W = 32,  // bits of a word address
    parameter int unsigned FORM = 1,
    parameter bit EXACT = 1'b1,
    localparam int unsigned BANK_BITS = M == 1 ? 1 : $clog2(M),
    localparam int unsigned ROW_BITS = $clog2(((64'd1 << W) - 1) / 64'(M) + 1)
) (
    input  logic [LANES*W-1:0]         word,
    output logic [LANES*BANK_BITS-1:0] bank,
    output logic [LANES*ROW_BITS-1:0]  row
);
  for (genvar l = 0; l < LANES; l++) begin : g_lane
    ami_divmod #(.M(M), .W(W), .FORM(FORM), .EXACT(EXACT)) u_divmod (
        .word(word[l*W+:W]),
        .bank(bank[l*BANK_BITS+:BANK_BITS]),
        .row (row[l*ROW_BITS+:ROW_BITS])
    );
  end
endmodule
