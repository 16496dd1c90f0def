// Simulation only: a warp through one ami_divmod, lane by lane, when it is selected. The lanes are a
// loop around the block's own function, so that the generated C++ holds it once and not 32 times.
module ami_lanes #(
    parameter int unsigned M = 33,
    parameter int unsigned FORM = 1
) (
    input  logic        selected,
    input  logic [31:0] word[32],
    output logic [31:0] bank[32],
    output logic [31:0] row[32]
);
  localparam int unsigned BANK_BITS = M == 1 ? 1 : $clog2(M);
  localparam int unsigned ROW_BITS = $clog2(64'hffffffff / 64'(M) + 1);

  ami_divmod #(.M(M), .FORM(FORM)) u_divmod (.word(0), .bank(), .row());

  logic [ROW_BITS+BANK_BITS-1:0] place;
  always_latch begin
    if (selected) begin
      for (int l = 0; l < 32; l++) begin
        place = u_divmod.divmod(word[l]);
        bank[l] = 32'(place[BANK_BITS-1:0]);
        row[l] = 32'(place >> BANK_BITS);
      end
    end
  end
endmodule
