// Simulation only: ami_divmod of many moduli; an evaluation computes the selected one. Modulus 31 is
// number 0, 33 to 63 are the next, and powers of two from 1 to 128 come last.
module ami_moduli #(
    parameter int unsigned FORM = 1,
    localparam int unsigned COUNT = 40
) (
    input  logic [31:0] word[32],
    input  logic [5:0]  selected,
    output logic [31:0] bank[COUNT][32],
    output logic [31:0] row[COUNT][32]
);
  for (genvar i = 0; i < COUNT; i++) begin : g_modulus
    localparam int unsigned M = i == 0 ? 31 : i < 32 ? 32 + i : 1 << (i - 32);
    ami_lanes #(.M(M), .FORM(FORM)) u_lanes (
        .selected(selected == i), .word(word), .bank(bank[i]), .row(row[i]));
  end
endmodule
