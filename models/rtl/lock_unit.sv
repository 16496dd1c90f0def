// The lock bits beside the banks of a scratchpad (van den Braak, Gomez-Luna, Corporaal, Gonzalez-Linares, Guil:
// Simulation and Architecture Improvements of Atomic Operations on GPU Scratchpad Memory, ICCD 2013, section II). Lanes
// of `lock` try to take the lock of their number. The lowest of several lanes on one lock gets it; none gets a lock
// that was taken before the edge. Lanes of `unlock` return their lock, which can be taken with the next edge.
//
// A request is taken at a rising edge of clk with request_valid and request_ready; behind that edge `got` is valid for
// a cycle. Lane l has bits l * width and up of each port. All lanes are answered at once, whatever locks they ask for:
// each lane has a port to all bits. Banks of bits that each take one request per edge cost a twentieth, but lanes on
// different locks of a bank then need passes.
module lock_unit #(
    parameter int unsigned LANES = 32,
    parameter int unsigned LOCKS = 1024,  // 64 and up, a multiple of 32
    parameter int unsigned NUMBER_BITS = $clog2(LOCKS)
) (
    input  logic                         clk,
    input  logic                         reset,
    input  logic                         request_valid,
    output logic                         request_ready,
    input  logic [LANES-1:0]             lock,
    input  logic [LANES-1:0]             unlock,
    input  logic [LANES*NUMBER_BITS-1:0] number,
    output logic                         response_valid,
    output logic [LANES-1:0]             got
);
  localparam int unsigned WORDS = LOCKS / 32;
  localparam int unsigned WORD_BITS = $clog2(WORDS);

  logic [31:0] taken[WORDS];
  logic [31:0] given[WORDS];
  logic [31:0] won[WORDS];
  logic [LANES-1:0] wins;
  logic [WORD_BITS-1:0] at;
  logic [4:0] bit_at;

  always_comb begin
    for (int unsigned w = 0; w < WORDS; w++) begin
      given[w] = 0;
      won[w] = 0;
    end
    wins = 0;
    at = 0;
    bit_at = 0;
    if (request_valid) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        at = number[l*NUMBER_BITS+5+:WORD_BITS];
        bit_at = number[l*NUMBER_BITS+:5];
        wins[l] = lock[l] & ~taken[at][bit_at];
        for (int unsigned k = 0; k < l; k++) begin
          wins[l] = wins[l] & ~(lock[k] & number[k*NUMBER_BITS+:5+WORD_BITS] == {at, bit_at});
        end
        given[at] = given[at] | 32'(unlock[l]) << bit_at;
        won[at] = won[at] | 32'(wins[l]) << bit_at;
      end
    end
  end

  assign request_ready = 1'b1;
  always_ff @(posedge clk) begin
    response_valid <= request_valid & ~reset;
    if (request_valid) got <= wins;
  end
  for (genvar w = 0; w < WORDS; w++) begin : g_word
    always_ff @(posedge clk) begin
      if (reset) taken[w] <= 0;
      else if (request_valid) taken[w] <= taken[w] & ~given[w] | won[w];
    end
  end
endmodule
