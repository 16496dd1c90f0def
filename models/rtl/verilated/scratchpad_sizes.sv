// Simulation only: banked_scratchpad of up to 32, 64 and 128 banks, with more rows than a scratchpad has; one of them
// is selected. Numbers of banks have 8 bits and rows 32, so that C++ copies them as they are.
module scratchpad_sizes #(
    parameter int unsigned ROWS = 2048
) (
    input  logic          clk,
    input  logic          reset,
    input  logic [1:0]    selected,
    input  logic          request_valid,
    output logic          request_ready[3],
    input  logic [31:0]   lanes,
    input  logic [31:0]   write,
    input  logic [255:0]  bank,
    input  logic [1023:0] row,
    input  logic [1023:0] data,
    input  logic [127:0]  enable,
    output logic          response_valid[3],
    output logic [1023:0] word[3]
);
  for (genvar i = 0; i < 3; i++) begin : g_size
    banked_scratchpad #(.BANKS(32 << i), .ROWS(ROWS), .BANK_BITS(8), .ROW_BITS(32)) u_scratchpad (
        .clk(clk), .reset(reset), .request_valid(request_valid && selected == i),
        .request_ready(request_ready[i]), .lanes(lanes), .write(write), .bank(bank), .row(row),
        .data(data), .enable(enable), .response_valid(response_valid[i]), .word(word[i]));
  end
endmodule
