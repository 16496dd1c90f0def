// Simulation only: a warp through one of the four configurable classes and through row_select, lane
// by lane, when it is selected. The lanes are a loop around the blocks' own functions, as in
// ami_lanes.
module linear_lanes #(
    parameter int unsigned M = 5
) (
    input  logic         clk,
    input  logic [4:0]   config_we,  // one bit per class, in the order of CLASS in xor_indexer, then the row
    input  logic [127:0] config_data,
    input  logic         selected,
    input  logic [1:0]   hash,
    input  logic [31:0]  word[32],
    output logic [31:0]  bank[32],
    output logic [31:0]  row[32]
);
  bit_vector_permutation #(.N(32), .M(M)) u_perm (
      .clk(clk), .config_we(config_we[0]), .config_data(5'(config_data)), .word(0), .bank());
  bit_vector_xor #(.N(32), .M(M)) u_xor (
      .clk(clk), .config_we(config_we[1]), .config_data((M + 10)'(config_data)), .word(0), .bank());
  bitwise_permutation #(.N(32), .M(M)) u_bits (
      .clk(clk), .config_we(config_we[2]), .config_data((M * 5)'(config_data)), .word(0), .bank());
  bitwise_xor #(.N(32), .M(M)) u_pairs (
      .clk(clk), .config_we(config_we[3]), .config_data((M * 11)'(config_data)), .word(0), .bank());
  row_select #(.N(32), .M(M)) u_row (
      .clk(clk), .config_we(config_we[4]), .config_data((M * 5)'(config_data)), .word(0), .row());

  always_latch begin
    if (selected) begin
      for (int l = 0; l < 32; l++) begin
        case (hash)
          2'd0: bank[l] = 32'(u_perm.bank_of(word[l]));
          2'd1: bank[l] = 32'(u_xor.bank_of(word[l]));
          2'd2: bank[l] = 32'(u_bits.bank_of(word[l]));
          default: bank[l] = 32'(u_pairs.bank_of(word[l]));
        endcase
        row[l] = 32'(u_row.row_of(word[l]));
      end
    end
  end
endmodule
