// Banks and rows of the words of a warp by a configurable hash: for each lane one of the four
// classes of van den Braak et al. (Configurable XOR Hash Functions for Banked Scratchpad Memories in
// GPUs, IEEE TC 2016, section 4) and row_select. Combinational; lane l has bits l * width and up of
// each port.
//
// CLASS: 0 bit_vector_permutation, 1 bit_vector_xor, 2 bitwise_permutation, 3 bitwise_xor. bank_config is the
// configuration of that class. All lanes are configured at once, at a rising edge of clk with config_we.
module xor_indexer #(
    parameter int unsigned LANES = 32,
    parameter int unsigned N = 14,  // bits of a word address
    parameter int unsigned M = 5,   // bits of a bank number
    parameter int unsigned CLASS = 3,
    localparam int unsigned BIT_BITS = $clog2(N),
    localparam int unsigned BANK_CONFIG = CLASS == 0 ? BIT_BITS : CLASS == 1 ? M + 2 * BIT_BITS :
        CLASS == 2 ? M * BIT_BITS : M * (2 * BIT_BITS + 1)
) (
    input  logic                     clk,
    input  logic                     config_we,
    input  logic [BANK_CONFIG-1:0]   bank_config,
    input  logic [M*BIT_BITS-1:0]    row_config,
    input  logic [LANES*N-1:0]       word,
    output logic [LANES*M-1:0]       bank,
    output logic [LANES*(N-M)-1:0]   row
);
  for (genvar l = 0; l < LANES; l++) begin : g_lane
    if (CLASS == 0) begin : g_bank
      bit_vector_permutation #(.N(N), .M(M)) u_bank (
          .clk(clk), .config_we(config_we), .config_data(bank_config),
          .word(word[l*N+:N]), .bank(bank[l*M+:M]));
    end else if (CLASS == 1) begin : g_bank
      bit_vector_xor #(.N(N), .M(M)) u_bank (
          .clk(clk), .config_we(config_we), .config_data(bank_config),
          .word(word[l*N+:N]), .bank(bank[l*M+:M]));
    end else if (CLASS == 2) begin : g_bank
      bitwise_permutation #(.N(N), .M(M)) u_bank (
          .clk(clk), .config_we(config_we), .config_data(bank_config),
          .word(word[l*N+:N]), .bank(bank[l*M+:M]));
    end else begin : g_bank
      bitwise_xor #(.N(N), .M(M)) u_bank (
          .clk(clk), .config_we(config_we), .config_data(bank_config),
          .word(word[l*N+:N]), .bank(bank[l*M+:M]));
    end
    row_select #(.N(N), .M(M)) u_row (
        .clk(clk), .config_we(config_we), .config_data(row_config),
        .word(word[l*N+:N]), .row(row[l*(N-M)+:N-M]));
  end
endmodule
