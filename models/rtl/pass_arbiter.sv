// Selects the lanes of a warp that one pass serves. Each bank that a lane asks opens the row of the lowest lane that
// asks it, and serves all lanes that ask it for this row (Diamond, Fussell, Keckler: Arbitrary Modulus Indexing, MICRO
// 2014, section IV: the sort network in front of the banks; lanes on one word merge as in models/memory/conflict.h).
//
// A request is taken at a rising edge of clk with request_valid and request_ready; behind that edge
// the response is valid for a cycle. open_valid and open_row, which address the banks' memories in
// the same cycle, are combinational. Lane l, and bank b, has bits l * width and up of each port.
module pass_arbiter #(
    parameter int unsigned LANES = 32,
    parameter int unsigned BANKS = 32,  // 1 to 128
    parameter int unsigned ROW_BITS = 10,
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
    output logic                       response_valid,
    output logic [LANES-1:0]           leaders,  // lowest served lane of each bank
    output logic [LANES-1:0]           served,
    output logic [LANES-1:0]           left
);
  localparam int unsigned INDEX_BITS = BANKS == 1 ? 1 : $clog2(BANKS);

  logic [ROW_BITS-1:0] opened[BANKS];
  logic [LANES-1:0] first, same;
  logic [INDEX_BITS-1:0] at;

  always_comb begin
    open_valid = 0;
    first = 0;
    same = 0;
    at = 0;
    for (int unsigned b = 0; b < BANKS; b++) opened[b] = 0;
    if (request_valid) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        at = bank[l*BANK_BITS+:INDEX_BITS];
        first[l] = lanes[l] & ~open_valid[at];
        if (first[l]) opened[at] = opened[at] | row[l*ROW_BITS+:ROW_BITS];
        if (first[l]) open_valid[at] = 1'b1;
      end
      for (int unsigned l = 0; l < LANES; l++) begin
        at = bank[l*BANK_BITS+:INDEX_BITS];
        same[l] = lanes[l] & opened[at] == row[l*ROW_BITS+:ROW_BITS];
      end
    end
  end

  for (genvar b = 0; b < BANKS; b++) begin : g_bank
    assign open_row[b*ROW_BITS+:ROW_BITS] = opened[b];
  end

  assign request_ready = 1'b1;
  always_ff @(posedge clk) begin
    response_valid <= request_valid & ~reset;
    if (request_valid) begin
      leaders <= first;
      served <= same;
      left <= lanes & ~same;
    end
  end
endmodule
