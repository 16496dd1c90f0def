// The lock bits beside the banks of a scratchpad (van den Braak, Gomez-Luna, Corporaal,
// Gonzalez-Linares, Guil: Simulation and Architecture Improvements of Atomic Operations on GPU
// Scratchpad Memory, ICCD 2013, section II). Lanes of `lock` try to take the lock of their number:
// of several on one the lowest gets it, of one that was taken before the edge none. Lanes of
// `unlock` give theirs back; it can be taken with the next edge.
//
// A request is taken at a rising edge of clk with request_valid and request_ready; behind that edge
// `got` is valid for a cycle. Lane l has bits l * width and up of each port. All lanes are answered
// at once, whatever locks they ask for: a port to all bits for each lane. Bits in banks that each
// take one request an edge cost a twentieth, but lanes on different locks of a bank then need passes.
module lock_unit #(
    parameter int unsigned LANES = 32,
    parameter int unsigned LOCKS = 1024,  // 2 and up
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
  localparam int unsigned INDEX_BITS = $clog2(LOCKS);

  logic [LOCKS-1:0] taken, next;
  logic [LANES-1:0] wins;
  logic [INDEX_BITS-1:0] at;

  always_comb begin
    next = taken;
    wins = 0;
    at = 0;
    if (request_valid) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        at = number[l*NUMBER_BITS+:INDEX_BITS];
        wins[l] = lock[l] & ~taken[at];
        for (int unsigned k = 0; k < l; k++) begin
          if (lock[k] && number[k*NUMBER_BITS+:INDEX_BITS] == at) wins[l] = 1'b0;
        end
        if (unlock[l]) next[at] = 1'b0;
      end
      for (int unsigned l = 0; l < LANES; l++) begin
        at = number[l*NUMBER_BITS+:INDEX_BITS];
        if (wins[l]) next[at] = 1'b1;
      end
    end
  end

  assign request_ready = 1'b1;
  always_ff @(posedge clk) begin
    response_valid <= request_valid & ~reset;
    if (request_valid) got <= wins;
    taken <= reset ? 0 : next;
  end
endmodule
