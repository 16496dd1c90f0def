// An L1 with l1.fetch = "sectors": what it asks memory for, what hits afterwards, and the bytes.
#include <fermata/models/indexing/families.h>
#include <fermata/models/memory/dram.h>
#include <fermata/models/memory/l1_cache.h>
#include <fermata/models/transaction/payload_pool.h>

#include "tests/support/open_edge.h"
#include "tests/support/test.h"

using namespace fermata;

namespace {

const Clock kClock(sc_core::sc_time(1, sc_core::SC_NS));
constexpr MemoryOperation kLoad = MemoryOperation::Load;
constexpr MemoryOperation kStore = MemoryOperation::Store;
constexpr MemoryOperation kAtomic = MemoryOperation::Atomic;
constexpr std::uint64_t kLine = 0x400;

/// Lanes of four bytes at these distances from kLine, and the value of all their bytes.
struct Lanes {
  std::vector<unsigned> at;
  std::uint8_t value = 0;
  unsigned bytes = 4;
};

/// Sends loads, stores and atomics without waiting, and counts the answers.
struct Warp : sc_core::sc_module, WarpBackward {
  WarpInitiatorSocket out{"out"};
  PayloadPool pool;
  unsigned answers = 0;

  explicit Warp(const sc_core::sc_module_name& name) : sc_module(name) { out.bind(*this); }
  tlm::tlm_generic_payload& access(MemoryOperation operation, const Lanes& lanes) {
    tlm::tlm_generic_payload& payload = pool.acquire();
    WarpAccess& access = warpAccess(payload);
    WarpInstruction& instruction = access.instruction;
    instruction.space = MemorySpace::Global;
    instruction.operation = operation;
    instruction.bytesPerLane = static_cast<std::uint8_t>(lanes.bytes);
    instruction.hasData = true;
    for (unsigned lane = 0; lane < lanes.at.size(); ++lane) {
      instruction.address[lane] = kLine + lanes.at[lane];
      instruction.data[lane].fill(lanes.value);
    }
    instruction.active = access.unserved = access.asked =
        static_cast<LaneMask>((std::uint64_t{1} << lanes.at.size()) - 1);
    access.tries = 1;
    return payload;
  }
  void send(MemoryOperation operation, const Lanes& lanes) {
    tlm::tlm_generic_payload& payload = access(operation, lanes);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (out->nb_transport_fw(payload, phase, delay) == tlm::TLM_COMPLETED) ++answers;
  }
  void blocking(MemoryOperation operation, const Lanes& lanes) {
    tlm::tlm_generic_payload& payload = access(operation, lanes);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    out->b_transport(payload, delay);
    BOOST_TEST(payload.is_response_ok());
    payload.release();
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) override {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    ++answers;
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

/// Writes down the reads: "first byte+bytes", from kLine on.
struct Recorder : test::LineEdge {
  explicit Recorder(const sc_core::sc_module_name& name) : OpenEdge(name) {}
  std::string reads;

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::BEGIN_REQ && payload.is_read()) {
      reads += (reads.empty() ? "" : " ") + std::to_string(payload.get_address() - kLine) + "+" +
               std::to_string(payload.get_data_length());
    }
    return out->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return in->nb_transport_bw(payload, phase, delay);
  }
};

L1Cache::Parameters parameters(WritePolicy policy, Allocation allocation, bool partialHits = true) {
  L1Cache::Parameters p;
  p.shape = {4096, 128, 2};
  p.fetch = Fetch::Sectors;
  p.writePolicy = policy;
  p.allocation = allocation;
  p.partialHits = partialHits;
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
  Recorder recorder{"recorder"};
  Dram dram{"dram", kClock, keepsBytes()};
  unsigned sent = 0;

  explicit Bench(WritePolicy policy, Allocation allocation = Allocation::Fill,
                 bool partialHits = true)
      : l1("l1", kClock, parameters(policy, allocation, partialHits),
           SetIndex(parameters(policy, allocation).shape, ""),
           indexing::build("mod 32", {32, 1024}), nullptr) {
    warp.out.bind(l1.in);
    l1.out.bind(recorder.in);
    recorder.out.bind(dram.in);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  void send(MemoryOperation operation, const Lanes& lanes, unsigned cycles = 5) {
    warp.send(operation, lanes);
    sc_core::sc_start(kClock.time(cycles));
    ++sent;
  }
  /// Waits for all answers; returns the reads since the last call.
  std::string reads() {
    sc_core::sc_start(kClock.time(5000));
    BOOST_TEST(warp.answers == sent);
    return std::exchange(recorder.reads, "");
  }
  std::string after(MemoryOperation operation, const Lanes& lanes) {
    send(operation, lanes);
    return reads();
  }
};

const Allocation kAllocations[] = {Allocation::Miss, Allocation::Fill};
const auto kBoth = bdata::xrange(2);

}  // namespace

BOOST_AUTO_TEST_SUITE(l1_sectors)

BOOST_DATA_TEST_CASE(a_load_asks_for_the_sectors_that_it_touches, kBoth, a) {
  Bench bench(WritePolicy::Through, kAllocations[a]);
  BOOST_TEST(bench.after(kLoad, {{40}}) == "32+32");
  BOOST_TEST(bench.after(kLoad, {{32, 60}}) == "");
  // Sector 1 is here: its lanes hit. Sectors beside it are not side by side.
  BOOST_TEST(bench.after(kLoad, {{0, 32, 64, 96}}) == "0+32 64+64");
  BOOST_TEST(bench.after(kLoad, {{0, 32, 64, 96}}) == "");
}

BOOST_DATA_TEST_CASE(a_later_load_asks_only_for_what_is_not_under_way, kBoth, a) {
  Bench bench(WritePolicy::Through, kAllocations[a]);
  bench.send(kLoad, {{0}});
  bench.send(kLoad, {{4, 64}});
  bench.send(kLoad, {{68, 100}});
  BOOST_TEST(bench.reads() == "0+32 64+32 96+32");
  BOOST_TEST(bench.after(kLoad, {{0, 64, 100}}) == "");
  BOOST_TEST(bench.l1.compared() == 8U);
}

// With one MSHR: the sectors of one line share it, another line must wait.
BOOST_AUTO_TEST_CASE(a_line_under_way_takes_one_mshr) {
  L1Cache::Parameters p = parameters(WritePolicy::Through, Allocation::Fill);
  p.mshrs = 1;
  Warp warp("warp");
  L1Cache l1("l1", kClock, p, SetIndex(p.shape, ""), indexing::build("mod 32", {32, 1024}),
             nullptr);
  Recorder recorder("recorder");
  Dram dram("dram", kClock, keepsBytes());
  warp.out.bind(l1.in);
  l1.out.bind(recorder.in);
  recorder.out.bind(dram.in);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  warp.send(kLoad, {{0}});
  sc_core::sc_start(kClock.time(5));
  warp.send(kLoad, {{32}});
  sc_core::sc_start(kClock.time(5));
  warp.send(kLoad, {{128}});
  sc_core::sc_start(kClock.time(10));
  BOOST_TEST(recorder.reads == "0+32 32+32");
  sc_core::sc_start(kClock.time(5000));
  BOOST_TEST(recorder.reads == "0+32 32+32 128+32");
  BOOST_TEST(warp.answers == 3U);
}

// Requests wait by the array of their sector for the one place before memory: low sectors overtake.
BOOST_DATA_TEST_CASE(requests_wait_by_bank, kBoth, falling) {
  L1Cache::Parameters p = parameters(WritePolicy::Through, Allocation::Miss);
  p.requestSectors = p.tagSectors = true;
  p.falling = falling != 0;
  p.tagArrays = 4;
  p.lookupQueue = 8;
  p.queue = 1;
  Warp warp("warp");
  L1Cache l1("l1", kClock, p, SetIndex(p.shape, ""), indexing::build("mod 32", {32, 1024}),
             nullptr);
  Recorder recorder("recorder");
  Dram dram("dram", kClock, keepsBytes());
  warp.out.bind(l1.in);
  l1.out.bind(recorder.in);
  recorder.out.bind(dram.in);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  warp.send(kLoad, {{0, 32, 64, 128, 160, 192}});
  sc_core::sc_start(kClock.time(5000));
  BOOST_TEST(recorder.reads == (falling != 0 ? "128+32 0+32 160+32 32+32 192+32 64+32"
                                             : "0+32 128+32 32+32 160+32 64+32 192+32"));
  BOOST_TEST(warp.answers == 1U);
}

BOOST_DATA_TEST_CASE(stored_bytes_of_an_absent_sector_hit_others_miss, kBoth, a) {
  Bench bench(WritePolicy::Allocate, kAllocations[a]);
  bench.after(kStore, {{64}, 7});
  BOOST_TEST(bench.after(kLoad, {{64}, 7}) == "");
  BOOST_TEST(bench.after(kLoad, {{66}, 7, 2}) == "");
  BOOST_TEST(bench.after(kLoad, {{68}, 0}) == "64+32");
  BOOST_TEST(bench.after(kLoad, {{64}, 7}) == "");
  BOOST_TEST(bench.after(kLoad, {{92}, 0}) == "");
}

// The stored bytes are newer than those that come. A store that follows them leaves the sector
// whole.
BOOST_DATA_TEST_CASE(without_partial_hits_the_sector_is_fetched, kBoth, a) {
  Bench bench(WritePolicy::Allocate, kAllocations[a], false);
  bench.after(kStore, {{64}, 7});
  BOOST_TEST(bench.after(kLoad, {{64}, 7}) == "64+32");
  BOOST_TEST(bench.after(kLoad, {{64}, 7}) == "");
  BOOST_TEST(bench.after(kLoad, {{68}, 0}) == "");
  bench.after(kStore, {{0, 4, 8, 12}, 3});
  bench.after(kStore, {{16, 20, 24, 28}, 3});
  BOOST_TEST(bench.after(kLoad, {{8, 24}, 3, 8}) == "");
  bench.send(kStore, {{32}, 5});
  bench.send(kLoad, {{32}, 5});
  bench.send(kStore, {{36}, 6});
  BOOST_TEST(bench.reads() == "32+32");
  BOOST_TEST(bench.after(kLoad, {{36}, 6}) == "");
  BOOST_TEST(bench.after(kLoad, {{32}, 5}) == "");
}

// Eight bytes of which four are here miss.
BOOST_AUTO_TEST_CASE(a_lane_needs_all_its_bytes) {
  Bench bench(WritePolicy::Allocate);
  bench.after(kStore, {{64}, 0});
  BOOST_TEST(bench.after(kLoad, {{64}, 0, 8}) == "64+32");
}

BOOST_AUTO_TEST_CASE(stores_of_a_whole_sector_make_it_present) {
  Bench bench(WritePolicy::Allocate);
  bench.after(kStore, {{0, 4, 8, 12}, 3});
  bench.after(kStore, {{16, 20, 24, 28}, 3});
  BOOST_TEST(bench.after(kLoad, {{8, 24}, 3, 8}) == "");
}

BOOST_DATA_TEST_CASE(a_store_to_a_present_sector_keeps_it, kBoth, a) {
  Bench bench(WritePolicy::Allocate, kAllocations[a]);
  bench.after(kLoad, {{0}});
  bench.after(kStore, {{4}, 9});
  BOOST_TEST(bench.after(kLoad, {{4}, 9}) == "");
  BOOST_TEST(bench.after(kLoad, {{8}, 0}) == "");
}

// The sector was read before the store came to memory: it must not bring the old bytes back.
BOOST_DATA_TEST_CASE(a_store_to_a_sector_under_way_keeps_its_bytes, kBoth, a) {
  Bench bench(WritePolicy::Allocate, kAllocations[a]);
  bench.send(kLoad, {{0}});
  bench.send(kStore, {{4}, 9});
  BOOST_TEST(bench.reads() == "0+32");
  BOOST_TEST(bench.after(kLoad, {{4}, 9}) == "");
  BOOST_TEST(bench.after(kLoad, {{0, 8, 28}, 0}) == "");
}

// The frame of the stored bytes is lost to two other lines of its set while the sector is on its
// way. What comes lacks these bytes.
BOOST_AUTO_TEST_CASE(stored_bytes_that_were_evicted_are_asked_for_again) {
  Bench bench(WritePolicy::Allocate);
  bench.send(kLoad, {{0}}, 2);
  bench.send(kStore, {{4}, 9}, 2);
  bench.send(kStore, {{2048}, 1}, 2);
  bench.send(kStore, {{4096}, 1}, 2);
  BOOST_TEST(bench.reads() == "0+32");
  BOOST_TEST(bench.after(kLoad, {{8}, 0}) == "");
  BOOST_TEST(bench.after(kLoad, {{4}, 9}) == "0+32");
}

// Until the old bytes have come, nobody who needs the new ones may wait for them.
BOOST_AUTO_TEST_CASE(a_load_of_evicted_bytes_does_not_join_an_older_request) {
  Bench bench(WritePolicy::Allocate);
  bench.send(kLoad, {{0}}, 2);
  bench.send(kStore, {{4}, 9}, 2);
  bench.send(kStore, {{2048}, 1}, 2);
  bench.send(kStore, {{4096}, 1}, 2);
  bench.send(kLoad, {{4}, 9}, 2);
  BOOST_TEST(bench.reads() == "0+32 0+32");
}

BOOST_DATA_TEST_CASE(an_atomic_removes_the_line, kBoth, a) {
  Bench bench(WritePolicy::Allocate, kAllocations[a]);
  bench.after(kLoad, {{0, 64}});
  bench.after(kStore, {{96}, 5});
  bench.after(kAtomic, {{4}, 2});
  BOOST_TEST(bench.after(kLoad, {{4}, 2}) == "0+32");
  BOOST_TEST(bench.after(kLoad, {{96}, 5}) == "96+32");
  BOOST_TEST(bench.after(kLoad, {{64}, 0}) == "64+32");
}

BOOST_DATA_TEST_CASE(sectors_under_way_at_an_atomic_do_not_stay, kBoth, a) {
  Bench bench(WritePolicy::Allocate, kAllocations[a]);
  bench.send(kLoad, {{0, 64}});
  bench.send(kAtomic, {{4}, 2});
  BOOST_TEST(bench.reads() == "0+32 64+32");
  BOOST_TEST(bench.after(kLoad, {{4}, 2}) == "0+32");
  BOOST_TEST(bench.after(kLoad, {{64}, 0}) == "64+32");
}

BOOST_AUTO_TEST_CASE(a_store_through_brings_nothing_and_outdates_its_sector_alone) {
  Bench bench(WritePolicy::Through);
  bench.after(kStore, {{0}, 4});
  BOOST_TEST(bench.after(kLoad, {{0}, 4}) == "0+32");
  bench.after(kLoad, {{32}, 0});
  bench.send(kLoad, {{64, 96}});
  bench.send(kStore, {{64}, 6});
  BOOST_TEST(bench.reads() == "64+64");
  BOOST_TEST(bench.after(kLoad, {{0}, 4}) == "");
  BOOST_TEST(bench.after(kLoad, {{96}, 0}) == "");
  BOOST_TEST(bench.after(kLoad, {{64}, 6}) == "64+32");
}

BOOST_AUTO_TEST_CASE(a_store_evicts_every_sector_of_its_line) {
  Bench bench(WritePolicy::Evict);
  bench.after(kLoad, {{0, 64}});
  bench.after(kStore, {{0}, 4});
  BOOST_TEST(bench.after(kLoad, {{64}, 0}) == "64+32");
}

BOOST_DATA_TEST_CASE(blocking_transport_finds_parts_of_a_line, bdata::make({1U, 2U, 3U}), seed) {
  Bench bench(WritePolicy::Allocate);
  std::mt19937 random(seed);
  std::array<std::uint8_t, 128> bytes{};
  for (unsigned i = 0; i < 300; ++i) {
    const unsigned width = 1U << random() % 5;
    const unsigned at = random() % (128 / width) * width;
    const bool write = random() % 2 == 0;
    const auto value = static_cast<std::uint8_t>(write ? random() : bytes[at]);
    const bool equal = std::all_of(&bytes[at], &bytes[at] + width,
                                   [&](std::uint8_t byte) { return byte == value; });
    if (write) std::fill_n(&bytes[at], width, value);
    if (!write && !equal) continue;
    const MemoryOperation operation = !write ? kLoad : random() % 4 == 0 ? kAtomic : kStore;
    const Lanes lanes{{at}, value, width};
    if (random() % 2 == 0) {
      bench.warp.blocking(operation, lanes);
    } else {
      bench.after(operation, lanes);
    }
  }
  BOOST_TEST(bench.l1.compared() > 50U);
}

BOOST_AUTO_TEST_SUITE_END()
