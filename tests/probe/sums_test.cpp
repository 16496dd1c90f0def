// Figures of two multiprocessors added up are those of a probe that hears both.
#include <fermata/models/probe/caches.h>
#include <fermata/models/probe/counters.h>
#include <fermata/models/probe/forecasts.h>
#include <fermata/models/probe/locks.h>
#include <fermata/models/probe/probe_list.h>
#include <fermata/models/probe/profile.h>
#include <fermata/models/probe/replays.h>
#include <fermata/models/transaction/warp_access.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

constexpr std::uint32_t kPcs = 7;

Grid gridOf(unsigned program) {
  Grid grid;
  grid.program = program;
  grid.instructionCount = kPcs;
  return grid;
}

std::uint32_t pcOf(std::mt19937& random) {
  return static_cast<std::uint32_t>(random() % kPcs);
}

void accessShared(Probe& probe, std::mt19937& random) {
  WarpAccess access;
  access.program = 2;
  access.instruction.pc = pcOf(random);
  access.instruction.operation = static_cast<MemoryOperation>(random() % 3);
  access.asked = access.leaders[0] = static_cast<LaneMask>(random());
  access.groups = access.passes = 1;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) access.word[0][lane] = lane;
  access.bank = access.word;
  if (random() % 2 == 0) access.bankSet = random() % 4;
  access.allPasses = static_cast<std::uint32_t>(1 + random() % 32);
  access.allFreePasses = 1;
  access.allSegments = 3;
  access.outcome.leave(1, static_cast<LeftCause>(random() % kLeftCauses));
  probe.sharedTry(access);
  probe.sharedAccess(access);
  probe.globalAccess(access);
  probe.retried(access, 0);
}

/// Tells one event of each kind that multiprocessors and memory tell, except issues.
void tellSome(Probe& probe, std::mt19937& random) {
  const auto some = [&random] { return random() % 5; };
  const Cycle start = some();
  probe.ctaStarted(0, 4, start);
  probe.ctaEnded(0, 4, start + some());
  probe.stalled(static_cast<StallCause>(random() % kStallCauses), 0, 1, some());
  const auto what = static_cast<CacheEvent::What>(random() % CacheEvent::kWhats);
  probe.cached({what, 2, pcOf(random), some()});
  probe.locked({2, pcOf(random), some(), some(), some(), some()});
  probe.foretold({2, 0, some() < 2, static_cast<unsigned>(some()), 1});
  accessShared(probe, random);
}

/// Tells an issue. Its class varies, as that of a loop that stands for an atomic.
void issue(Probe& probe, Cycle cycle, std::uint32_t pc, InstructionClass its) {
  const Grid grid = gridOf(2);
  StaticInstruction instruction;
  instruction.pc = pc;
  instruction.instructionClass = its;
  probe.issued({cycle, 0, grid, instruction, 0xff, 2});
}

/// A probe for two multiprocessors, and one for each of them.
template <class Counter>
struct Split {
  template <class... Values>
  explicit Split(const Values&... values)
      : whole(values...), parts{Counter(values...), Counter(values...)} {}

  void tell(unsigned part, const std::function<void(Probe&)>& event) {
    event(whole);
    event(parts[part]);
  }
  /// Tells 1000 random events, and returns the sum.
  const Counter& sumOfMany() {
    std::mt19937 random(1);
    const auto begin = [](Probe& probe) { probe.gridStarted(gridOf(2), 0); };
    begin(whole);
    for (Counter& part : parts) begin(part);
    for (Cycle cycle = 0; cycle < 1000; ++cycle) {
      const std::uint64_t seed = random();
      tell(seed % 2, [&](Probe& probe) {
        std::mt19937 same(static_cast<unsigned>(seed));
        tellSome(probe, same);
        issue(probe, cycle, pcOf(same), static_cast<InstructionClass>(same() % 4));
      });
    }
    parts[0].add(parts[1]);
    return parts[0];
  }

  Counter whole;
  std::array<Counter, 2> parts;
};

template <class Counts>
bool alike(const Counts& a, const Counts& b) {
  static const Counts none{};
  return std::memcmp(&a, &b, sizeof a) == 0 && std::memcmp(&a, &none, sizeof a) != 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sums)

using ByPc = std::tuple<CacheCounters, WireCounter, LockCounters, ReplayCounters>;
BOOST_AUTO_TEST_CASE_TEMPLATE(counts_by_instruction, Counter, ByPc) {
  Split<Counter> split;
  const Counter& sum = split.sumOfMany();
  BOOST_TEST(alike(sum.counts().totals(), split.whole.counts().totals()));
  for (std::uint32_t pc = 0; pc < kPcs; ++pc)
    BOOST_TEST(alike(*sum.counts().of(2, pc), *split.whole.counts().of(2, pc)));
}

BOOST_AUTO_TEST_CASE(forecasts) {
  Split<ForecastCounters> split;
  BOOST_TEST(alike(split.sumOfMany().counts(), split.whole.counts()));
}

// Launches are told to all, and the most passes are a maximum.
BOOST_AUTO_TEST_CASE(totals) {
  Split<Counters> split;
  const Counters& sum = split.sumOfMany();
  BOOST_TEST(alike(sum.totals(), split.whole.totals()));
  BOOST_TEST(sum.totals().launches == 1U);
  BOOST_TEST(sum.totals().mostPasses == 32U);
}

BOOST_AUTO_TEST_CASE(a_profile) {
  Split<PcProfile> split;
  const auto& sum = split.sumOfMany().entries();
  const auto& whole = split.whole.entries();
  BOOST_REQUIRE(sum.size() == whole.size());
  for (std::uint32_t pc = 0; pc < kPcs; ++pc) {
    BOOST_TEST(whole[2][pc].executions > 0U);
    for (const auto& figure : PcProfile::figures())
      BOOST_TEST((figure.read(sum[2][pc]) == figure.read(whole[2][pc])), figure.name);
  }
}

// With epochs one probe hears a multiprocessor's later issue before another's earlier one.
BOOST_AUTO_TEST_CASE(the_class_is_that_of_the_latest_issue) {
  constexpr auto kFirst = InstructionClass::Memory, kSecond = InstructionClass::Branch;
  const Cycle cycles[][2] = {{9, 3}, {3, 9}, {5, 5}};
  const InstructionClass expected[] = {kFirst, kSecond, kSecond};
  for (unsigned i = 0; i < 3; ++i) {
    Split<PcProfile> split;
    split.whole.gridStarted(gridOf(2), 0);
    for (PcProfile& part : split.parts) part.gridStarted(gridOf(2), 0);
    split.tell(0, [&](Probe& probe) { issue(probe, cycles[i][0], 1, kFirst); });
    split.tell(1, [&](Probe& probe) { issue(probe, cycles[i][1], 1, kSecond); });
    split.parts[0].add(split.parts[1]);
    BOOST_TEST((split.whole.entries()[2][1].instructionClass == expected[i]));
    BOOST_TEST((split.parts[0].entries()[2][1].instructionClass == expected[i]));
  }
}

BOOST_AUTO_TEST_CASE(banks) {
  Split<BankHistogram> split(32U);
  const auto sum = split.sumOfMany().banks();
  const auto whole = split.whole.banks();
  BOOST_REQUIRE(sum.size() == whole.size());
  for (std::size_t bank = 0; bank < sum.size(); ++bank) BOOST_TEST(alike(sum[bank], whole[bank]));
}

// The sum has programs that only the other one was told of.
BOOST_AUTO_TEST_CASE(programs_of_the_other) {
  LockCounters one, other;
  one.gridStarted(gridOf(0), 0);
  other.gridStarted(gridOf(3), 0);
  other.locked({3, 6, 5, 0, 0, 0});
  one.add(other);
  BOOST_REQUIRE(one.counts().of(3, 6) != nullptr);
  BOOST_TEST(one.counts().of(3, 6)->tries == 5U);
  BOOST_TEST(one.counts().of(0, 6)->tries == 0U);
}

BOOST_AUTO_TEST_CASE(a_list_tells_a_listener_what_it_was_added_for) {
  Counters counters;
  ProbeList list;
  list.add(counters, Probe::Grids | Probe::Warps);
  BOOST_TEST(list.events() == unsigned{Probe::Grids});
  list.gridStarted(gridOf(0), 0);
  list.ctaStarted(0, 1, 0);
  BOOST_TEST(counters.totals().launches == 1U);
  BOOST_TEST(counters.totals().ctas == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
