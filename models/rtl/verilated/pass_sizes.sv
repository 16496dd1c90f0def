// Simulation only: pass_arbiter for memories of up to 32, 64 and 128 banks; one of them is selected. Numbers of banks
// have 8 bits and rows 32, so that C++ copies them as they are.
module pass_sizes (
    input  logic          clk,
    input  logic          reset,
    input  logic [1:0]    selected,
    input  logic          request_valid,
    output logic          request_ready[3],
    input  logic [31:0]   lanes,
    input  logic [255:0]  bank,
    input  logic [1023:0] row,
    output logic          response_valid[3],
    output logic [31:0]   leaders[3],
    output logic [31:0]   served[3],
    output logic [31:0]   left[3]
);
  for (genvar i = 0; i < 3; i++) begin : g_size
    pass_arbiter #(.BANKS(32 << i), .BANK_BITS(8), .ROW_BITS(32)) u_arbiter (
        .clk(clk), .reset(reset), .request_valid(request_valid && selected == i),
        .request_ready(request_ready[i]), .lanes(lanes), .bank(bank), .row(row), .open_valid(),
        .open_row(), .response_valid(response_valid[i]), .leaders(leaders[i]), .served(served[i]),
        .left(left[i]));
  end
endmodule
