// One bank of local_memory: words of 32 bits with byte enables, one read or write per cycle. Read data stay on rdata_o
// until the next read.
module local_memory_bank #(
    parameter int unsigned ROWS = 384,
    localparam int unsigned ROW_W = ROWS > 1 ? $clog2(ROWS) : 1
) (
    input  logic             clk_i,
    input  logic             en_i,
    input  logic             we_i,
    input  logic [ROW_W-1:0] row_i,
    input  logic [3:0]       be_i,
    input  logic [31:0]      wdata_i,
    output logic [31:0]      rdata_o
);
  logic [31:0] mem[ROWS];
  logic [31:0] mask;
  assign mask = {{8{be_i[3]}}, {8{be_i[2]}}, {8{be_i[1]}}, {8{be_i[0]}}};

  always_ff @(posedge clk_i) begin
    if (en_i && we_i) mem[row_i] <= (mem[row_i] & ~mask) | (wdata_i & mask);
    if (en_i && !we_i) rdata_o <= mem[row_i];
  end
endmodule
