// The banks of a scratchpad and the routing of one pass to them and back. Words have 32 bits; a bank reads or writes
// one row per pass (van den Braak, Gomez-Luna, Corporaal, Gonzalez-Linares, Guil: Simulation and Architecture
// Improvements of Atomic Operations on GPU Scratchpad Memory, ICCD 2013, section II, figure 3).
//
// A request is taken at a rising edge of clk with request_valid and request_ready. Lanes that share a bank must share
// its row: pass_arbiter served them together. Lanes of `write` write the bytes of `enable`; if several write one byte,
// the highest lane wins. The other lanes read what was there before. The words are valid for a cycle behind that edge.
// Lane l has bits l * width and up of each port.
module banked_scratchpad #(
    parameter int unsigned LANES = 32,
    parameter int unsigned BANKS = 32,  // 1 to 128
    parameter int unsigned ROWS = 384,
    parameter int unsigned BANK_BITS = BANKS == 1 ? 1 : $clog2(BANKS),
    parameter int unsigned ROW_BITS = ROWS == 1 ? 1 : $clog2(ROWS)
) (
    input  logic                       clk,
    input  logic                       reset,
    input  logic                       request_valid,
    output logic                       request_ready,
    input  logic [LANES-1:0]           lanes,
    input  logic [LANES-1:0]           write,
    input  logic [LANES*BANK_BITS-1:0] bank,
    input  logic [LANES*ROW_BITS-1:0]  row,
    input  logic [LANES*32-1:0]        data,
    input  logic [LANES*4-1:0]         enable,
    output logic                       response_valid,
    output logic [LANES*32-1:0]        word
);
  localparam int unsigned INDEX_BITS = BANKS == 1 ? 1 : $clog2(BANKS);
  localparam int unsigned CELL_BITS = ROWS == 1 ? 1 : $clog2(ROWS);

  logic [BANKS-1:0] select;
  logic [CELL_BITS-1:0] bank_row[BANKS];
  logic [31:0] bank_data[BANKS];
  logic [3:0] bank_write[BANKS];
  logic [31:0] bank_word[BANKS];
  logic [INDEX_BITS-1:0] at;
  logic [3:0] bytes;
  logic [31:0] mask;

  always_comb begin
    select = 0;
    at = 0;
    bytes = 0;
    mask = 0;
    for (int unsigned b = 0; b < BANKS; b++) begin
      bank_row[b] = 0;
      bank_data[b] = 0;
      bank_write[b] = 0;
    end
    if (request_valid) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        at = bank[l*BANK_BITS+:INDEX_BITS];
        bytes = enable[l*4+:4] & {4{write[l] & lanes[l]}};
        mask = {{8{bytes[3]}}, {8{bytes[2]}}, {8{bytes[1]}}, {8{bytes[0]}}};
        if (lanes[l]) bank_row[at] = row[l*ROW_BITS+:CELL_BITS];
        if (lanes[l]) select[at] = 1'b1;
        bank_write[at] = bank_write[at] | bytes;
        bank_data[at] = bank_data[at] & ~mask | data[l*32+:32] & mask;
      end
    end
  end

  for (genvar b = 0; b < BANKS; b++) begin : g_bank
    sram_bank #(.ROWS(ROWS)) u_cells (
        .clk(clk), .select(select[b]), .write(bank_write[b]), .row(bank_row[b]),
        .data(bank_data[b]), .word(bank_word[b]));
  end

  logic [LANES*BANK_BITS-1:0] asked;
  assign request_ready = 1'b1;
  always_ff @(posedge clk) begin
    response_valid <= request_valid & ~reset;
    if (request_valid) asked <= bank;
  end
  for (genvar l = 0; l < LANES; l++) begin : g_lane
    assign word[l*32+:32] = bank_word[asked[l*BANK_BITS+:INDEX_BITS]];
  end
endmodule
