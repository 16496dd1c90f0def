// Figure 5 of van den Braak et al. (ICCD 2013) to the cycle: cycles of an atomic of one warp on
// gtx580-atomics, from the issue of its first read to the first cycle in which the next instruction
// can issue. Cycles are of the core clock, half as many as the shader cycles of the paper: its 118
// for an addition without a conflict are 59 here.
#include "tests/support/checked_simulation.h"
#include "tests/support/lock_oracle.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;
using Bytes = std::vector<std::uint32_t>;

namespace {

constexpr unsigned kAlone = 59;  ///< half of the paper's 118

struct Issue {
  Cycle cycle;
  InstructionClass what;
  MemoryOperation operation;
  LaneMask active;
};

struct IssueLog : Probe {
  std::vector<Issue> issues;
  std::uint64_t tries = 0, position = 0, alias = 0, otherWarp = 0, rounds = 0;
  unsigned events() const override { return Issues | Locks; }
  void issued(const IssueEvent& e) override {
    issues.push_back({e.cycle, e.instruction.instructionClass, e.instruction.operation, e.active});
  }
  void locked(const LockEvent& e) override {
    tries += e.tries;
    position += e.position;
    alias += e.alias;
    otherWarp += e.otherWarp;
    ++rounds;
  }
};

/// One warp: an atomic, then an instruction that does not depend on it.
struct OneAtomic : ScriptedWorkload {
  OneAtomic(const Bytes& byte, unsigned bytes, LaneMask active) : ScriptedWorkload(1, 32) {
    grid.sharedBytesPerCta = 49152;
    addMemory(MemorySpace::Shared, MemoryOperation::Atomic, bytes,
              [byte](auto, auto, unsigned lane, auto) { return std::uint64_t{byte[lane]}; }, {1},
              {2})
        .active = active;
    add(InstructionClass::Integer, {3}, {4});
  }
};

/// Returns the byte addresses of the paper's equation 1.
Bytes equation1(unsigned stride, unsigned conflicts) {
  Bytes byte;
  for (unsigned lane = 0; lane < 32; ++lane)
    byte.push_back(4 * (lane < conflicts ? lane * stride : lane));
  return byte;
}

class Bench {
 public:
  explicit Bench(const Sets& sets = {}) : simulation_(platform("gtx580-atomics", sets)) {
    simulation_.simulation.addProbe(log_);
  }
  /// Returns the cycles of one atomic.
  Cycle cycles(const Bytes& byte, unsigned bytes = 4, LaneMask active = kAllLanes) {
    log_ = IssueLog();
    OneAtomic workload(byte, bytes, active);
    const RunOutcome outcome = simulation_.run(workload);
    BOOST_TEST_REQUIRE(log_.issues.size() > 1U);
    BOOST_TEST(outcome.totals.warpInstructions == log_.issues.size());
    return log_.issues.back().cycle - log_.issues.front().cycle;
  }
  const IssueLog& log() const { return log_; }

  void check(const LockRounds& expected) const {
    BOOST_TEST(log_.rounds == expected.rounds.size());
    BOOST_TEST(log_.tries == expected.tries);
    BOOST_TEST(log_.position == expected.position);
    BOOST_TEST(log_.alias == expected.alias);
    BOOST_TEST(log_.otherWarp == 0U);
    BOOST_TEST_REQUIRE(log_.issues.size() == 4 * expected.rounds.size() + 1);
    for (std::size_t r = 0; r < expected.rounds.size(); ++r) {
      const LockRounds::Round& round = expected.rounds[r];
      checkStep(4 * r, InstructionClass::Memory, MemoryOperation::Load, round.asked);
      checkStep(4 * r + 1, InstructionClass::Integer, MemoryOperation::Load, round.got);
      checkStep(4 * r + 2, InstructionClass::Memory, MemoryOperation::Store, round.got);
      checkStep(4 * r + 3, InstructionClass::Branch, MemoryOperation::Load, round.asked);
    }
  }

 private:
  void checkStep(std::size_t at, InstructionClass what, MemoryOperation operation,
                 LaneMask active) const {
    const Issue& issue = log_.issues[at];
    BOOST_TEST((issue.what == what && issue.operation == operation), "step " << at);
    BOOST_TEST(issue.active == active, "step " << at);
  }

  IssueLog log_;
  CheckedSimulation simulation_;
};

const char* const kHashes[] = {"baseline", "xor", "add"};
std::string set(const char* hash) {
  return std::string("atomics.hash=") + hash;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lock_timing)

BOOST_DATA_TEST_CASE(figure_5a_n_position_conflicts, bdata::make(kHashes), hash) {
  Bench bench({set(hash)});
  for (unsigned n = 1; n <= 32; ++n) {
    BOOST_TEST_CONTEXT(n << " lanes on one word") {
      BOOST_TEST(bench.cycles(equation1(0, n)) == n * kAlone);
      BOOST_TEST(bench.log().position == n * (n - 1) / 2);
      BOOST_TEST(bench.log().alias == 0U);
    }
  }
}

BOOST_AUTO_TEST_CASE(figure_5b_m_bank_conflicts_without_lock_conflicts) {
  Bench bench;
  for (unsigned m = 1; m <= 32; ++m) {
    BOOST_TEST(bench.cycles(equation1(32, m)) == 16 * m + 9 + 18 * m + 16, m << " conflicts");
    BOOST_TEST(bench.log().rounds == 1U);
  }
}

// Section V.A: "can be removed completely by the proposed hash functions".
BOOST_DATA_TEST_CASE(figure_5b_the_hashes_remove_stride_32, bdata::make({"xor", "add"}), hash) {
  Bench bench({set(hash)});
  for (unsigned m = 1; m <= 32; ++m) {
    // A lane below m may meet another: m = 2 has lane 1 on word 32, bank 1, which no other lane
    // uses.
    const LockRounds expected = LockOracle({hash}, equation1(32, m)).run();
    BOOST_TEST(expected.rounds.size() == 1U);
    BOOST_TEST(expected.rounds[0].readLevel == 1U);
    BOOST_TEST(bench.cycles(equation1(32, m)) == kAlone, m << " conflicts");
  }
}

// Conflicts share four locks: every fourth conflict costs one more round.
BOOST_AUTO_TEST_CASE(figure_5c_steps_at_every_fourth_conflict) {
  Bench bench;
  for (unsigned m = 1; m <= 32; ++m) {
    const unsigned rounds = (m + 3) / 4;
    unsigned expected = 0;
    for (unsigned round = 0, left = m; round < rounds; ++round) {
      const unsigned got = std::min(left, 4U);
      expected += 16 * left + 9 + 18 * got + 16;
      left -= got;
    }
    BOOST_TEST(bench.cycles(equation1(256, m)) == expected, m << " conflicts");
    BOOST_TEST(bench.log().rounds == rounds);
    BOOST_TEST(bench.log().position == 0U);
  }
}

// A path that leaves lanes for a bank must not split the steps of the loop.
BOOST_DATA_TEST_CASE(every_stride_lane_by_lane,
                     bdata::make(kHashes) * bdata::make({"serialize", "replay"}), hash,
                     conflictPolicy) {
  Bench bench({set(hash), std::string("scratchpad.conflict_policy=") + conflictPolicy});
  for (const unsigned stride : {0U, 1U, 32U, 33U, 64U, 256U, 264U, 320U}) {
    for (unsigned conflicts = 1; conflicts <= 32; ++conflicts) {
      BOOST_TEST_CONTEXT("stride " << stride << ", conflicts " << conflicts) {
        const Bytes byte = equation1(stride, conflicts);
        const LockRounds expected = LockOracle({hash}, byte).run();
        BOOST_TEST(bench.cycles(byte) == expected.cycles);
        bench.check(expected);
      }
    }
  }
}

BOOST_DATA_TEST_CASE(random_lanes_and_words,
                     bdata::make(kHashes) * bdata::make({4U, 8U}) *
                         bdata::make({"lowest", "highest"}),
                     hash, bytes, winner) {
  Bench bench({set(hash), std::string("lock.winner=") + winner});
  std::mt19937 random(bytes);
  const std::uint32_t steps[] = {bytes, 128, 1024, 4096};
  for (unsigned i = 0; i < 150; ++i) {
    const std::uint32_t step = steps[random() % 4];
    const std::uint32_t most = std::min<std::uint32_t>(1 + random() % 64, 49152 / step);
    Bytes byte;
    for (unsigned lane = 0; lane < 32; ++lane)
      byte.push_back((random() % most * step + random() % 3 * bytes) % 49152);
    const LaneMask active = i % 5 == 0 ? kAllLanes : static_cast<LaneMask>(random() | 1);
    BOOST_TEST_CONTEXT("access " << i) {
      const bool highest = std::string(winner) == "highest";
      const LockRounds expected = LockOracle({hash}, byte, bytes, active, highest).run();
      BOOST_TEST(bench.cycles(byte, bytes, active) == expected.cycles);
      bench.check(expected);
    }
  }
}

// Section V.A. Lane 1 on word 256 meets lane 8 in bank 8: "the hash function has not removed the
// bank conflict, but only moved it from bank 0 to bank 8". With words 256 and 512 "the conflict
// degree has been reduced from three to two"; no lock is shared.
BOOST_DATA_TEST_CASE(section_5a_degrees, bdata::make(kHashes), hash) {
  Bench bench({set(hash)});
  const bool hashed = std::string(hash) != "baseline";
  const auto level = [](unsigned degree) { return 16 * degree + 9 + 18 * degree + 16; };
  BOOST_TEST(bench.cycles(equation1(256, 2)) == level(2));
  BOOST_TEST(bench.cycles(equation1(256, 3)) == level(hashed ? 2 : 3));
  for (const unsigned ways : {4U, 5U, 8U, 16U, 32U}) {
    bench.cycles(equation1(256, ways));
    BOOST_TEST((bench.log().alias == 0) == (hashed || ways <= 4), ways << " ways");
  }
}

BOOST_AUTO_TEST_SUITE_END()
