// A bank of SRAM: one port, WIDTH bits wide, with byte enables. At a rising edge of clk with select it reads a row and
// writes the enabled bytes. The word read is there behind the edge; it is what was there before the write.
module sram_bank #(
    parameter int unsigned ROWS = 384,
    parameter int unsigned WIDTH = 32,  // a multiple of 8
    localparam int unsigned ROW_BITS = ROWS == 1 ? 1 : $clog2(ROWS)
) (
    input  logic                clk,
    input  logic                select,
    input  logic [WIDTH/8-1:0]  write,
    input  logic [ROW_BITS-1:0] row,
    input  logic [WIDTH-1:0]    data,
    output logic [WIDTH-1:0]    word
);
  logic [WIDTH-1:0] cells[ROWS];

  // Returns the word to write, with the bytes that are not enabled as held. Memories have byte enables for it.
  function automatic logic [WIDTH-1:0] merge(input logic [WIDTH-1:0] held);
    for (int unsigned b = 0; b < WIDTH / 8; b++) begin
      merge[b*8+:8] = write[b] ? data[b*8+:8] : held[b*8+:8];
    end
  endfunction

  always_ff @(posedge clk) begin
    if (select) begin
      word <= cells[row];
      cells[row] <= merge(cells[row]);
    end
  end
endmodule
