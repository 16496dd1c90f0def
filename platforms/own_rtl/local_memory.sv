// A local memory of banks. Each lane has a request port and a response port, both valid/ready.
//
//  - The bank of a word is given by its low address bits; BANKS is a power of two.
//  - A bank serves one lane per cycle, the lowest that asks it. Lanes on the same word are not merged.
//  - A read is answered, with the tag it came with, LATENCY (1 or 2) cycles after the clock edge at
//    which it was taken; a write is not answered. Answers of a lane keep the order of its requests.
//  - A response waits for rsp_ready_i. While it waits, the bank that holds its data serves no lane,
//    and its lane is not served (with LATENCY 2: only once a second response waits behind it).
//  - req_ready_o depends on req_valid_i and rsp_ready_i of the same cycle.
module local_memory #(
    parameter int unsigned LANES   = 32,
    parameter int unsigned BANKS   = 32,
    parameter int unsigned WORDS   = 12288,  // a multiple of BANKS
    parameter int unsigned TAG_W   = 4,
    parameter int unsigned LATENCY = 1,
    localparam int unsigned ADDR_W = $clog2(WORDS)
) (
    input  logic                          clk_i,
    input  logic                          rst_ni,
    input  logic [LANES-1:0]              req_valid_i,
    output logic [LANES-1:0]              req_ready_o,
    input  logic [LANES-1:0]              req_rw_i,  // 1: write
    input  logic [LANES-1:0][ADDR_W-1:0]  req_addr_i,
    input  logic [LANES-1:0][3:0]         req_be_i,
    input  logic [LANES-1:0][31:0]        req_data_i,
    input  logic [LANES-1:0][TAG_W-1:0]   req_tag_i,
    output logic [LANES-1:0]              rsp_valid_o,
    input  logic [LANES-1:0]              rsp_ready_i,
    output logic [LANES-1:0][31:0]        rsp_data_o,
    output logic [LANES-1:0][TAG_W-1:0]   rsp_tag_o
);
  localparam int unsigned ROWS   = WORDS / BANKS;
  localparam int unsigned BANK_W = $clog2(BANKS);
  localparam int unsigned ROW_W  = ROWS > 1 ? $clog2(ROWS) : 1;

  // Pending read of each lane: its data stand at the bank.
  logic [LANES-1:0] pend_q, pend_go;
  logic [LANES-1:0][BANK_W-1:0] pend_bank_q;
  logic [LANES-1:0][TAG_W-1:0] pend_tag_q;

  // Arbitration, lowest lane first
  logic [BANKS-1:0] busy, bank_en, bank_we;
  logic [BANKS-1:0][ROW_W-1:0] bank_row;
  logic [BANKS-1:0][3:0] bank_be;
  logic [BANKS-1:0][31:0] bank_wdata, bank_rdata;
  logic [LANES-1:0] take;
  logic [BANK_W-1:0] sel;

  always_comb begin
    busy = '0;
    for (int unsigned l = 0; l < LANES; l++)
      if (pend_q[l] && !pend_go[l]) busy[pend_bank_q[l]] = 1'b1;
  end

  always_comb begin
    bank_en = '0;
    bank_we = '0;
    bank_row = '0;
    bank_be = '0;
    bank_wdata = '0;
    take = '0;
    sel = '0;
    for (int unsigned l = 0; l < LANES; l++) begin
      sel = req_addr_i[l][BANK_W-1:0];
      take[l] = req_valid_i[l] && !bank_en[sel] && !busy[sel] && (!pend_q[l] || pend_go[l]);
      if (take[l]) begin
        bank_en[sel] = 1'b1;
        bank_we[sel] = req_rw_i[l];
        bank_row[sel] = ROW_W'(req_addr_i[l] >> BANK_W);
        bank_be[sel] = req_be_i[l];
        bank_wdata[sel] = req_data_i[l];
      end
    end
  end
  assign req_ready_o = take;

  for (genvar b = 0; b < BANKS; b++) begin : g_bank
    local_memory_bank #(.ROWS(ROWS)) i_bank (
        .clk_i, .en_i(bank_en[b]), .we_i(bank_we[b]), .row_i(bank_row[b]), .be_i(bank_be[b]),
        .wdata_i(bank_wdata[b]), .rdata_o(bank_rdata[b]));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pend_q <= '0;
    else pend_q <= (take & ~req_rw_i) | (pend_q & ~pend_go);
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned l = 0; l < LANES; l++) begin
      if (take[l]) begin
        pend_bank_q[l] <= req_addr_i[l][BANK_W-1:0];
        pend_tag_q[l] <= req_tag_i[l];
      end
    end
  end

  logic [LANES-1:0][31:0] pend_data;
  always_comb begin
    for (int unsigned l = 0; l < LANES; l++) pend_data[l] = bank_rdata[pend_bank_q[l]];
  end

  if (LATENCY == 1) begin : g_direct
    assign pend_go = rsp_ready_i;
    assign rsp_valid_o = pend_q;
    assign rsp_data_o = pend_data;
    assign rsp_tag_o = pend_tag_q;
  end else begin : g_register
    logic [LANES-1:0] out_q;
    assign pend_go = ~out_q | rsp_ready_i;
    assign rsp_valid_o = out_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) out_q <= '0;
      else out_q <= pend_q | (out_q & ~rsp_ready_i);
    end
    always_ff @(posedge clk_i) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        if (pend_q[l] && pend_go[l]) begin
          rsp_data_o[l] <= pend_data[l];
          rsp_tag_o[l] <= pend_tag_q[l];
        end
      end
    end
  end
endmodule
