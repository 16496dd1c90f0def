// A crossbar from lanes to banks, request/grant. The number of the bank is an input: any mapping of words to banks and
// any number of banks will do.
//
//  - gnt_o is combinational on req_i. A lane that is not granted holds its request.
//  - A bank grants one lane per cycle, round robin: the search begins at the lane behind the one that
//    it granted last.
//  - A bank answers with the next clock edge: rdata_i is handed to the lane then, with vld_o. Writes
//    are answered, too.
module request_grant #(
    parameter int unsigned N_LANE = 32,
    parameter int unsigned N_BANK = 33,
    parameter int unsigned AW     = 10,
    localparam int unsigned BW    = N_BANK > 1 ? $clog2(N_BANK) : 1,
    localparam int unsigned LW    = N_LANE > 1 ? $clog2(N_LANE) : 1
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    // lanes
    input  logic [N_LANE-1:0]          req_i,
    input  logic [N_LANE-1:0][BW-1:0]  bank_i,
    input  logic [N_LANE-1:0][AW-1:0]  add_i,
    input  logic [N_LANE-1:0]          wen_i,  // 1: write
    input  logic [N_LANE-1:0][31:0]    wdata_i,
    input  logic [N_LANE-1:0][3:0]     be_i,
    output logic [N_LANE-1:0]          gnt_o,
    output logic [N_LANE-1:0]          vld_o,
    output logic [N_LANE-1:0][31:0]    rdata_o,
    // banks
    output logic [N_BANK-1:0]          req_o,
    output logic [N_BANK-1:0][AW-1:0]  add_o,
    output logic [N_BANK-1:0]          wen_o,
    output logic [N_BANK-1:0][31:0]    wdata_o,
    output logic [N_BANK-1:0][3:0]     be_o,
    input  logic [N_BANK-1:0][31:0]    rdata_i
);
  logic [N_BANK-1:0][LW-1:0] first_q, first_d;
  logic [N_LANE-1:0][BW-1:0] from_q;
  logic [BW-1:0] at;
  int unsigned l;

  // First round: lanes at or behind the first lane of their bank. Second round: the others.
  always_comb begin
    first_d = first_q;
    gnt_o = '0;
    req_o = '0;
    add_o = '0;
    wen_o = '0;
    wdata_o = '0;
    be_o = '0;
    at = '0;
    l = 0;
    for (int unsigned i = 0; i < 2 * N_LANE; i++) begin
      l = i % N_LANE;
      at = bank_i[l];
      if (req_i[l] && !req_o[at] && (i >= N_LANE || l >= 32'(first_q[at]))) begin
        gnt_o[l] = 1'b1;
        req_o[at] = 1'b1;
        add_o[at] = add_i[l];
        wen_o[at] = wen_i[l];
        wdata_o[at] = wdata_i[l];
        be_o[at] = be_i[l];
        first_d[at] = l == N_LANE - 1 ? '0 : LW'(l + 1);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= '0;
      vld_o <= '0;
    end else begin
      first_q <= first_d;
      vld_o <= gnt_o;
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < N_LANE; i++) if (gnt_o[i]) from_q[i] <= bank_i[i];
  end
  always_comb begin
    for (int unsigned i = 0; i < N_LANE; i++) rdata_o[i] = rdata_i[from_q[i]];
  end
endmodule
