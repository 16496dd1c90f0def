// Simulation only: a warp through fixed_xor or add_hash, lane by lane, when it is selected. The lanes
// are a loop around the blocks' own functions, as in ami_lanes.
module fixed_lanes #(
    parameter int unsigned M = 5,
    parameter int unsigned DIGIT = 5
) (
    input  logic        selected,
    input  logic        add,
    input  logic [31:0] word[32],
    output logic [31:0] bank[32],
    output logic [31:0] row[32]
);
  fixed_xor #(.N(32), .M(M), .DIGIT(DIGIT)) u_xor (.word(0), .bank(), .row());
  add_hash #(.N(32), .M(M), .DIGIT(DIGIT)) u_add (.word(0), .bank(), .row());

  logic [31:0] place;
  always_latch begin
    if (selected) begin
      for (int l = 0; l < 32; l++) begin
        place = add ? u_add.place_of(word[l]) : u_xor.place_of(word[l]);
        bank[l] = 32'(place[M-1:0]);
        row[l] = 32'(place[31:M]);
      end
    end
  end
endmodule
