// The channel of the DRAM, which computes its commands only when asked, against a reference that
// plays every cycle.

#include "tests/models/dram_reference.h"
#include "tests/support/test.h"

using namespace fermata;
using Served = DramChannel::Served;

namespace {

struct Arrival {
  Cycle at;
  DramAccess access;
};

/// Traffic in bursts, with recurring rows and a share of writes.
class Traffic {
 public:
  Traffic(unsigned seed, unsigned banks) : random_(seed), banks_(banks) {
    rows_ = 1 + below(6);
    writes_ = below(5);
    gap_ = 1 + below(40);
  }
  Arrival next() {
    if (below(16) == 0) time_ += below(400);
    if (below(3) == 0) time_ += below(gap_);
    DramAccess access;
    access.bank = below(3) == 0 ? 0 : below(banks_);
    access.row = below(rows_);
    access.bursts = 1 + below(4);
    access.write = below(8) < writes_;
    access.owner = count_++;
    return {time_, access};
  }
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

 private:
  std::mt19937 random_;
  unsigned banks_;
  unsigned rows_;
  unsigned writes_;
  unsigned gap_;
  Cycle time_ = 0;
  std::uint32_t count_ = 0;
};

DramChannel::Parameters parametersOf(unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](unsigned least, unsigned most) {
    return static_cast<unsigned>(least + random() % (most - least + 1));
  };
  DramChannel::Parameters p{16, 4, 64, 1024, {}};
  if (seed % 4 == 0) return p;
  p.banks = 1U << between(0, 4);
  p.bankGroups = std::min(p.banks, 1U << between(0, 2));
  p.queue = between(1, 24);
  p.patience = between(1, 300);
  if (seed % 4 == 1) return p;
  DramTiming& t = p.timing;
  t.ccd = between(1, 4);
  t.ccdl = t.ccd + between(0, 3);
  t.rrd = between(0, 9);
  t.rcd = between(0, 15);
  t.ras = between(0, 30);
  t.rp = between(0, 15);
  t.rc = t.ras + between(0, 20);
  t.cl = between(0, 15);
  t.wl = between(0, 15);
  t.cdlr = between(0, 8);
  t.wr = between(0, 15);
  t.rtp = between(0, 6);
  t.turnaround = between(0, 4);
  t.faw = between(0, 60);
  t.rfc = between(0, 100);
  t.ccdr = between(0, 6);
  if (seed % 4 == 2) t.refi = t.leastRefi() + between(0, 500);
  p.refreshBanks = p.banks >> between(0, 4);
  p.stackIds = std::min(p.banks / p.bankGroups, 1U << between(0, 2));
  return p;
}

/// Plays the traffic. An access that finds the queue full comes in the cycle after a place is free.
std::vector<Served> play(unsigned seed, unsigned accesses) {
  const DramChannel::Parameters p = parametersOf(seed);
  test::ReferenceChannel channel(p);
  Traffic traffic(seed, p.banks);
  std::vector<Served> served;
  Arrival arrival = traffic.next();
  unsigned added = 0;
  for (Cycle now = 0; served.size() < accesses; ++now) {
    while (added < accesses && arrival.at <= now && !channel.full()) {
      channel.add(arrival.access, now);
      arrival = traffic.next();
      ++added;
    }
    channel.tick(now, served);
    BOOST_REQUIRE(now < 10000000);
  }
  return served;
}

/// Plays the traffic, but asks only when an access comes and at random times.
std::vector<Served> compute(unsigned seed, unsigned accesses) {
  const DramChannel::Parameters p = parametersOf(seed);
  DramChannel channel(p);
  Traffic traffic(seed, p.banks);
  std::mt19937 asks(seed);
  std::vector<Served> served;
  Cycle now = 0;
  for (unsigned i = 0; i < accesses; ++i) {
    const Arrival arrival = traffic.next();
    if (asks() % 4 == 0 && arrival.at > now) channel.run(now + asks() % (arrival.at - now), served);
    now = std::max(now, arrival.at);
    channel.run(now, served);
    while (channel.full()) {
      now = channel.nextServed() + 1;
      channel.run(now, served);
    }
    channel.add(arrival.access, now);
  }
  while (!channel.empty()) {
    now += 1 + asks() % 100;
    channel.run(now, served);
  }
  return served;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dram_channel)

BOOST_DATA_TEST_CASE(computes_what_a_referee_plays, bdata::xrange(1, 61), seed) {
  const unsigned accesses = 2000;
  const std::vector<Served> expected = play(static_cast<unsigned>(seed), accesses);
  const std::vector<Served> served = compute(static_cast<unsigned>(seed), accesses);
  BOOST_REQUIRE_EQUAL(served.size(), expected.size());
  for (std::size_t i = 0; i < served.size(); ++i) {
    BOOST_TEST_CONTEXT("access " << i) {
      BOOST_REQUIRE_EQUAL(served[i].access.owner, expected[i].access.owner);
      BOOST_REQUIRE_EQUAL(served[i].end, expected[i].end);
      BOOST_REQUIRE_EQUAL(served[i].rowHit, expected[i].rowHit);
    }
  }
}

// Refreshes that nobody sees cost no time: there are 10^12 before the third access.
BOOST_AUTO_TEST_CASE(refreshes_of_an_idle_channel_are_skipped) {
  DramChannel::Parameters p{16, 4, 64, 1024, {}};
  p.timing.refi = 1000;
  p.timing.rfc = 100;
  p.start = 7;
  DramChannel channel(p);
  std::vector<Served> served;
  const auto readIn = [&](Cycle at) {
    channel.run(at, served);
    channel.add({0, 0, 1, false, 0}, at);
    channel.run(at + 500, served);
    return served.back().end - at;
  };
  const Cycle late = 1000'000'000'000'000;
  BOOST_TEST(readIn(10) == 26U);
  BOOST_TEST(readIn(600) == 14U);                         // the row is open
  BOOST_TEST(readIn(late + 500) == 26U);                  // it was closed
  BOOST_TEST(readIn(late + 1000 + 7) == 12 + 100 + 26U);  // PRE and the refresh go first
  BOOST_TEST(readIn(late + 2000 + 57) == 12 + 50 + 26U);  // half of it is over
  BOOST_TEST(readIn(late + 3000 + 6) == 14U);             // just before the next
}

// Bank b is due in cycle 250 (4 - b), and every 1000.
BOOST_AUTO_TEST_CASE(banks_are_refreshed_in_turn) {
  DramChannel::Parameters p{4, 1, 64, 1024, {}};
  p.timing.refi = 1000;
  p.timing.rfc = 100;
  p.refreshBanks = 1;
  DramChannel channel(p);
  std::vector<Served> served;
  const auto readIn = [&](Cycle at, unsigned bank) {
    channel.run(at, served);
    channel.add({bank, 0, 1, false, 0}, at);
    channel.run(at + 200, served);
    return served.back().end - at;
  };
  const Cycle late = 1000'000'000'000'000;
  BOOST_TEST(readIn(100, 0) == 26U);
  BOOST_TEST(readIn(late + 200, 2) == 26U);
  BOOST_TEST(readIn(late + 505, 2) == 12 - 5 + 100 + 26U);
  BOOST_TEST(readIn(late + 755, 2) == 14U);
  BOOST_TEST(readIn(late + 1010, 0) == 90 + 26U);
}

// Commands as far apart as the longest times allow: a read waits for a write.
BOOST_DATA_TEST_CASE(computes_the_longest_times, bdata::make({2U, 4U, 64U}), banks) {
  constexpr unsigned m = 1000000;
  DramChannel channel({banks, 2, 4, 1000 * m, {m, m, m, m, m, m, m, m, m, m, m, m, m}});
  std::vector<Served> served;
  channel.add({0, 0, 1, true, 0}, 0);
  channel.add({1, 0, 1, false, 1}, 0);
  channel.run(100 * m, served);
  BOOST_REQUIRE_EQUAL(served.size(), 2U);
  BOOST_TEST(served[0].access.owner == 0U);
  BOOST_TEST(served[0].end == 3 * m);  // activate at 0, column at m, m to its data and m of data
  BOOST_TEST(served[1].access.owner == 1U);
  BOOST_TEST(served[1].end == 6 * m);  // column m after those data: at 4 m
}

BOOST_AUTO_TEST_SUITE_END()
