// Each empty issue slot gets one cause, for any number of cycles skipped at once, and slots add up
// for any set of sources.
#include <fermata/models/core/issue_stage.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

struct Listener : Probe {
  std::array<std::uint64_t, kStallCauses> slots{};
  void stalled(StallCause cause, Cycle, Cycle, std::uint64_t count) override {
    slots[static_cast<unsigned>(cause)] += count;
  }
  std::uint64_t of(StallCause cause) const { return slots[static_cast<unsigned>(cause)]; }
  std::uint64_t all() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t s : slots) sum += s;
    return sum;
  }
};

/// Has an instruction from each of its cycles on; a resource blocks it until `blockedUntil`.
struct Source : IssueSource {
  std::vector<Cycle> ready;  ///< for one scheduler
  Cycle blockedUntil = 0;
  StallCause blocked = StallCause::Pipeline;
  std::vector<Cycle> lost;  ///< slots lost, as reported with each slot taken

  void add(Cycle at) {
    ready.push_back(at);
    std::sort(ready.begin(), ready.end());
    setWaiting(true);
  }
  bool issue(unsigned scheduler, Cycle now, Cycle lostSlots) override {
    if (scheduler != 0 || ready.empty() || ready.front() > now || now < blockedUntil) return false;
    ready.erase(ready.begin());
    setWaiting(!ready.empty());
    lost.push_back(lostSlots);
    return true;
  }
  IssueWait why(unsigned scheduler, Cycle from, Cycle) const override {
    if (scheduler != 0 || ready.empty()) return {};
    if (ready.front() > from) return {StallCause::Scoreboard, ready.front()};
    return {blocked};
  }
  Cycle next(Cycle from) const override {
    return ready.empty() ? kNever : std::max({from, ready.front(), blockedUntil});
  }
};

/// Runs from one useful cycle to the next, up to `end`.
void run(IssueStage& stage, Cycle end) {
  stage.start(0);
  for (Cycle now = stage.next(0); now < end; now = stage.next(now + 1)) {
    stage.settle(now);
    stage.cycle(now, 0);
  }
  stage.settle(end);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(issue_stage)

BOOST_AUTO_TEST_CASE(no_source_is_idle) {
  Listener listener;
  IssueStage stage(2, 1, &listener);
  run(stage, 10);
  BOOST_TEST(listener.of(StallCause::Idle) == 20U);
}

BOOST_AUTO_TEST_CASE(a_skipped_gap_is_split_where_the_operands_arrive) {
  Listener listener;
  IssueStage stage(1, 1, &listener);
  Source source;
  source.add(7);
  source.blockedUntil = 20;
  source.blocked = StallCause::MemoryPort;
  stage.add(source);
  run(stage, 21);
  BOOST_TEST(listener.of(StallCause::Scoreboard) == 7U);
  BOOST_TEST(listener.of(StallCause::MemoryPort) == 13U);
  BOOST_TEST(source.lost == std::vector<Cycle>{20});
}

BOOST_AUTO_TEST_CASE(slots_lost_are_counted_anew_after_each_slot_taken) {
  IssueStage stage(1, 1, nullptr);
  Source source;
  for (const Cycle at : {3, 3, 10}) source.add(at);
  stage.add(source);
  run(stage, 20);
  BOOST_TEST((source.lost == std::vector<Cycle>{3, 0, 5}));
}

BOOST_AUTO_TEST_CASE(the_first_source_has_the_first_choice) {
  IssueStage stage(1, 1, nullptr);
  Source first, second;
  first.add(5);
  second.add(4);
  second.add(5);
  stage.add(first);
  stage.add(second);
  stage.start(0);
  stage.settle(5);
  stage.cycle(5, 0);
  BOOST_TEST(first.ready.empty());
  BOOST_TEST(second.ready.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_resource_counts_before_operands) {
  Listener listener;
  IssueStage stage(1, 1, &listener);
  Source waits, blocked;
  waits.add(100);
  blocked.add(0);
  blocked.blockedUntil = 100;
  stage.add(waits);
  stage.add(blocked);
  stage.start(0);
  stage.settle(10);
  BOOST_TEST(listener.of(StallCause::Pipeline) == 10U);
  BOOST_TEST(listener.all() == 10U);
}

BOOST_AUTO_TEST_CASE(slots_add_up_with_any_sources) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    Listener listener;
    const unsigned schedulers = 1 + random() % 3;
    const unsigned width = 1 + random() % 3;
    IssueStage stage(schedulers, width, &listener);
    std::vector<Source> sources(random() % 4);
    for (Source& source : sources) {
      for (unsigned n = random() % 30; n > 0; --n) source.add(random() % 200);
      source.blockedUntil = random() % 250;
      stage.add(source);
    }
    run(stage, 300);
    std::uint64_t taken = 0;
    for (const Source& source : sources) taken += source.lost.size();
    BOOST_REQUIRE_EQUAL(taken + listener.all(), 300U * schedulers * width);
  }
}

/// Has an instruction for every scheduler in every cycle, but only one unit.
struct Shared : IssueSource {
  std::vector<unsigned> taken;  ///< schedulers, in order
  Cycle last = kNever;
  Shared() { setWaiting(true); }
  bool issue(unsigned scheduler, Cycle now, Cycle) override {
    if (now == last) return false;
    last = now;
    taken.push_back(scheduler);
    return true;
  }
  IssueWait why(unsigned, Cycle, Cycle) const override { return {StallCause::MemoryPort}; }
  Cycle next(Cycle from) const override { return from; }
};

BOOST_AUTO_TEST_CASE(the_scheduler_named_has_the_first_turn) {
  Listener listener;
  IssueStage stage(3, 1, &listener);
  Shared source;
  stage.add(source);
  stage.start(0);
  for (Cycle now = 0; now < 3; ++now) {
    stage.settle(now);
    stage.cycle(now, static_cast<unsigned>(2 - now));
  }
  const std::vector<unsigned> expected{2, 1, 0};
  BOOST_TEST(source.taken == expected, tt::per_element());
  BOOST_TEST(listener.of(StallCause::MemoryPort) == 6U);
}

BOOST_AUTO_TEST_SUITE_END()
