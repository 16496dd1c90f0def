// Simulation only: the hashes of 2 to 128 banks, of words of 32 bits. An evaluation computes the one with the selected
// bank bits and digit, as in ami_moduli. Digit 0 selects the configurable hashes.
module hash_shapes (
    input  logic         clk,
    input  logic [4:0]   config_we,
    input  logic [127:0] config_data,
    input  logic [2:0]   bank_bits,
    input  logic [2:0]   digit,
    input  logic [1:0]   hash,  // configurable hashes: CLASS of xor_indexer; fixed hashes: 0 fixed_xor, 1 add_hash
    input  logic [31:0]  word[32],
    output logic [31:0]  bank[32],
    output logic [31:0]  row[32]
);
  /* verilator tracing_off */
  logic [31:0] banks[8][8][32];
  logic [31:0] rows[8][8][32];
  /* verilator tracing_on */
  for (genvar m = 1; m < 8; m++) begin : g_bits
    linear_lanes #(.M(m)) u_linear (
        .clk(clk), .config_we(bank_bits == m ? config_we : 5'd0), .config_data(config_data),
        .selected(bank_bits == m && digit == 0), .hash(hash), .word(word), .bank(banks[m][0]),
        .row(rows[m][0]));
    for (genvar d = 1; d <= m; d++) begin : g_digit
      if (m % d == 0) begin : g_fixed
        fixed_lanes #(.M(m), .DIGIT(d)) u_fixed (
            .selected(bank_bits == m && digit == d), .add(hash[0]), .word(word), .bank(banks[m][d]),
            .row(rows[m][d]));
      end
    end
  end
  assign bank = banks[bank_bits][digit];
  assign row = rows[bank_bits][digit];
endmodule
