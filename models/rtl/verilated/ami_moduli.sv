// Simulation only: ami_divmod of many moduli; an evaluation computes the selected one. Modulus 31 is number 0, 33 to 63
// are the next, and powers of two from 1 to 128 come last. Waves show the selected one only: signals of all moduli
// would be most of the C++.
module ami_moduli #(
    parameter int unsigned FORM = 1,
    localparam int unsigned COUNT = 40
) (
    input  logic [31:0] word[32],
    input  logic [5:0]  selected,
    output logic [31:0] bank[32],
    output logic [31:0] row[32]
);
  /* verilator tracing_off */
  logic [31:0] banks[COUNT][32];
  logic [31:0] rows[COUNT][32];
  /* verilator tracing_on */
  for (genvar i = 0; i < COUNT; i++) begin : g_modulus
    localparam int unsigned M = i == 0 ? 31 : i < 32 ? 32 + i : 1 << (i - 32);
    ami_lanes #(.M(M), .FORM(FORM)) u_lanes (
        .selected(selected == i), .word(word), .bank(banks[i]), .row(rows[i]));
  end
  assign bank = banks[selected];
  assign row = rows[selected];
endmodule
