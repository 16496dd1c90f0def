// Patterns of lanes that come again: their passes are those of a count, and what makes another
// pattern is seen.
#include <fermata/models/memory/pass_memo.h>

#include <fermata/models/probe/caches.h>

#include "tests/support/conflict_oracle.h"

#include <memory>

using namespace fermata;
using namespace fermata::test;

namespace {

constexpr std::uint32_t kBanks = 32;

/// Lets lane i ask for word `base` + `stride` * i.
void ask(WarpAccess& access, std::uint32_t base, std::uint32_t stride, LaneMask active = kAllLanes,
         unsigned wordsPerLane = 1) {
  access.instruction.active = active;
  fill(access, kBanks, wordsPerLane, active,
       [&](unsigned lane) { return base + stride * wordsPerLane * lane; });
}

/// Counts an access that the memo must not know, and lets it know.
void learn(PassMemo& memo, WarpAccess& access, std::uint32_t rules) {
  BOOST_TEST_REQUIRE(!memo.recall(access, rules));
  access.passes = 7;
  memo.keep(access);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pass_memo)

// Few patterns at many places, on several machines in turn: the memo of the thread serves all.
BOOST_AUTO_TEST_CASE(equals_the_oracle_where_patterns_return) {
  struct Counter {
    std::uint32_t banks, ports;
    const Machine& machine;
    ConflictResolver resolver;
  };
  std::vector<Counter> counters;
  for (const std::uint32_t banks : {16U, 32U, 33U, 64U}) {
    for (const std::uint32_t ports : {1U, 2U}) {
      for (unsigned m = 0; m < kMachines; ++m)
        counters.push_back(
            {banks, ports, machine(m), ConflictResolver(banks, ports, groupingOf(machine(m)))});
    }
  }
  std::mt19937 random(5);
  WarpAccess access;
  unsigned wrong = 0;
  for (unsigned trial = 0; trial < 20000; ++trial) {
    Counter& counter = counters[random() % 4 * 12 + random() % 3];
    const unsigned pattern = random() % 6;
    const unsigned words = 1U << pattern % 3;
    const LaneMask active = pattern < 4 ? kAllLanes : 0x00ff0fff;
    const std::uint32_t base = random() % 64 * words;
    access.instruction.pc = pattern;
    access.instruction.active = active;
    access.beginTry(0);
    fill(access, counter.banks, words, active,
         [&](unsigned lane) { return base + lane * (pattern + 1) % 40 * words; });
    counter.resolver.resolve(access);
    const Expected expected = oracle(access, counter.ports, counter.machine);
    wrong += access.passes == expected.passes && access.freePasses == expected.freePasses &&
                     access.degree == expected.degree
                 ? 0
                 : 1;
    const std::uint64_t wires = WireCounter::pitches(access);
    access.wire = nullptr;
    wrong += wires == WireCounter::pitches(access) ? 0 : 1;
    if (trial % 100 == 0) checkLeaders(access, counter.machine);
  }
  BOOST_TEST(wrong == 0U);
}

BOOST_AUTO_TEST_CASE(a_pattern_is_known_at_another_place) {
  PassMemo memo;
  WarpAccess access;
  ask(access, 5, 3);
  learn(memo, access, 1);
  access.passes = 0;
  ask(access, 5 + 4 * kBanks, 3);
  BOOST_TEST(memo.recall(access, 1));
  BOOST_TEST(access.passes == 7U);
}

// Accesses are pooled: the instruction of the last one may be gone with its grid.
BOOST_AUTO_TEST_CASE(an_access_begins_without_an_instruction) {
  WarpAccess access;
  const auto last = std::make_unique<StaticInstruction>();
  access.issuedInstruction = last.get();
  access.begin(1);
  BOOST_TEST(access.issuedInstruction == nullptr);
}

BOOST_AUTO_TEST_CASE(other_patterns_are_not_known) {
  PassMemo memo;
  WarpAccess access;
  ask(access, 5, 3);
  learn(memo, access, 1);
  ask(access, 6, 3);  // other banks
  BOOST_TEST(!memo.recall(access, 1));
  ask(access, 5, 3 + kBanks);  // the same banks, other distances
  BOOST_TEST(!memo.recall(access, 1));
  ask(access, 5, 3, kAllLanes - 2);
  BOOST_TEST(!memo.recall(access, 1));
  ask(access, 5, 3);
  access.asked &= ~LaneMask{2};  // a replay
  BOOST_TEST(!memo.recall(access, 1));
  ask(access, 5, 3);
  BOOST_TEST(!memo.recall(access, 2));
  access.instruction.operation = MemoryOperation::Store;  // some machines group stores differently
  BOOST_TEST(!memo.recall(access, 1));
  access.instruction.operation = MemoryOperation::Load;
  BOOST_TEST(memo.recall(access, 1));
}

// Lanes that do not ask have places of other accesses.
BOOST_AUTO_TEST_CASE(lanes_that_do_not_ask_do_not_matter) {
  PassMemo memo;
  WarpAccess access;
  ask(access, 5, 3, 0xfff0);
  learn(memo, access, 1);
  ask(access, 5 + kBanks, 3, 0xfff0);
  access.word[0][0] = access.bank[0][31] = 1;
  BOOST_TEST(memo.recall(access, 1));
}

// Each access is a pattern of its own: the memo stops asking, and begins again.
BOOST_AUTO_TEST_CASE(ever_new_patterns_let_it_rest) {
  PassMemo memo;
  WarpAccess access;
  for (std::uint32_t i = 1; i <= 64; ++i) {
    ask(access, 0, i);
    learn(memo, access, 1);
  }
  ask(access, 0, 64);
  unsigned unknown = 0;
  while (!memo.recall(access, 1)) ++unknown;
  BOOST_TEST(unknown == 1024U);
}

BOOST_AUTO_TEST_CASE(equal_rules_have_one_number) {
  const LaneGrouping grouping;
  LaneGrouping packs;
  BOOST_TEST_REQUIRE(LanePacking::read("1", packs.packing64) == "");
  LaneGrouping idle;
  idle.idleGroupsCount = true;
  const std::uint32_t rules = PassMemo::rules(32, 1, grouping);
  BOOST_TEST(PassMemo::rules(32, 1, LaneGrouping()) == rules);
  std::set<std::uint32_t> all{rules,
                              PassMemo::rules(33, 1, grouping),
                              PassMemo::rules(32, 2, grouping),
                              PassMemo::rules(32, 1, groupingOf(machine(1))),
                              PassMemo::rules(32, 1, groupingOf(machine(2))),
                              PassMemo::rules(32, 1, packs),
                              PassMemo::rules(32, 1, idle)};
  BOOST_TEST(all.size() == 7U);
}

BOOST_AUTO_TEST_SUITE_END()
