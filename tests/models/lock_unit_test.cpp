// The lock unit alone, against locks kept as the paper describes them.

#include "tests/support/lock_bench.h"

using namespace fermata;
using namespace fermata::test;

namespace {

/// Locks by number, as the paper describes them.
struct Locks {
  enum Cause { None, Position, Alias, OtherWarp };
  struct Lock {
    Cycle free = 0;                    ///< first cycle in which the lock is free
    unsigned read = 0;                 ///< read that took the lock last
    std::vector<std::uint32_t> words;  ///< words that it was taken for
  };
  std::map<std::uint32_t, Lock> all;
  unsigned reads = 0;

  static std::uint32_t lockOf(const std::string& mapping, std::uint32_t word) {
    if (mapping == "mod 1") return 0;
    if (mapping == "mod 1024") return word % 1024;
    if (mapping == "ami 1000") return word % 1000;
    const std::uint32_t bank = (word ^ word / 32) % 32;
    return bank + 32 * ((word / 32 ^ word / 1024) % 32);  // "fixed-xor digit=5"
  }
  Cause why(const std::string& mapping, std::uint32_t first, unsigned count, Cycle now) {
    for (std::uint32_t word = first; word < first + count; ++word) {
      const Lock& lock = all[lockOf(mapping, word)];
      if (lock.free <= now) continue;
      if (lock.read != reads) return OtherWarp;
      return std::count(lock.words.begin(), lock.words.end(), word) > 0 ? Position : Alias;
    }
    return None;
  }
  void take(const std::string& mapping, std::uint32_t first, unsigned count) {
    for (std::uint32_t word = first; word < first + count; ++word) {
      Lock& lock = all[lockOf(mapping, word)];
      if (lock.free != kNever || lock.read != reads) lock.words.clear();
      lock.free = kNever;
      lock.read = reads;
      lock.words.push_back(word);
    }
  }
  unsigned taken(Cycle now) const {
    unsigned count = 0;
    for (const auto& [number, lock] : all) count += lock.free > now ? 1 : 0;
    return count;
  }
};

struct Expected {
  LaneMask left = 0;
  std::uint64_t tries = 0, causes[4] = {};
};

Expected readOf(Locks& locks, const std::string& mapping, const LockAsk& ask, bool highest) {
  ++locks.reads;
  Expected expected;
  for (unsigned n = 0; n < kWarpLanes; ++n) {
    const unsigned lane = highest ? kWarpLanes - 1 - n : n;
    if ((ask.lanes >> lane & 1) == 0) continue;
    ++expected.tries;
    const Locks::Cause cause = locks.why(mapping, ask.word[lane], ask.wordsPerLane, ask.arrival);
    ++expected.causes[cause];
    if (cause == Locks::None) {
      locks.take(mapping, ask.word[lane], ask.wordsPerLane);
    } else {
      expected.left |= LaneMask{1} << lane;
    }
  }
  return expected;
}

/// Checks the outcomes that random warps get.
class Random {
 public:
  Random(std::string mapping, std::uint32_t locks, bool highest, unsigned seed)
      : mapping_(std::move(mapping)),
        highest_(highest),
        bench_(mapping_, locks, highest ? LockWinner::Highest : LockWinner::Lowest),
        traffic_(seed) {}

  void step() {
    const LockAsk ask = traffic_.next();
    switch (ask.step) {
      case LockStep::None:
        return pass(ask);
      case LockStep::Read:
        return read(ask);
      case LockStep::Write:
        return write(ask);
    }
  }
  std::uint64_t causes(Locks::Cause cause) const { return causes_[cause]; }
  void end() {
    while (const auto ask = traffic_.giveBack()) write(*ask);
    BOOST_TEST(bench_.taken(traffic_.now() + 10000) == 0U);
  }

 private:
  void read(const LockAsk& ask) {
    const Expected expected = readOf(locks_, mapping_, ask, highest_);
    const LockTold told = bench_.ask(ask);
    BOOST_TEST(told.left == expected.left);
    BOOST_TEST(told.behind == (ask.lanes & ~expected.left));
    BOOST_TEST(told.end == endOf(ask));
    if (told.behind != 0) BOOST_TEST(told.passedOn + kLockBehind == endOf(ask));
    if (told.left != 0 && told.behind != 0) BOOST_TEST(told.known == told.passedOn);
    BOOST_TEST_REQUIRE(bench_.log.events_.size() == locks_.reads);
    const LockEvent& event = bench_.log.events_.back();
    BOOST_TEST(event.pc == 7U);
    BOOST_TEST(event.program == 3U);
    BOOST_TEST(event.tries == expected.tries);
    BOOST_TEST(event.position == expected.causes[Locks::Position]);
    BOOST_TEST(event.alias == expected.causes[Locks::Alias]);
    BOOST_TEST(event.otherWarp == expected.causes[Locks::OtherWarp]);
    for (unsigned cause = 0; cause < 4; ++cause) causes_[cause] += expected.causes[cause];
    BOOST_TEST(bench_.taken(ask.arrival) == locks_.taken(ask.arrival));
    traffic_.told(ask, expected.left);
  }
  void write(const LockAsk& ask) {
    const LockTold told = bench_.ask(ask);
    BOOST_TEST(told.left == 0U);
    BOOST_TEST(told.behind == ask.lanes);
    BOOST_TEST(told.end == endOf(ask));
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((ask.lanes >> lane & 1) == 0) continue;
      for (unsigned k = 0; k < ask.wordsPerLane; ++k)
        locks_.all[Locks::lockOf(mapping_, ask.word[lane] + k)].free = endOf(ask);
    }
    for (const Cycle at : {ask.arrival, endOf(ask) - 1, endOf(ask)})
      BOOST_TEST(bench_.taken(at) == locks_.taken(at));
  }
  void pass(const LockAsk& ask) {
    const std::size_t events = bench_.log.events_.size();
    const LockTold told = bench_.ask(ask);
    BOOST_TEST(told.left == 0U);
    BOOST_TEST(told.behind == ask.lanes);
    BOOST_TEST(told.passedOn == ask.arrival);  // independent of its passes
    BOOST_TEST(told.end == ask.arrival + kLockBehind);
    BOOST_TEST(bench_.log.events_.size() == events);
    BOOST_TEST(bench_.taken(ask.arrival) == locks_.taken(ask.arrival));
  }

  std::string mapping_;
  bool highest_;
  LockBench<> bench_;
  LockTraffic traffic_;
  Locks locks_;
  std::uint64_t causes_[4] = {};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(lock_unit)

BOOST_DATA_TEST_CASE(random_warps,
                     bdata::make({"mod 1", "mod 1024", "ami 1000", "fixed-xor digit=5"}) *
                         bdata::make({false, true}),
                     mapping, highest) {
  const std::string text = mapping;
  const std::uint32_t locks = text == "mod 1" ? 1 : text == "ami 1000" ? 1000 : 1024;
  Random random(text, locks, highest, locks + (highest ? 1 : 0));
  for (unsigned i = 0; i < 6000; ++i) random.step();
  for (const Locks::Cause cause : {Locks::None, Locks::Position, Locks::Alias, Locks::OtherWarp})
    BOOST_TEST(random.causes(cause) > 100U, text << ", cause " << cause);
  random.end();
}

BOOST_DATA_TEST_CASE(of_lanes_on_one_word_one_wins, bdata::make({false, true}), highest) {
  LockBench<> bench("mod 1024", 1024, highest ? LockWinner::Highest : LockWinner::Lowest);
  const LaneMask lanes = 0x00f0f000;
  BOOST_TEST(bench.ask(lockAsk(LockStep::Read, lanes, 0)).behind ==
             (highest ? 1U << 23 : 1U << 12));
  BOOST_TEST(bench.taken(0) == 1U);
}

BOOST_AUTO_TEST_CASE(a_lock_is_held_until_its_write_ends) {
  LockBench<> bench("mod 1024", 1024, LockWinner::Lowest);
  BOOST_TEST(bench.ask(lockAsk(LockStep::Read, 1, 100)).left == 0U);
  for (const Cycle later : {101U, 5000U, 1000000U})
    BOOST_TEST(bench.ask(lockAsk(LockStep::Read, 2, later)).left == 2U);
  BOOST_TEST(bench.ask(lockAsk(LockStep::Write, 1, 1000001)).end == 1000001 + kWriteLevel);
  BOOST_TEST(bench.ask(lockAsk(LockStep::Read, 2, 1000000 + kWriteLevel)).left == 2U);
  BOOST_TEST(bench.ask(lockAsk(LockStep::Read, 2, 1000001 + kWriteLevel)).left == 0U);
}

// Lane 1 finds its second word's lock taken: it must not keep the first word's lock.
BOOST_AUTO_TEST_CASE(a_lane_of_64_bits_takes_both_locks_or_none) {
  LockBench<> bench("mod 1024", 1024, LockWinner::Lowest);
  LockAsk single = lockAsk(LockStep::Read, 1, 0);
  single.word[0] = 11;
  bench.ask(single);
  LockAsk wide = lockAsk(LockStep::Read, 6, 1);
  wide.wordsPerLane = 2;
  wide.word[1] = 10;
  wide.word[2] = 20;
  BOOST_TEST(bench.ask(wide).left == 2U);
  BOOST_TEST(bench.taken(1) == 3U);
  LockAsk first = lockAsk(LockStep::Read, 1, 2);
  first.word[0] = 10;
  BOOST_TEST(bench.ask(first).left == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
