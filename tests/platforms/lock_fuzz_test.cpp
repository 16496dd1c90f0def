// Random atomics of several warps and CTAs on few addresses: with every implementation, results fit
// some sequential order and every loop ends.
#include <fermata/stimuli/launch/description_reader.h>
#include <fermata/stimuli/launch/launch_workload.h>

#include "tests/platforms/atomic_programs.h"
#include "tests/platforms/sequential_order.h"
#include "tests/support/checked_simulation.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;
using Words = std::vector<std::uint64_t>;

namespace {

/// Records the most reads of a warp in one loop. Between two loops a warp issues another
/// instruction.
struct Rounds : Probe {
  unsigned most = 0;
  unsigned events() const override { return Issues; }
  void issued(const IssueEvent& e) override {
    Run& run = runs_[e.slot];
    if (run.pc != e.instruction.pc) run = {e.instruction.pc, 0};
    const bool reads = e.instruction.instructionClass == InstructionClass::Memory &&
                       e.instruction.operation == MemoryOperation::Load;
    if (reads) most = std::max(most, ++run.reads);
  }

 private:
  struct Run {
    std::uint32_t pc = ~0U;
    unsigned reads = 0;
  };
  std::map<unsigned, Run> runs_;
};

class Bench {
 public:
  explicit Bench(const Sets& sets) : simulation_(platform("gtx580-atomics", sets)) {
    simulation_.simulation.addProbe(rounds);
  }
  RunOutcome run(const AtomicProgram& program) {
    const TemporaryFolder folder;
    const Words table = program.table();
    std::string bytes(table.size() * sizeof table[0], '\0');
    std::memcpy(bytes.data(), table.data(), bytes.size());
    folder.put("table.bin", bytes);
    folder.put("fuzz.ptx", program.ptx());
    launch::LaunchWorkload workload(
        launch::parseLaunchFile(program.launchFile(), (folder / "fuzz.toml").string()), {});
    rounds.most = 0;
    const RunOutcome outcome = simulation_.run(workload);
    const std::vector<std::uint8_t> raw = workload.contents("out");
    Words out(raw.size() / sizeof(std::uint64_t));
    std::memcpy(out.data(), raw.data(), raw.size());
    BOOST_TEST(program.wrong(out) == "");
    BOOST_TEST(outcome.compared > 0U);
    // No warp starves: a lost round is as long as a round in which another warp updates lanes.
    // Twice, since a warp may also meet another's next atomic.
    BOOST_TEST(rounds.most <= 2 * kWarpLanes * outcome.residentWarps);
    return outcome;
  }

  Rounds rounds;

 private:
  CheckedSimulation simulation_;
};

const char* const kConflicts[] = {"scratchpad.conflict_policy=serialize",
                                  "scratchpad.conflict_policy=replay"};
constexpr unsigned kSeeds = 25;

AtomicProgram::Shape shapeOf(unsigned seed) {
  return {3 + seed % 3, 1 + seed % 4, 1 + seed % 3, 2 + seed % 5};
}

struct Hash {
  const char* locks;
  const char* banks;
};
std::ostream& operator<<(std::ostream& out, const Hash& hash) {
  return out << hash.locks;
}
const Hash kHashes[] = {{"atomics.hash=baseline", "scratchpad.indexer=mod 32"},
                        {"atomics.hash=xor", "scratchpad.indexer=fixed-xor"},
                        {"atomics.hash=add", "scratchpad.indexer=add"}};

}  // namespace

BOOST_AUTO_TEST_SUITE(lock_fuzz)

BOOST_AUTO_TEST_CASE(an_order_is_found_or_there_is_none) {
  BOOST_TEST(sequential({}, 5, 5));
  BOOST_TEST(!sequential({}, 5, 6));
  BOOST_TEST(sequential({{1, 3}, {0, 1}, {3, 0}, {0, 7}}, 0, 7));
  BOOST_TEST(!sequential({{1, 3}, {0, 1}, {3, 0}, {0, 7}}, 0, 3));
  BOOST_TEST(!sequential({{0, 1}, {0, 1}}, 0, 1));  // an addition is lost
  // The second part is not connected to the first.
  BOOST_TEST(!sequential({{0, 1}, {5, 6}, {6, 5}}, 0, 1));
  BOOST_TEST(sequential({{4, 4}, {4, 4}}, 4, 4));
  BOOST_TEST(!sequential({{5, 5}}, 4, 4));
}

BOOST_DATA_TEST_CASE(locked,
                     bdata::make(kHashes) * bdata::make(kConflicts) *
                         bdata::make({"lowest", "highest"}),
                     hash, conflicts, winner) {
  Bench bench({"verify=true", hash.locks, conflicts, std::string("lock.winner=") + winner});
  LockCounters::Counts all;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const AtomicProgram program(shapeOf(seed), seed);
      const RunOutcome outcome = bench.run(program);
      const LockCounters::Counts& locks = outcome.locks->counts().totals();
      BOOST_TEST(locks.rounds >= program.atomics() / 2);
      all.position += locks.position;
      all.alias += locks.alias;
      all.otherWarp += locks.otherWarp;
    }
  }
  BOOST_TEST(all.position > 0U);
  BOOST_TEST(all.alias > 0U);
  BOOST_TEST(all.otherWarp > 0U);
}

BOOST_DATA_TEST_CASE(not_locked,
                     bdata::make({"load", "native"}) * bdata::make(kHashes) *
                         bdata::make(kConflicts),
                     atomics, hash, conflicts) {
  Bench bench({"verify=true", std::string("scratchpad.atomics=") + atomics, hash.banks, conflicts});
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const RunOutcome outcome = bench.run(AtomicProgram({3, 1 + seed % 4, 2, 5}, seed));
      BOOST_TEST(outcome.locks == nullptr);
      BOOST_TEST(outcome.totals.sharedAtomics > 0U);
    }
  }
}

// Loops of load and swap: every lane of every warp gets its update, and no two the same.
BOOST_DATA_TEST_CASE(by_instruction,
                     bdata::make({"", "plain count", "plain count swap wide"}) *
                         bdata::make(kHashes) * bdata::make(kConflicts),
                     loops, hash, conflicts) {
  Bench bench({"verify=true", "scratchpad.atomics=by-instruction", "atomic.merged=count",
               "atomic.swap_passes=2", std::string("atomic.loops=") + loops, hash.banks,
               conflicts});
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const RunOutcome outcome = bench.run(AtomicProgram(shapeOf(seed), seed));
      BOOST_TEST(outcome.locks == nullptr);
      BOOST_TEST(outcome.totals.sharedAtomics > 0U);
    }
  }
}

// The warp that holds the lock gets on: its update and write issue before the rounds of other
// warps.
BOOST_DATA_TEST_CASE(one_lock_bit_and_48_warps,
                     bdata::make(kConflicts) * bdata::make({"lrr", "gto", "gty", "two-level"}),
                     conflicts, policy) {
  Bench bench({"verify=true", "lock.locks=1", "lock.indexer=mod 1", conflicts,
               std::string("scheduler.policy=") + policy});
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const RunOutcome outcome = bench.run(AtomicProgram({3, 16, 1, 2, 16384}, seed));
    BOOST_TEST(outcome.residentWarps == 48U);
    BOOST_TEST(bench.rounds.most > 500U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
