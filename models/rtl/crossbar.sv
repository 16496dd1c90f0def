// The crossbar between the lanes of a warp and the banks of a memory, one pass per cycle. pass_arbiter opens a row of
// each bank; the words that the banks then deliver, WIDTH bits each, are routed to the lanes served (Diamond, Fussell,
// Keckler: Arbitrary Modulus Indexing, MICRO 2014, sections IV and VII.C: 32 lanes to any number of banks).
//
// Ports as in pass_arbiter. The memories take open_valid and open_row at the edge that takes the
// request; bank_word and lane_word belong to the response behind it. Lanes not served get 0.
module crossbar #(
    parameter int unsigned LANES = 32,
    parameter int unsigned BANKS = 32,  // 1 to 128
    parameter int unsigned ROW_BITS = 10,
    parameter int unsigned WIDTH = 32,
    parameter int unsigned BANK_BITS = BANKS == 1 ? 1 : $clog2(BANKS)
) (
    input  logic                       clk,
    input  logic                       reset,
    input  logic                       request_valid,
    output logic                       request_ready,
    input  logic [LANES-1:0]           lanes,
    input  logic [LANES*BANK_BITS-1:0] bank,
    input  logic [LANES*ROW_BITS-1:0]  row,
    output logic [BANKS-1:0]           open_valid,
    output logic [BANKS*ROW_BITS-1:0]  open_row,
    input  logic [BANKS*WIDTH-1:0]     bank_word,
    output logic                       response_valid,
    output logic [LANES-1:0]           leaders,
    output logic [LANES-1:0]           served,
    output logic [LANES-1:0]           left,
    output logic [LANES*WIDTH-1:0]     lane_word
);
  localparam int unsigned INDEX_BITS = BANKS == 1 ? 1 : $clog2(BANKS);

  pass_arbiter #(
      .LANES(LANES), .BANKS(BANKS), .ROW_BITS(ROW_BITS), .BANK_BITS(BANK_BITS)
  ) u_arbiter (
      .clk(clk), .reset(reset), .request_valid(request_valid), .request_ready(request_ready),
      .lanes(lanes), .bank(bank), .row(row), .open_valid(open_valid), .open_row(open_row),
      .response_valid(response_valid), .leaders(leaders), .served(served), .left(left)
  );

  logic [LANES*BANK_BITS-1:0] asked;
  always_ff @(posedge clk) if (request_valid) asked <= bank;

  logic [WIDTH-1:0] words[BANKS];
  for (genvar b = 0; b < BANKS; b++) begin : g_bank
    assign words[b] = bank_word[b*WIDTH+:WIDTH];
  end
  for (genvar l = 0; l < LANES; l++) begin : g_lane
    assign lane_word[l*WIDTH+:WIDTH] = served[l] ? words[asked[l*BANK_BITS+:INDEX_BITS]] : 0;
  end
endmodule
