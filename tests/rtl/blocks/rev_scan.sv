// The lowest bit that is set, by a scan over the bits in reversed order. The optimisation of data
// flow graphs of Verilator 5.006 gets it wrong.
module rev_scan (
    input  logic [31:0] i,
    output logic [31:0] o
);
  wire [5:0][31:0] t;
  wire [31:0] s;
  assign t[0] = {<<{i}};
  for (genvar j = 0; j < 5; j++) begin : g
    wire [31:0] shifted = 32'({32'b0, t[j]} >> (1 << j));
    assign t[j+1] = t[j] | shifted;
  end
  assign s = {<<{t[5]}};
  assign o = s & {~s[30:0], 1'b1};
endmodule
