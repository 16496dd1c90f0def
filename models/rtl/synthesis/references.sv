// Synthesis only: references that the blocks are compared with. `multiplier`: the measure of Diamond et al. (Arbitrary
// Modulus Indexing, MICRO 2014) for a modulus; `divider`: a modulus without its arithmetic; `parity`: a tree of gates
// with two inputs; `ripple_adder`: full adders of the library, as the paper estimates a modulus.
module multiplier #(
    parameter int unsigned OUT = 64  // low bits of the product
) (
    input  logic [31:0]    a,
    input  logic [31:0]    b,
    output logic [OUT-1:0] product
);
  assign product = OUT'(a) * OUT'(b);
endmodule

module divider #(
    parameter int unsigned M = 33
) (
    input  logic [31:0] word,
    output logic [31:0] row,
    output logic [31:0] bank
);
  assign row  = word / M;
  assign bank = word % M;
endmodule

module parity #(
    parameter int unsigned W = 32
) (
    input  logic [W-1:0] word,
    output logic         odd
);
  assign odd = ^word;
endmodule

(* blackbox *)
module FAX1 (
    input  logic A,
    input  logic B,
    input  logic C,
    output logic YC,
    output logic YS
);
endmodule

module ripple_adder #(
    parameter int unsigned W = 32
) (
    input  logic [W-1:0] a,
    input  logic [W-1:0] b,
    output logic [W:0]   sum
);
  logic [W:0] carry;
  assign carry[0] = 1'b0;
  for (genvar i = 0; i < W; i++) begin : g_bit
    FAX1 u_cell (.A(a[i]), .B(b[i]), .C(carry[i]), .YC(carry[i+1]), .YS(sum[i]));
  end
  assign sum[W] = carry[W];
endmodule
