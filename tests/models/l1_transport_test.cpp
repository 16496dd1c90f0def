// Blocking transport through an L1 sees the results of timed accesses, and vice versa. The cache
// compares the data of loads.
#include <fermata/models/indexing/families.h>
#include <fermata/models/memory/dram.h>
#include <fermata/models/memory/l1_cache.h>
#include <fermata/models/transaction/payload_pool.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

const Clock kClock(sc_core::sc_time(1, sc_core::SC_NS));

/// A warp with one access at a time, of four bytes per lane.
struct Warp : sc_core::sc_module, WarpBackward {
  WarpInitiatorSocket out{"out"};
  PayloadPool pool;
  bool answered = false;

  explicit Warp(const sc_core::sc_module_name& name) : sc_module(name) { out.bind(*this); }
  /// Makes an access: lane i has the word at `address` + i * `step`, with `value` in all its bytes.
  tlm::tlm_generic_payload& access(MemoryOperation operation, std::uint64_t address, unsigned step,
                                   std::uint8_t value) {
    tlm::tlm_generic_payload& payload = pool.acquire();
    WarpAccess& access = warpAccess(payload);
    WarpInstruction& instruction = access.instruction;
    instruction.space = MemorySpace::Global;
    instruction.operation = operation;
    instruction.bytesPerLane = 4;
    instruction.hasData = true;
    instruction.active = access.unserved = access.asked = kAllLanes;
    access.tries = 1;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      instruction.address[lane] = address + std::uint64_t{lane} * step;
      instruction.data[lane].fill(value);
    }
    return payload;
  }
  void timed(MemoryOperation operation, std::uint64_t address, unsigned step, std::uint8_t value) {
    tlm::tlm_generic_payload& payload = access(operation, address, step, value);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    answered = out->nb_transport_fw(payload, phase, delay) == tlm::TLM_COMPLETED;
    sc_core::sc_start(kClock.time(5000));
    BOOST_TEST(answered);
    payload.release();
  }
  sc_core::sc_time blocking(MemoryOperation operation, std::uint64_t address, unsigned step,
                            std::uint8_t value) {
    tlm::tlm_generic_payload& payload = access(operation, address, step, value);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    out->b_transport(payload, delay);
    BOOST_TEST(payload.is_response_ok());
    payload.release();
    return delay;
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) override {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    answered = true;
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

L1Cache::Parameters parameters(WritePolicy policy) {
  L1Cache::Parameters p;
  p.shape = {4096, 128, 2};
  p.writePolicy = policy;
  p.verify = true;
  return p;
}

Dram::Parameters keepsBytes() {
  Dram::Parameters p;
  p.verify = true;
  return p;
}

struct Bench {
  Warp warp{"warp"};
  L1Cache l1;
  Dram dram{"dram", kClock, keepsBytes()};

  explicit Bench(WritePolicy policy)
      : l1("l1", kClock, parameters(policy), SetIndex(parameters(policy).shape, ""),
           indexing::build("mod 32", {32, 1024}), nullptr) {
    warp.out.bind(l1.in);
    l1.out.bind(dram.in);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};

const WritePolicy kPolicies[] = {WritePolicy::Evict, WritePolicy::Through};
constexpr MemoryOperation kLoad = MemoryOperation::Load;
constexpr MemoryOperation kStore = MemoryOperation::Store;

}  // namespace

BOOST_AUTO_TEST_SUITE(l1_transport)

BOOST_DATA_TEST_CASE(loads_what_a_timed_store_wrote, bdata::xrange(2) * bdata::make({4U, 128U}),
                     policy, step) {
  Bench bench(kPolicies[policy]);
  bench.warp.timed(kStore, 0x400, step, 7);
  bench.warp.blocking(kLoad, 0x400, step, 7);
  BOOST_TEST(bench.l1.compared() == kWarpLanes);
}

BOOST_DATA_TEST_CASE(a_timed_load_finds_what_it_stored,
                     bdata::xrange(2) * bdata::make({4U, 128U}) * bdata::make({false, true}),
                     policy, step, here) {
  Bench bench(kPolicies[policy]);
  if (here) bench.warp.timed(kLoad, 0x400, step, 0);
  const std::uint64_t before = bench.l1.compared();
  bench.warp.blocking(kStore, 0x400, step, 9);
  BOOST_TEST(bench.l1.compared() == before);
  bench.warp.timed(kLoad, 0x400, step, 9);
  BOOST_TEST(bench.l1.compared() == before + kWarpLanes);
  bench.warp.blocking(kLoad, 0x400, step, 9);
  BOOST_TEST(bench.l1.compared() == before + 2 * kWarpLanes);
}

// The line may have been read from memory before the store, and must not be found later.
BOOST_DATA_TEST_CASE(a_line_under_way_is_not_kept, bdata::xrange(2), policy) {
  Bench bench(kPolicies[policy]);
  tlm::tlm_generic_payload& load = bench.warp.access(kLoad, 0x400, 4, 0);
  warpAccess(load).instruction.hasData = false;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  bench.warp.out->nb_transport_fw(load, phase, delay);
  sc_core::sc_start(kClock.time(5));
  bench.warp.blocking(kStore, 0x400, 4, 9);
  sc_core::sc_start(kClock.time(1000));
  BOOST_TEST(bench.warp.answered);
  load.release();
  bench.warp.timed(kLoad, 0x400, 4, 9);
  BOOST_TEST(bench.l1.compared() == kWarpLanes);
}

// A line that is present costs less than an absent one.
BOOST_AUTO_TEST_CASE(takes_the_latency_of_where_the_line_is) {
  Bench bench(WritePolicy::Evict);
  const sc_core::sc_time below = bench.warp.blocking(kLoad, 0x400, 4, 0);
  bench.warp.timed(kLoad, 0x400, 4, 0);
  const sc_core::sc_time here = bench.warp.blocking(kLoad, 0x400, 4, 0);
  BOOST_TEST(here == kClock.time(parameters(WritePolicy::Evict).latency));
  BOOST_TEST(below > here);
}

BOOST_AUTO_TEST_SUITE_END()
