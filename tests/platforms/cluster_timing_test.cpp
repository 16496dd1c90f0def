// Timing of clusters, cycle by cycle, on the platform sm_90 with the figures of its file:
// - a load from shared memory takes kShared cycles; one of the own CTA by its rank kOwn more, of
// the
//   other CTA of two kFar more, and each 128 bytes take kLoad cycles of the way, one access after
//   the other;
// - a relaxed arrival counts at once, one with release kRelease cycles later, and holds its warp as
//   long; warps that wait go on kBarrier cycles behind the last arrival. Arrivals of the SM pass
//   two cycles apart.
// The figures are those of results/silicon/cluster.csv by construction.
#include <fermata/platforms/program/workloads.h>
#include "tests/support/checked_simulation.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

using Cycles = std::vector<Cycle>;

constexpr Cycle kShared = 29, kOwn = 53, kFar = 186, kLoad = 6, kStore = 3, kBarrier = 87,
                kRelease = 673;

/// Cycles of issue and end by opcode, of the warps of CTA 0.
struct Timeline : Probe {
  explicit Timeline(const Workload& workload) : workload_(workload) {}
  unsigned events() const override { return Grids | Issues | SharedAccesses | Warps; }
  void gridStarted(const Grid& grid, Cycle) override { program_ = grid.program; }
  void issued(const IssueEvent& event) override {
    if (event.slot == 0) issues[opcode(event.instruction)].push_back(event.cycle);
  }
  void completed(unsigned slot, const StaticInstruction& what, Cycle at) override {
    if (slot == 0) ends[opcode(what)].push_back(at);
  }

  void sharedAccess(const WarpAccess& access) override {
    ++accesses[opcode(*access.issuedInstruction)];
  }

  std::map<std::string, Cycles> issues, ends;
  std::map<std::string, unsigned> accesses;  ///< that banks have served

 private:
  std::string opcode(const StaticInstruction& what) const {
    return workload_.instructionText(program_, what.pc).opcode;
  }

  const Workload& workload_;
  unsigned program_ = 0;
};

/// A machine on which an access of one pass answers after kShared cycles.
Configuration plainMachine(const std::vector<std::string>& more) {
  std::vector<std::string> sets = {"scratchpad.conflict_policy=serialize", "scratchpad.latency=27",
                                   "scratchpad.atomics=load", "subcore.queue=0",
                                   "scheduler.policy=lrr", "core.access_spacing=0"};
  sets.insert(sets.end(), more.begin(), more.end());
  return platform("sm_90", sets);
}

/// A kernel of CTAs of one warp. %r1 is the rank, %r2 the tile, %r3 and %r4 that of ranks 0 and 1;
/// %p1 is true in CTA 0.
struct Machine {
  explicit Machine(const std::vector<std::string>& sets = {}) : simulation(plainMachine(sets)) {}

  const Timeline& run(const std::string& body, unsigned size = 2, unsigned ctas = 2) {
    folder.put("k.ptx",
               ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n"
               "{\n.reg .b32 %r<9>; .reg .pred %p<9>; .shared .align 16 .b8 tile[1024];\n"
               "mov.u32 %r1, %cluster_ctarank;\nsetp.eq.u32 %p1, %r1, 0;\nmov.u32 %r2, tile;\n"
               "mapa.shared::cluster.u32 %r3, %r2, 0;\nmapa.shared::cluster.u32 %r4, %r2, 1;\n" +
                   body + "\nbarrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;\nret;\n}\n");
    folder.put("k.toml", "description = 'k'\nkernel = 'k.ptx'\n[[launch]]\nentry = 'k'\ngrid = " +
                             std::to_string(ctas) + "\nblock = 32\ncluster = " +
                             std::to_string(size) + "\narguments = []\n");
    opened.push_back(openWorkload((folder / "k.toml").string(), {}));
    Workload& workload = *opened.back().workload;
    timelines.push_back(std::make_unique<Timeline>(workload));
    simulation.simulation.addProbe(*timelines.back());
    simulation.run(workload);
    return *timelines.back();
  }
  void refuses(unsigned size, const std::string& part) {
    BOOST_CHECK_EXCEPTION(run("", size, 2 * size), BadInput, [&](const BadInput& error) {
      BOOST_TEST(std::string(error.what()).find(part) != std::string::npos, error.what());
      return true;
    });
  }

  TemporaryFolder folder;
  std::vector<OpenWorkload> opened;
  std::vector<std::unique_ptr<Timeline>> timelines;  ///< probes: they outlive the simulation
  CheckedSimulation simulation;
};

void same(const Cycles& found, const Cycles& wanted) {
  BOOST_TEST(found == wanted, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cluster_timing)

BOOST_AUTO_TEST_CASE(loads_from_another_cta_come_later) {
  Machine machine;
  const Timeline& timeline = machine.run(
      "@!%p1 bra E;\nld.shared.u32 %r5, [%r2];\nld.shared::cluster.u32 %r6, [%r3];\n"
      "ld.shared::cluster.u32 %r7, [%r4];\nld.shared::cluster.u32 %r8, [%r4+4];\nE:");
  const Cycle first = timeline.issues.at("ld.shared.u32").at(0);
  same(timeline.ends.at("ld.shared.u32"), {first + kShared});
  same(timeline.issues.at("ld.shared::cluster.u32"), {first + 1, first + 2, first + 3});
  same(timeline.ends.at("ld.shared::cluster.u32"),
       {first + 1 + kShared + kOwn, first + 2 + kShared + kFar,
        first + 3 + kShared + kFar + (kLoad - 1)});  // the way is taken until first + 2 + kLoad
}

// 16 bytes per lane take four times as long on the way; a few lanes take the least.
BOOST_AUTO_TEST_CASE(the_way_carries_bytes) {
  Machine machine;
  const Timeline& timeline = machine.run(
      "@!%p1 bra E;\nst.shared::cluster.v4.u32 [%r4], {%r1, %r1, %r1, %r1};\n"
      "st.shared::cluster.u32 [%r4], %r1;\nE:");
  const Cycle first = timeline.issues.at("st.shared::cluster.v4.u32").at(0);
  const Cycle wide = timeline.ends.at("st.shared::cluster.v4.u32").at(0);
  const Cycle second = timeline.issues.at("st.shared::cluster.u32").at(0);
  BOOST_TEST(wide >= first + kShared + kFar + 3 * kStore);
  same(timeline.ends.at("st.shared::cluster.u32"),
       {second + kShared + kFar + (first + 4 * kStore - second)});
}

BOOST_AUTO_TEST_CASE(the_barrier_takes_its_cycles) {
  Machine machine;
  const Timeline& relaxed = machine.run(
      "barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait.acquire;\nmov.u32 %r5, %r1;");
  const Cycle arrival = relaxed.issues.at("barrier.cluster.arrive.relaxed").at(0);
  same(relaxed.issues.at("barrier.cluster.wait.acquire"), {arrival + 1});
  BOOST_TEST(relaxed.issues.at("barrier.cluster.arrive.relaxed").at(1) >= arrival + kBarrier);
  BOOST_TEST(relaxed.issues.at("barrier.cluster.arrive.relaxed").at(1) <= arrival + kBarrier + 4);
  const Timeline& ordered =
      machine.run("barrier.cluster.arrive;\nbarrier.cluster.wait.acquire;\nmov.u32 %r5, %r1;");
  const Cycle begin = ordered.issues.at("barrier.cluster.arrive").at(0);
  same(ordered.issues.at("barrier.cluster.wait.acquire"), {begin + kRelease + 1});
  BOOST_TEST(ordered.issues.at("barrier.cluster.arrive.relaxed").at(0) >=
             begin + kRelease + kBarrier);
  BOOST_TEST(ordered.issues.at("barrier.cluster.arrive.relaxed").at(0) <=
             begin + kRelease + kBarrier + 4);
}

// Four CTAs fit: clusters of three leave a place empty, of four take them all.
BOOST_AUTO_TEST_CASE(a_cluster_is_resident_at_once_or_refused) {
  Machine machine({"limits.ctas=4"});
  machine.run("", 3, 12);
  machine.run("", 4, 12);
  machine.refuses(5,
                  "a cluster of 5 CTAs does not fit on one SM, where the model runs it: 4 of its "
                  "CTAs do, by limits.ctas");
}

Cycles sorted(Cycles cycles) {
  std::sort(cycles.begin(), cycles.end());
  return cycles;
}

// With as many SMs as CTAs each has its own, and is as far from the other. The timeline has slot 0
// of both.
BOOST_DATA_TEST_CASE(on_several_multiprocessors_it_takes_the_same_cycles,
                     bdata::make({"chip.epoch=0", "chip.epoch=40"}), epoch) {
  Machine machine({"chip.sms=3", "limits.ctas=1", "global.memory=caches", epoch});
  const Timeline& timeline = machine.run(
      "@!%p1 bra E;\nld.shared::cluster.u32 %r7, [%r4];\nE:\n"
      "barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait.acquire;\nmov.u32 %r5, %r1;");
  const Cycle load = timeline.issues.at("ld.shared::cluster.u32").at(0);
  same(timeline.ends.at("ld.shared::cluster.u32"), {load + kShared + kFar});
  const Cycles arrivals = sorted(timeline.issues.at("barrier.cluster.arrive.relaxed"));
  BOOST_REQUIRE(arrivals.size() == 4U);
  for (const Cycle next : {arrivals[2], arrivals[3]}) {
    BOOST_TEST(next >= arrivals[1] + kBarrier);
    BOOST_TEST(next <= arrivals[1] + kBarrier + 2);
  }
}

// CTA 0 waits, for a time that would be 10 ms, for an arrival of CTA 1 at its mbarrier.
BOOST_DATA_TEST_CASE(an_arrival_from_another_multiprocessor_wakes,
                     bdata::make({"chip.epoch=0", "chip.epoch=40"}), epoch) {
  Machine machine({"chip.sms=2", "limits.ctas=1", "global.memory=caches", epoch});
  const Timeline& timeline = machine.run(
      "@%p1 mbarrier.init.shared.b64 [%r2], 32;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
      "@%p1 bra W;\nnanosleep.u32 300;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3];\nbra E;\n"
      "W: mbarrier.try_wait.parity.shared.b64 %p2, [%r2], 0, 10000000;\n@!%p2 bra W;\nE:");
  const Cycles& tries = timeline.issues.at("mbarrier.try_wait.parity.shared.b64");
  const Cycle arrival =
      timeline.issues.at("mbarrier.arrive.release.cluster.shared::cluster.b64").at(0);
  same(tries, {tries.at(0)});
  BOOST_TEST(tries.at(0) > arrival);
  BOOST_TEST(tries.at(0) <= arrival + 41);
}

/// Code that stores `count` times to the own tile, once a cycle.
std::string stores(unsigned count) {
  std::string text;
  for (unsigned k = 0; k < count; ++k) text += "st.shared.u32 [%r2], %r1;\n";
  return text;
}

const std::vector<std::string> kTwo = {"chip.sms=2", "limits.ctas=1", "global.memory=caches"};

std::vector<std::string> twoWith(const std::string& more) {
  std::vector<std::string> sets = kTwo;
  sets.push_back(more);
  return sets;
}

// CTA 0 loads eight rows of one bank of CTA 1. Half the latency later the load holds CTA 1's port
// and banks for eight cycles, in which CTA 1 stores nothing.
BOOST_DATA_TEST_CASE(an_access_takes_the_owners_banks,
                     bdata::make({"chip.epoch=0", "chip.epoch=40"}), epoch) {
  Machine machine(twoWith(epoch));
  const Timeline& timeline = machine.run(
      "mov.u32 %r5, %laneid; and.b32 %r5, %r5, 7; shl.b32 %r5, %r5, 7; add.u32 %r4, %r4, %r5;\n"
      "@!%p1 bra O;\nld.shared::cluster.u32 %r7, [%r4];\nbra E;\nO:" +
      stores(150) + "E:");
  const Cycle load = timeline.issues.at("ld.shared::cluster.u32").at(0);
  same(timeline.ends.at("ld.shared::cluster.u32"), {load + kShared + kFar + 7});
  BOOST_TEST(timeline.accesses.at("ld.shared::cluster.u32") == 1U);
  const Cycles& own = timeline.issues.at("st.shared.u32");
  BOOST_REQUIRE(own.size() == 150U);
  Cycles gaps;
  for (std::size_t k = 1; k < own.size(); ++k) {
    if (own[k] != own[k - 1] + 1) gaps.insert(gaps.end(), {own[k - 1], own[k]});
  }
  same(gaps, {load + kFar / 2 - 1, load + kFar / 2 + 8});
}

// CTA 1's own stores, of eight rows of one bank, hold the port when CTA 0's load comes.
BOOST_AUTO_TEST_CASE(an_access_waits_for_the_owners_banks) {
  Machine machine(kTwo);
  const Timeline& timeline = machine.run(
      "mov.u32 %r5, %laneid; and.b32 %r5, %r5, 7; shl.b32 %r5, %r5, 7; add.u32 %r2, %r2, %r5;\n"
      "@!%p1 bra O;\nld.shared::cluster.u32 %r7, [%r4];\nbra E;\nO:" +
      stores(40) + "E:");
  const Cycle load = timeline.issues.at("ld.shared::cluster.u32").at(0);
  Cycle free = 0;
  for (const Cycle store : timeline.issues.at("st.shared.u32")) {
    if (store < load + kFar / 2) free = store + 8;
  }
  BOOST_TEST(free > load + kFar / 2);
  same(timeline.ends.at("ld.shared::cluster.u32"), {free + kShared + (kFar - kFar / 2)});
}

// Lanes of one access go to three CTAs, the own among them: banks of each serve a part.
BOOST_AUTO_TEST_CASE(each_owner_serves_its_lanes) {
  Machine machine({"chip.sms=3", "limits.ctas=1", "global.memory=caches"});
  const Timeline& timeline = machine.run(
      "mov.u32 %r5, %laneid; rem.u32 %r5, %r5, 3; mapa.shared::cluster.u32 %r6, %r2, %r5;\n"
      "@%p1 ld.shared::cluster.u32 %r7, [%r6];",
      3, 3);
  BOOST_TEST(timeline.accesses.at("ld.shared::cluster.u32") == 3U);
  const Cycle load = timeline.issues.at("ld.shared::cluster.u32").at(0);
  BOOST_TEST(sorted(timeline.ends.at("ld.shared::cluster.u32")).back() >= load + kShared + 203);
  BOOST_TEST(sorted(timeline.ends.at("ld.shared::cluster.u32")).back() <= load + kShared + 204);
}

// CTA 0 loads from CTA 1, which takes kServed cycles of CTA 1's way when it comes there. CTA 1's
// own load of 8 bytes from CTA 0, some cycles later, begins when they are over; its second half
// takes kLoad more of each way.
BOOST_AUTO_TEST_CASE(an_access_takes_of_the_owners_way) {
  constexpr Cycle kServed = 40;
  Machine machine(twoWith("cluster.load_served=40"));
  const Timeline& timeline =
      machine.run("@!%p1 bra O;\nld.shared::cluster.u32 %r7, [%r4];\nbra E;\nO:" + stores(105) +
                  "ld.shared::cluster.v2.u32 {%r7, %r8}, [%r3];\nE:");
  const Cycle first = timeline.issues.at("ld.shared::cluster.u32").at(0);
  const Cycle second = timeline.issues.at("ld.shared::cluster.v2.u32").at(0);
  BOOST_TEST(second > first + kFar / 2);
  same(timeline.ends.at("ld.shared::cluster.u32"), {first + kShared + kFar});
  const Cycle end = timeline.ends.at("ld.shared::cluster.v2.u32").at(0);
  BOOST_TEST(end >= first + kFar / 2 + kServed + 2 * kLoad + kShared + kFar);
  BOOST_TEST(end <= first + kFar / 2 + kServed + 2 * kLoad + kShared + kFar + 4);
}

// Loads of 16 bytes take four parts of each way, and the data of the last one pass last. The banks
// add up to four cycles.
BOOST_DATA_TEST_CASE(data_of_loads_take_the_way_back, bdata::make({1U, 2U}), sms) {
  Machine machine(sms == 1 ? std::vector<std::string>{} : kTwo);
  const Timeline& timeline =
      machine.run("@!%p1 bra E;\nld.shared::cluster.v4.u32 {%r5, %r6, %r7, %r8}, [%r4];\nE:");
  const Cycle first = timeline.issues.at("ld.shared::cluster.v4.u32").at(0);
  const Cycle end = timeline.ends.at("ld.shared::cluster.v4.u32").at(0);
  BOOST_TEST(end >= first + kShared + kFar + 2 * 3 * kLoad);
  BOOST_TEST(end <= first + kShared + kFar + 2 * 3 * kLoad + 4);
}

// A multicast is stored by the banks of each CTA, on one multiprocessor as on two.
BOOST_DATA_TEST_CASE(a_multicast_takes_the_banks_of_each_cta,
                     bdata::make({"chip.sms=1", "chip.sms=2"}), sms) {
  Machine machine({"global.memory=caches", sms});
  const Timeline& timeline = machine.run(
      ".reg .b64 %rd<4>; .reg .b16 %h<2>; .shared .align 8 .b64 bar; .global .align 16 .b8 "
      "data[512];\n"
      "mov.u32 %r8, bar; mbarrier.init.shared.b64 [%r8], 32;\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 16;\n"
      "barrier.cluster.arrive;\nbarrier.cluster.wait;\nmov.u64 %rd1, data; mov.b16 %h1, 3;\n"
      "mov.u32 %r6, %laneid; setp.eq.and.u32 %p2, %r6, 0, %p1;\n"
      "@%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%r2], [%rd1], 512, [%r8], %h1;\n"
      "W: mbarrier.try_wait.parity.shared.b64 %p3, [%r8], 0; @!%p3 bra W;");
  // Each CTA gets the data and the count of their bytes.
  BOOST_TEST(timeline.accesses.at("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                                  "bytes.multicast::cluster") == 4U);
}

// An ordered arrival takes 10 cycles more for each CTA beyond the first.
// The third copy takes 135 cycles more than the second one; the first one fills the L2.
BOOST_AUTO_TEST_CASE(the_data_of_a_multicast_take_longer) {
  const auto copy = [](const std::string& to, const std::string& mask, int phase) {
    return "mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 512;\n"
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes" +
           to + " [%r2], [%rd1], 512, [%r8]" + mask + ";\nW" + std::to_string(phase) +
           ": mbarrier.try_wait.parity.shared.b64 %p3, [%r8], " + std::to_string(phase % 2) +
           ", 1000000; @!%p3 bra W" + std::to_string(phase) + ";\n";
  };
  Machine machine({"global.memory=caches", "tma.multicast_latency=135"});
  const Timeline& timeline = machine.run(
      ".reg .b64 %rd<4>; .reg .b16 %h<2>; .shared .align 8 .b64 bar; .global .align 16 .b8 "
      "data[512];\n"
      "mov.u32 %r8, bar; mov.u64 %rd1, data; mov.b16 %h1, 1; @!%p1 bra E;\n"
      "mov.u32 %r6, %laneid; setp.eq.u32 %p2, %r6, 0; @!%p2 bra E;\n"
      "mbarrier.init.shared.b64 [%r8], 1;\n" +
      copy("", "", 0) + copy("", "", 1) + copy(".multicast::cluster", ", %h1", 2) + "E:");
  const Cycles& begins = timeline.issues.at("mbarrier.arrive.expect_tx.shared.b64");
  const Cycles& ends = timeline.ends.at("mbarrier.try_wait.parity.shared.b64");
  BOOST_TEST_REQUIRE(begins.size() == 3U);
  BOOST_TEST_REQUIRE(ends.size() == 3U);
  BOOST_TEST(ends[2] - begins[2] == ends[1] - begins[1] + 135);
}

BOOST_AUTO_TEST_CASE(a_larger_cluster_orders_later) {
  Machine machine({"limits.ctas=4"});
  const Timeline& timeline = machine.run(
      "barrier.cluster.arrive;\nbarrier.cluster.wait.acquire;\nmov.u32 %r5, %r1;", 4, 4);
  const Cycle begin = timeline.issues.at("barrier.cluster.arrive").at(0);
  same(timeline.issues.at("barrier.cluster.wait.acquire"), {begin + kRelease + 2 * 10 + 1});
}

// The second of two arrivals passes two cycles later, and is ordered in a round of its own if the
// window is shorter.
BOOST_DATA_TEST_CASE(arrivals_share_a_round_of_ordering, bdata::make({1, 2}), window) {
  Machine machine({"cluster.release_window=" + std::to_string(window)});
  const Timeline& timeline =
      machine.run("barrier.cluster.arrive;\nbarrier.cluster.wait.acquire;\nmov.u32 %r5, %r1;");
  const Cycle begin = timeline.issues.at("barrier.cluster.arrive").at(0);
  const Cycle opens = begin + (window == 1 ? 500 : 2) + kRelease + kBarrier;
  BOOST_TEST(timeline.issues.at("barrier.cluster.arrive.relaxed").at(0) >= opens);
  BOOST_TEST(timeline.issues.at("barrier.cluster.arrive.relaxed").at(0) <= opens + 2);
}

BOOST_AUTO_TEST_CASE(a_cluster_may_fill_its_multiprocessors) {
  Machine machine({"chip.sms=4", "limits.ctas=1"});
  machine.run("", 4, 12);
  machine.refuses(5, "expected an SM for each (--set chip.sms=5, without verify)");
}

BOOST_AUTO_TEST_CASE(a_machine_without_clusters_refuses_them) {
  Machine({"cluster.latency=0"})
      .refuses(2,
               "a launch with clusters needs clusters of CTAs, as sm_90 and h100 have, and "
               "cluster.latency is 0");
}

BOOST_AUTO_TEST_SUITE_END()
