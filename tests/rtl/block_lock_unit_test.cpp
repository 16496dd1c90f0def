// A lock unit with its locks in a block, beside the model's: equal lanes get equal locks at equal
// times, and a block with a fault is found where it shows.
#include <fermata/models/rtl/block_catalog.h>
#include <fermata/models/rtl/block_lock_unit.h>
#include <fermata/models/rtl/ended.h>
#include <fermata/models/rtl/model_blocks.h>
#include <fermata/models/vocabulary/error.h>

#include "tests/rtl/differences.h"
#include "tests/rtl/hooked_block.h"
#include "tests/support/lock_bench.h"

namespace fermata::rtl::test {

using fermata::test::LockAsk;
using fermata::test::lockAsk;
using fermata::test::LockBench;
using fermata::test::LockTold;
using fermata::test::LockTraffic;

namespace {

using BlockBench = LockBench<BlockLockUnit>;

std::unique_ptr<LockBlock> lockBlock(bool described, std::uint32_t locks) {
  return described ? makeLockBlock(locks) : modelLockBlock(locks);
}

/// 1024 locks in the model's block, with hooks.
struct HookedBench : BlockBench {
  HookedBench(HookedLock::Hooks hooks, Implementation how, LockWinner winner = LockWinner::Lowest)
      : BlockBench("mod 1024", 1024, winner,
                   std::make_unique<HookedLock>(modelLockBlock(1024), std::move(hooks)), how) {}
};

HookedLock::Hooks answering(std::function<LaneMask(const LockRequest&, LaneMask)> got) {
  HookedLock::Hooks hooks;
  hooks.answered = [got](const LockRequest& request, LockResponse& response) {
    response.got = got(request, response.got);
  };
  return hooks;
}

HookedLock::Hooks asking(std::function<void(LockRequest&)> asked) {
  HookedLock::Hooks hooks;
  hooks.asked = std::move(asked);
  return hooks;
}

LaneMask highestOf(LaneMask lanes) {
  return lanes == 0 ? 0 : 0x80000000U >> __builtin_clz(lanes);
}

/// Returns a request of lanes 1 and 2, whose words share a lock.
LockAsk aliased(LockStep step, Cycle arrival) {
  LockAsk ask = lockAsk(step, 6, arrival);
  ask.word[1] = 5;
  ask.word[2] = 5 + 1024;
  return ask;
}

void checkEqual(const LockTold& told, const LockTold& model) {
  BOOST_TEST_REQUIRE(told.left == model.left);
  BOOST_TEST(told.known == model.known);
  BOOST_TEST(told.end == model.end);
  BOOST_TEST(told.behind == model.behind);
  BOOST_TEST(told.passedOn == model.passedOn);
}

void checkEqual(const LockEvent& event, const LockEvent& model) {
  BOOST_TEST(event.tries == model.tries);
  BOOST_TEST(event.position == model.position);
  BOOST_TEST(event.alias == model.alias);
  BOOST_TEST(event.otherWarp == model.otherWarp);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(block_lock_unit)

BOOST_DATA_TEST_CASE(gives_the_locks_that_the_model_gives,
                     bdata::make({"mod 1", "mod 1024", "ami 1000", "fixed-xor digit=5"}) *
                         bdata::make({Implementation::Lockstep, Implementation::Rtl}) *
                         bdata::make(kDescribed),
                     mapping, how, described) {
  const std::string text = mapping;
  const std::uint32_t locks = text == "mod 1" ? 1 : text == "ami 1000" ? 1000 : 1024;
  LockBench<> model(text, locks, LockWinner::Lowest);
  BlockBench block(text, locks, LockWinner::Lowest, lockBlock(described, locks), how);
  LockTraffic traffic(locks, 1);
  unsigned refused = 0;
  unsigned got = 0;
  for (unsigned i = 0; i < 6000; ++i) {
    const LockAsk ask = traffic.next();
    const LockTold told = model.ask(ask);
    checkEqual(block.ask(ask), told);
    for (const Cycle at : {ask.arrival, endOf(ask) - 1, endOf(ask)})
      BOOST_TEST(block.taken(at) == model.taken(at));
    if (ask.step != LockStep::Read) continue;
    traffic.told(ask, told.left);
    checkEqual(block.log.events_.back(), model.log.events_.back());
    refused += laneCount(told.left);
    got += laneCount(told.behind);
  }
  BOOST_TEST(refused > 1000U);
  BOOST_TEST(got > 100U);
  BOOST_TEST(block.log.events_.size() == model.log.events_.size());
  while (const auto ask = traffic.giveBack()) checkEqual(block.ask(*ask), model.ask(*ask));
  BOOST_TEST(block.taken(traffic.now() + 10000) == 0U);
}

BOOST_AUTO_TEST_CASE(a_wrong_answer_is_told_with_cycle_lane_word_lock_and_both_answers) {
  const std::string where = "the RTL lock unit differs from the model in cycle 42, pc 7: lane ";
  const struct {
    const char* name;
    HookedLock::Hooks hooks;
    const char* text;
  } faults[] = {
      {"to all", answering([](const LockRequest& request, LaneMask) { return request.lock; }),
       "2, word 1029, lock 5: RTL taken; expected refused"},
      {"to none", answering([](const LockRequest&, LaneMask) { return 0U; }),
       "1, word 5, lock 5: RTL refused; expected taken"},
      {"to the highest",
       answering([](const LockRequest& request, LaneMask) { return highestOf(request.lock); }),
       "1, word 5, lock 5: RTL refused; expected taken"},
      {"another lock", asking([](LockRequest& request) { request.number[1] ^= 1; }),
       "2, word 1029, lock 5: RTL taken; expected refused"},
      {"a lane behind one that gets none unheard",
       asking([](LockRequest& request) { request.lock &= ~8U; }),
       "3, word 9, lock 9: RTL refused; expected taken"},
      {"a lane unheard", asking([](LockRequest& request) { request.lock &= ~2U; }),
       "1, word 5, lock 5: RTL refused; expected taken"},
  };
  std::vector<std::unique_ptr<BlockBench>> benches;
  for (const auto& fault : faults)
    benches.push_back(std::make_unique<HookedBench>(fault.hooks, Implementation::Lockstep));
  LockAsk read = aliased(LockStep::Read, 42);
  read.lanes |= 8;
  read.word[3] = 9;
  for (std::size_t i = 0; i < benches.size(); ++i) {
    BOOST_TEST_CONTEXT(faults[i].name) {
      const std::string text = differenceOf([&] { benches[i]->ask(read); });
      BOOST_TEST(text == where + faults[i].text);
    }
  }
}

BOOST_AUTO_TEST_CASE(rtl_that_ends_the_run_is_told_with_cycle_and_lanes) {
  HookedBench bench(asking([](LockRequest&) { throw RtlEnded("my.sv:3: $finish"); }),
                    Implementation::Rtl);
  BOOST_TEST(errorOf<RtlEnded>([&] { bench.ask(aliased(LockStep::Read, 42)); }) ==
             "the RTL of the lock unit ends the run in cycle 42: my.sv:3: $finish; "
             "asked for lane:lock 1:5 2:5");
}

// The fault shows in the first cycle in which the lock should be free again.
BOOST_AUTO_TEST_CASE(a_lock_that_is_not_given_back_is_found) {
  HookedBench bench(asking([](LockRequest& request) { request.unlock = 0; }),
                    Implementation::Lockstep);
  BOOST_TEST(bench.ask(aliased(LockStep::Read, 10)).behind == 2U);
  LockAsk write = aliased(LockStep::Write, 20);
  write.lanes = 2;
  const Cycle end = bench.ask(write).end;
  BOOST_TEST(end == 20 + fermata::test::kWriteLevel);
  BOOST_TEST(bench.ask(aliased(LockStep::Read, end - 1)).left == 6U);
  const std::string text = differenceOf([&] { bench.ask(aliased(LockStep::Read, end)); });
  BOOST_TEST(text ==
             "the RTL lock unit differs from the model in cycle 38, pc 7: lane 1, word 5, lock 5: "
             "RTL refused; expected taken");
}

// A lock given back can be taken from the next edge on: the adapter must not ask for both at once.
BOOST_AUTO_TEST_CASE(no_request_takes_and_gives_back) {
  unsigned takes = 0;
  unsigned returns = 0;
  const auto look = [&](LockRequest& request) {
    takes += request.lock != 0;
    returns += request.unlock != 0;
    BOOST_TEST((request.lock == 0 || request.unlock == 0));
    for (const std::uint32_t number : request.number) BOOST_TEST(number < 1024U);
  };
  HookedBench bench(asking(look), Implementation::Lockstep);
  LockTraffic traffic(9, 1);
  unsigned reads = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    const LockAsk ask = traffic.next();
    const LockTold told = bench.ask(ask);
    if (ask.step != LockStep::Read) continue;
    ++reads;
    traffic.told(ask, told.left);
  }
  BOOST_TEST(takes == reads);
  BOOST_TEST(returns > 100U);
}

// With the block alone nothing is compared: the lanes go on as the block answers.
BOOST_AUTO_TEST_CASE(the_block_alone_says_who_gets_a_lock) {
  HookedBench bench(
      answering([](const LockRequest& request, LaneMask) { return highestOf(request.lock); }),
      Implementation::Rtl);
  const LockTold told = bench.ask(aliased(LockStep::Read, 42));
  BOOST_TEST(told.behind == 4U);
  BOOST_TEST(told.left == 2U);
  BOOST_TEST(bench.taken(42) == 1U);
}

BOOST_DATA_TEST_CASE(another_winner_than_the_lowest_lane_is_refused,
                     bdata::make({Implementation::Lockstep, Implementation::Rtl}), how) {
  BOOST_CHECK_EXCEPTION(HookedBench({}, how, LockWinner::Highest), BadInput,
                        fermata::test::says("expected lock.winner = \"lowest\""));
}

BOOST_DATA_TEST_CASE(lanes_of_several_words_are_refused,
                     bdata::make({Implementation::Lockstep, Implementation::Rtl}), how) {
  HookedBench bench({}, how);
  LockAsk ask = lockAsk(LockStep::None, 1, 3);
  ask.wordsPerLane = 2;
  BOOST_TEST(bench.ask(ask).behind == 1U);  // the step takes no lock
  ask.step = LockStep::Read;
  BOOST_CHECK_EXCEPTION(
      bench.ask(ask), BadInput,
      fermata::test::says("a lane of pc 7 takes several", "expected atomics of 32 bits and less"));
  BOOST_TEST(bench.taken(3) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::rtl::test
