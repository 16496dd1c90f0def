// Accesses of a warp keep their order over both paths. An access behind one with lanes left is
// squashed, on either path, and issues again behind it.
#include <fermata/platforms/compose/parameters.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/mixed_traffic.h"
#include "tests/support/open_edge.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// Holds for each warp slot the access whose lanes were served last.
class LastServed {
 public:
  void served(const WarpAccess& access) {
    const auto [last, first] = last_.emplace(access.slot, access.sequence);
    if (!first && access.sequence < last->second) ++overtaken;
    last->second = access.sequence;
  }
  unsigned overtaken = 0;

 private:
  std::map<unsigned, std::uint64_t> last_;
};

/// Passes everything on, and records when lanes of a try are served: at the call if the try is
/// answered there, otherwise when the answer comes.
class Watch : public WarpEdge {
 public:
  Watch(const sc_core::sc_module_name& name, LastServed& last) : WarpEdge(name), last_(last) {}

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    const bool request = phase == tlm::BEGIN_REQ;
    if (request) open_[&payload] = true;
    const tlm::tlm_sync_enum status = out->nb_transport_fw(payload, phase, delay);
    if (!request) return status;
    if (status == tlm::TLM_COMPLETED) {
      settle(payload, 0);
    } else if (status == tlm::TLM_UPDATED) {
      note(payload, phase);
    }
    return status;
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    note(payload, phase);
    return in->nb_transport_bw(payload, phase, delay);
  }
  void note(Payload& payload, const tlm::tlm_phase& phase) {
    if (phase == TRY_OUTCOME) settle(payload, warpAccess(payload).outcome.lanesLeft());
    if (phase == tlm::BEGIN_RESP) settle(payload, 0);
  }
  void settle(Payload& payload, LaneMask left) {
    if (!std::exchange(open_[&payload], false)) return;
    const WarpAccess& access = warpAccess(payload);
    if ((access.asked & ~left) != 0) last_.served(access);
  }

  LastServed& last_;
  std::map<Payload*, bool> open_;  ///< false once the try has been answered
};

/// Puts a watch behind each way out of the core, and a checker on every edge.
class Watched : public CheckedConnector {
 public:
  void joinWarp(WarpInitiatorSocket& from, WarpTargetSocket& to) override {
    const std::string name = to.name();
    if (name != "sm.agu.in" && name != "sm.l1.in") return CheckedConnector::joinWarp(from, to);
    Watch& watch = watches_.emplace_back(("watch" + name.substr(3, 2)).c_str(), last);
    through(watch, from, to);
  }
  std::size_t watches() const { return watches_.size(); }

  LastServed last;

 private:
  std::list<Watch> watches_;
};

/// Independent loads of one warp, with independent arithmetic between them.
class Loads : public ScriptedWorkload {
 public:
  Loads() : ScriptedWorkload(1, kWarpLanes) { grid.sharedBytesPerCta = 8192; }
  Loads& shared(unsigned way) {
    addSharedLoad(way, {next_++});
    return *this;
  }
  Loads& global() {
    addMemory(MemorySpace::Global, MemoryOperation::Load, 4, apart(4, 0x10000000), {next_++});
    return *this;
  }
  Loads& wait(unsigned cycles) {
    for (unsigned i = 0; i < cycles; ++i) add(InstructionClass::Integer);
    return *this;
  }

 private:
  RegisterId next_ = 1;
};

struct Ran {
  Cycle cycles;
  std::uint64_t squashes;
};

class Machine {
 public:
  explicit Machine(const std::string& name, const Sets& sets = {})
      : simulation_(platform(name, sets)) {}
  Ran run(Loads loads) {
    const RunOutcome outcome = simulation_.run(loads);
    BOOST_TEST(slotsOf(outcome) == outcome.cycles * 2);
    return {outcome.cycles, replaysOf(outcome).squashes()};
  }

 private:
  CheckedSimulation simulation_;
};

/// Sets one DRAM cycle per core cycle: the time at which a load is sent then makes no difference.
Sets even(const Sets& sets = {}) {
  return sets + Sets{"dram.frequency_mhz=700"};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(warp_order)

// The miss is known in cycle 18. Its replay R issues when the line arrives and has its data in R +
// 24. The shared load issues in R + 1 and has its data in R + 27: squashed if it was on its way in
// cycle 18, otherwise held.
BOOST_DATA_TEST_CASE(a_shared_load_follows_a_global_one_that_misses,
                     bdata::make({0U, 1U, 16U, 17U, 20U}), gap) {
  Machine machine("fermi-ami", even());
  const Cycle alone = machine.run(Loads().global()).cycles;
  const Ran both = machine.run(Loads().global().wait(gap).shared(1));
  BOOST_TEST(both.cycles == alone + 3);
  BOOST_TEST(both.squashes == (1 + gap < 18 ? 1U : 0U));
}

// A hit holds nothing up. The line was brought before, with a replay that took a slot.
BOOST_AUTO_TEST_CASE(a_shared_load_does_not_wait_for_a_global_one_that_hits) {
  Machine machine("fermi-ami", even());
  BOOST_TEST(machine.run(Loads().global()).cycles < 500U);
  const Ran all = machine.run(Loads().global().wait(500).global().shared(1));
  BOOST_TEST(all.squashes == 0U);
  BOOST_TEST(all.cycles == 1U + 502 + 26);
}

// Two words in a bank: known in cycle 18 and replayed then. The global load goes in 19 or, if
// squashed, at the earliest a replay's latency behind its first try.
BOOST_DATA_TEST_CASE(a_global_load_follows_a_shared_one_that_loses_a_bank,
                     bdata::make({0U, 16U, 17U}), gap) {
  Machine machine("fermi-ami", even());
  const Cycle alone = machine.run(Loads().global()).cycles;
  const Ran both = machine.run(Loads().shared(2).wait(gap).global());
  const bool squashed = 1 + gap < 18;
  BOOST_TEST(both.cycles == alone + (squashed ? 1 + gap + 18 : 19));
  BOOST_TEST(both.squashes == (squashed ? 1U : 0U));
}

// The order holds also for a path that leaves no lanes itself.
BOOST_AUTO_TEST_CASE(a_load_of_flat_memory_follows_too) {
  Machine machine(
      "gtx480", {"scratchpad.conflict_policy=replay", "replay.latency=18", "replay.detection=18"});
  const Cycle alone = machine.run(Loads().global()).cycles;
  const Ran both = machine.run(Loads().shared(2).global());
  BOOST_TEST(both.cycles == alone + 19);
  BOOST_TEST(both.squashes == 1U);
}
BOOST_AUTO_TEST_CASE(a_load_of_a_scratchpad_that_serializes_follows_too) {
  Machine machine("fermi-ami", even({"scratchpad.conflict_policy=serialize"}));
  const Cycle alone = machine.run(Loads().global()).cycles;
  const Ran both = machine.run(Loads().global().shared(1));
  BOOST_TEST(both.cycles == alone + 3);
  BOOST_TEST(both.squashes == 1U);
}

// Behind a miss, a load that loses a bank and one that does not: both are squashed. The first
// issues in R + 1, is known in R + 19 and replayed then; the second follows in R + 20.
BOOST_AUTO_TEST_CASE(what_was_squashed_comes_again_in_its_order) {
  Machine machine("fermi-ami", even());
  const Cycle missIssues = machine.run(Loads().global()).cycles - 24;
  const Ran all = machine.run(Loads().global().shared(2).shared(1));
  BOOST_TEST(all.squashes == 2U);
  BOOST_TEST(all.cycles == missIssues + 20 + 26);
}

namespace {

struct Shape : Named {
  Sets sets;
};
const Sets kOneOfEach{"l1.split=free", "l1.bytes=512",        "l1.sets=ami 3",   "l1.mshrs=1",
                      "l1.queue=1",    "l1.merges=1",         "l1.tag_arrays=1", "l2.bytes=1024",
                      "l2.mshrs=1",    "l2.merges=1",         "l2.input=1",      "l2.queue=1",
                      "dram.queue=1",  "interconnect.queue=1"};
const Shape kShapes[] = {
    {"ami", {}},
    {"S+62/48", {"ami=S+62/48"}},
    {"a queue of one", {"core.memory_queue=1"}},
    {"queues", {"core.memory_queue=3", "scheduler.issue_width=2"}},
    {"known at once", {"replay.detection=0", "replay.latency=0"}},
    {"a long look-up", {"l1.lookup_latency=9", "replay.detection=0", "replay.priority=age"}},
    {"one of each", Sets{"replay.capacity=1"} + kOneOfEach},
    {"one of each, no limit to replays", Sets{"replay.priority=new"} + kOneOfEach},
    {"one of each, a queue of one", Sets{"core.memory_queue=1", "replay.capacity=1"} + kOneOfEach},
    {"one of each, queues", Sets{"core.memory_queue=2", "replay.detection=3"} + kOneOfEach},
    {"a request at a time", {"l1.queue=1", "interconnect.queue=1", "l2.input=1"}},
};

}  // namespace

// For random loads: an access is served lanes only after all lanes of earlier accesses, nothing is
// lost and nothing locks up.
BOOST_DATA_TEST_CASE(no_access_overtakes_one_of_its_warp,
                     bdata::make({1U, 2U, 3U}) * bdata::make(kShapes), seed, shape) {
  Watched connector;
  const Configuration configuration = platform("fermi-ami", shape.sets);
  Simulation simulation(configuration, connector);
  MixedTraffic workload(seed, 300, 60, 12);
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST(connector.watches() == 2U);
  BOOST_TEST(connector.nothingLeft());
  BOOST_TEST(connector.last.overtaken == 0U);
  const auto& issue = configuration.parameters().core.issue;
  // With one entry, no access is ever behind another.
  BOOST_TEST((replaysOf(outcome).squashes() == 0) == (issue.loadStore.replay.capacity == 1));
  BOOST_TEST(outcome.totals.sharedAccesses() == workload.sharedAccesses);
  BOOST_TEST(outcome.totals.globalAccesses == workload.globalAccesses);
  BOOST_TEST(slotsOf(outcome) == outcome.cycles * issue.schedulers * issue.issueWidth);
}

BOOST_AUTO_TEST_SUITE_END()
