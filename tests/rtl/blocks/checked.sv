// Says whether it was built for a size that it has, and does not want its input to be 0.
module checked #(
    parameter int SIZE = 0
) (
    input  logic [7:0] a,
    output logic [7:0] b
);
  initial if (SIZE < 1) $fatal(1, "%0d is no size", SIZE);
  assign b = a + 8'(SIZE);
  always_comb assert (a != 0);
endmodule
