// The way from the schedulers to the memory port, against issue cycles measured on a GA102, and the
// registers that accesses on this way still read.
#include <fermata/models/core/held_sources.h>
#include <fermata/models/core/subcore_queues.h>
#include <fermata/models/transaction/warp_access.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

using Cycles = std::vector<Cycle>;

const SubcoreParameters kGa102{5, 10, 4, 0, 2, 0, 0, 0, 0};
const SubcoreParameters kH100{8, 3, 2, 2, 1, 0, 0, 0, 0};

/// Lets schedulers issue accesses that read `registers` as fast as their queues take them, from
/// cycle 2 on. Returns the issue cycles by scheduler.
std::vector<Cycles> issues(const SubcoreParameters& parameters, unsigned schedulers, Cycle until,
                           unsigned registers = 1) {
  SubcoreQueues queues(parameters, 4);
  std::vector<Cycles> out(schedulers);
  WarpAccess access;
  for (Cycle now = 2; now < until; ++now) {
    for (unsigned s = 0; s < schedulers; ++s) {
      if (queues.full(s)) continue;
      queues.push(s, access, registers, now);
      out[s].push_back(now);
    }
    queues.grant(now, [](const WarpAccess&) { return true; });
  }
  return out;
}

Cycles first(const Cycles& all, std::size_t count) {
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subcore_queues)

BOOST_AUTO_TEST_CASE(none_is_not_used) {
  BOOST_TEST(!SubcoreQueues({}, 4).used());
  BOOST_TEST(SubcoreQueues(kGa102, 4).used());
}

// Huerta et al., MICRO 2025, table 1.
BOOST_AUTO_TEST_CASE(one_scheduler_issues_as_on_a_ga102) {
  const Cycles measured{2, 3, 4, 5, 6, 13, 17, 21};
  BOOST_TEST(first(issues(kGa102, 1, 60)[0], 8) == measured, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(four_schedulers_issue_as_on_a_ga102) {
  const std::vector<Cycles> all = issues(kGa102, 4, 60);
  for (unsigned s = 0; s < 4; ++s) {
    const Cycles measured{2, 3, 4, 5, 6, 13 + 2 * s, 21 + 2 * s};
    BOOST_TEST(first(all[s], 7) == measured, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(the_steady_interval_is_that_of_a_ga102) {
  const unsigned measured[] = {4, 4, 6, 8};
  for (unsigned schedulers = 1; schedulers <= 4; ++schedulers) {
    for (const Cycles& one : issues(kGa102, schedulers, 1000)) {
      for (std::size_t i = one.size() - 50; i < one.size(); ++i)
        BOOST_TEST(one[i] - one[i - 1] == measured[schedulers - 1]);
    }
  }
}

// Measured for this project, by registers read: accesses that issue back to back, and the interval
// later. results/silicon/bursts.csv and intervals.csv.
struct Burst {
  unsigned registers;
  std::size_t atOnce;  ///< 1: not measured
  Cycle interval;
};
std::ostream& operator<<(std::ostream& out, const Burst& burst) {
  return out << burst.registers << " registers";
}
const Burst kBursts[] = {{1, 13, 2}, {2, 10, 4}, {3, 1, 6}, {5, 1, 10}};

BOOST_DATA_TEST_CASE(one_scheduler_issues_as_on_an_h100, bdata::make(kBursts), burst) {
  const Cycles issued = issues(kH100, 1, 300, burst.registers)[0];
  for (std::size_t i = 1; i < burst.atOnce; ++i) BOOST_TEST(issued[i] - issued[i - 1] == 1U);
  for (std::size_t i = 14; i < 25; ++i) BOOST_TEST(issued[i] - issued[i - 1] == burst.interval);
}

// No queue is passed over more than once for each of the others, whatever the load.
BOOST_AUTO_TEST_CASE(queues_take_turns) {
  std::mt19937_64 random(11);
  for (unsigned round = 0; round < 200; ++round) {
    const SubcoreParameters parameters{1 + static_cast<unsigned>(random() % 6),
                                       1 + static_cast<unsigned>(random() % 12),
                                       1 + static_cast<unsigned>(random() % 5),
                                       static_cast<unsigned>(random() % 3),
                                       1 + static_cast<unsigned>(random() % 4),
                                       0,
                                       0,
                                       0,
                                       0};
    SubcoreQueues queues(parameters, 4);
    std::array<WarpAccess, 4> ofScheduler;
    std::array<std::vector<Cycle>, 4> ready;  // by scheduler: addresses of what waits, oldest first
    std::array<unsigned, 4> passedOver{}, interval{};
    for (Cycle now = 0; now < 300; ++now) {
      for (unsigned s = 0; s < 4; ++s) {
        if (queues.full(s) || random() % 3 == 0) continue;
        const auto registers = static_cast<unsigned>(1 + random() % 5);
        const Cycle at = queues.push(s, ofScheduler[s], registers, now);
        BOOST_REQUIRE(at >= now + parameters.latency);
        BOOST_REQUIRE((ready[s].empty() || at >= ready[s].back() + interval[s]));
        interval[s] = std::max(parameters.addressInterval, parameters.registerInterval * registers);
        ready[s].push_back(at);
      }
      const Cycle next = queues.next(now, [](const WarpAccess&, Cycle at) { return at; });
      const WarpAccess* sent = queues.grant(now, [](const WarpAccess&) { return true; });
      BOOST_REQUIRE((next == now) == (sent != nullptr));
      if (sent == nullptr) continue;
      const auto s = static_cast<unsigned>(sent - ofScheduler.data());
      BOOST_REQUIRE(ready[s].front() <= now);
      ready[s].erase(ready[s].begin());
      passedOver[s] = 0;
      for (unsigned other = 0; other < 4; ++other) {
        const bool waits = other != s && !ready[other].empty() && ready[other].front() <= now;
        passedOver[other] = waits ? passedOver[other] + 1 : 0;
        BOOST_REQUIRE(passedOver[other] <= 3);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_access_that_may_not_go_holds_up_its_own_queue_only) {
  SubcoreQueues queues(kGa102, 2);
  std::array<WarpAccess, 3> accesses;
  queues.push(0, accesses[0], 1, 0);
  queues.push(0, accesses[1], 1, 1);
  queues.push(1, accesses[2], 1, 5);
  const auto notTheFirst = [&](const WarpAccess& one) { return &one != &accesses[0]; };
  BOOST_TEST(queues.grant(14, notTheFirst) == nullptr);
  BOOST_TEST(queues.grant(15, notTheFirst) == &accesses[2]);
  const auto any = [](const WarpAccess&) { return true; };
  BOOST_TEST(queues.grant(16, any) == nullptr);  // the port takes one every two cycles
  BOOST_TEST(queues.grant(17, any) == &accesses[0]);
  BOOST_TEST(queues.earliest() == 19U);
  BOOST_TEST(queues.grant(19, any) == &accesses[1]);
  BOOST_TEST(queues.earliest() == kNever);
}

BOOST_AUTO_TEST_CASE(held_sources_delay_writes_of_their_warp_alone) {
  HeldSources sources;
  sources.configure(2, 8);
  StaticInstruction load;
  load.readCount = 2;
  load.reads = {3, 5};
  sources.hold(1, load, 20);
  StaticInstruction next;
  next.writeCount = 1;
  for (RegisterId r = 0; r < 8; ++r) {
    next.writes[0] = r;
    BOOST_TEST(sources.free(1, next, 10) == (r == 3 || r == 5 ? 20U : 10U));
    BOOST_TEST(sources.free(0, next, 10) == 10U);
    BOOST_TEST(sources.free(1, next, 25) == 25U);
  }
  sources.hold(1, load, 15);  // does not end an earlier hold
  next.writes[0] = 3;
  BOOST_TEST(sources.free(1, next, 0) == 20U);
}

BOOST_AUTO_TEST_SUITE_END()
