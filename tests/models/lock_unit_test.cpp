// The lock unit alone, against locks that are kept as their description says.
#include <fermata/models/indexing/families.h>
#include <fermata/models/memory/lock_unit.h>
#include <fermata/models/transaction/payload_pool.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>
#include <optional>
#include <random>
#include <vector>

namespace bdata = boost::unit_test::data;
using namespace fermata;

namespace {

const Clock kClock(sc_core::sc_time(1, sc_core::SC_NS));
constexpr unsigned kBehind = 14;
constexpr unsigned kReadLevel = 16;
constexpr unsigned kWriteLevel = 18;
constexpr std::uint32_t kWords = 12288;

/// What is behind the unit: takes its time, and writes down what it was asked.
struct Banks : sc_core::sc_module, WarpForward {
  WarpTargetSocket in{"in"};
  struct Asked {
    LaneMask lanes;
    Cycle at;
  };
  std::vector<Asked> asked;
  explicit Banks(const sc_core::sc_module_name& name) : sc_module(name) { in.bind(*this); }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                     sc_core::sc_time& delay) override {
    asked.push_back({warpAccess(payload).asked, kClock.cycles(delay)});
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += kClock.time(kBehind);
    return tlm::TLM_COMPLETED;
  }
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time& delay) override {
    delay += kClock.time(kBehind);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
};

struct Driver : sc_core::sc_module, WarpBackward {
  WarpInitiatorSocket out{"out"};
  explicit Driver(const sc_core::sc_module_name& name) : sc_module(name) { out.bind(*this); }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_core::sc_time&) override {
    BOOST_ERROR("called back");
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

struct Log : Probe {
  std::vector<LockEvent> events_;
  void locked(const LockEvent& event) override { events_.push_back(event); }
};

struct Ask {
  LockStep step = LockStep::Read;
  LaneMask lanes = 0;
  std::array<std::uint32_t, kWarpLanes> word{};  ///< first word of each lane
  unsigned wordsPerLane = 1;
  std::uint32_t passes = 1;
  Cycle sent = 0;
  Cycle arrival = 0;
};

struct Told {
  LaneMask left = 0;
  Cycle known = 0;  ///< when the outcome is known, or the data are there
  Cycle end = 0;    ///< when the data are there
  LaneMask behind = 0;
  Cycle passedOn = kNever;
};

/// A unit between a driver and banks, asked at times of the test's choice.
class Bench {
 public:
  Bench(const std::string& mapping, std::uint32_t locks, LockWinner winner)
      : unit_("unit", kClock, {winner, kReadLevel, kWriteLevel, kBehind},
              indexing::build(mapping, {locks, kWords}), &log) {
    driver_.out.bind(unit_.in);
    unit_.out.bind(banks_.in);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  Told ask(const Ask& ask) {
    tlm::tlm_generic_payload& payload = pool_.acquire();
    WarpAccess& access = fill(warpAccess(payload), ask);
    banks_.asked.clear();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = kClock.time(ask.arrival);
    const tlm::tlm_sync_enum status = driver_.out->nb_transport_fw(payload, phase, delay);
    Told told;
    told.known = told.end = kClock.cycles(delay);
    if (status == tlm::TLM_UPDATED) {
      BOOST_TEST((phase == TRY_OUTCOME));
      told.left = access.outcome.lanesLeft();
      BOOST_TEST(told.left == access.outcome.left[static_cast<unsigned>(LeftCause::Lock)]);
      told.end += access.outcome.data;
    } else {
      BOOST_TEST((status == tlm::TLM_COMPLETED));
      BOOST_TEST(access.outcome.lanesLeft() == 0U);
    }
    BOOST_TEST(banks_.asked.size() <= 1U);
    for (const Banks::Asked& one : banks_.asked) {
      told.behind = one.lanes;
      told.passedOn = one.at;
    }
    payload.release();
    return told;
  }
  unsigned taken(Cycle now) const { return unit_.taken(now); }

  Log log;

 private:
  WarpAccess& fill(WarpAccess& access, const Ask& ask) {
    access.instruction.pc = 7;
    access.instruction.lock = ask.step;
    access.instruction.active = access.asked = access.unserved = ask.lanes;
    access.instruction.operation =
        ask.step == LockStep::Write ? MemoryOperation::Store : MemoryOperation::Load;
    access.instruction.space = MemorySpace::Shared;
    access.instruction.bytesPerLane = static_cast<std::uint8_t>(4 * ask.wordsPerLane);
    access.instruction.takesOutcome = ask.step == LockStep::Read;
    access.program = 3;
    access.outcome = {};
    access.wordsPerLane = ask.wordsPerLane;
    access.passes = ask.passes;
    access.sent = ask.sent;
    for (unsigned k = 0; k < ask.wordsPerLane; ++k) {
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) access.word[k][lane] = ask.word[lane] + k;
    }
    return access;
  }

  PayloadPool pool_;
  LockUnit unit_;
  Driver driver_{"driver"};
  Banks banks_{"banks"};
};

/// Locks by number, as the paper says them.
struct Locks {
  enum Cause { None, Position, Alias, OtherWarp };
  struct Lock {
    Cycle free = 0;                    ///< first cycle in which it is
    unsigned read = 0;                 ///< that took it last
    std::vector<std::uint32_t> words;  ///< for which
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

Expected readOf(Locks& locks, const std::string& mapping, const Ask& ask, bool highest) {
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

Cycle endOf(const Ask& ask) {
  const Cycle level = ask.step == LockStep::Read ? kReadLevel : kWriteLevel;
  return std::max(ask.arrival + kBehind, ask.sent + level * ask.passes);
}

/// Warps that lock, write and do other things, at random.
class Random {
 public:
  Random(std::string mapping, std::uint32_t locks, bool highest, unsigned seed)
      : mapping_(std::move(mapping)),
        highest_(highest),
        bench_(mapping_, locks, highest ? LockWinner::Highest : LockWinner::Lowest),
        random_(seed) {}

  void step() {
    now_ += random_() % 12;
    std::optional<Ask>& warp = warps_[random_() % warps_.size()];
    if (random_() % 4 == 0) return pass();
    if (!warp) return read(warp);
    if (random_() % 2 == 0) return write(warp);
  }
  std::uint64_t causes(Locks::Cause cause) const { return causes_[cause]; }
  void end() {
    for (std::optional<Ask>& warp : warps_) {
      while (warp) write(warp);
    }
    BOOST_TEST(bench_.taken(now_ + 10000) == 0U);
  }

 private:
  Ask choose() {
    Ask ask;
    ask.lanes = random_() | 1U << random_() % kWarpLanes;
    ask.wordsPerLane = random_() % 3 == 0 ? 2 : 1;
    ask.passes = 1 + random_() % 4;
    // Where locks alias: 1057 is a digit of each in the lock's hash.
    const std::uint32_t steps[] = {1000, 1024, 1057,
                                   1 + static_cast<std::uint32_t>(random_() % 40)};
    const std::uint32_t step = steps[random_() % 4];
    for (std::uint32_t& word : ask.word)
      word = random_() % 12 * step / ask.wordsPerLane * ask.wordsPerLane;
    time(ask);
    return ask;
  }
  void time(Ask& ask) {
    ask.arrival = now_;
    ask.sent = now_ - std::min<Cycle>(now_, random_() % 4);
  }
  void read(std::optional<Ask>& warp) {
    Ask ask = choose();
    const Expected expected = readOf(locks_, mapping_, ask, highest_);
    const Told told = bench_.ask(ask);
    BOOST_TEST(told.left == expected.left);
    BOOST_TEST(told.behind == (ask.lanes & ~expected.left));
    BOOST_TEST(told.end == endOf(ask));
    if (told.behind != 0) BOOST_TEST(told.passedOn + kBehind == endOf(ask));
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
    BOOST_TEST(bench_.taken(now_) == locks_.taken(now_));
    ask.lanes &= ~expected.left;
    if (ask.lanes != 0) warp = ask;
  }
  /// All lanes at once, or some now and the others later, as a path that leaves lanes does.
  void write(std::optional<Ask>& warp) {
    Ask ask = *warp;
    ask.step = LockStep::Write;
    if (const LaneMask some = ask.lanes & random_(); some != 0) ask.lanes = some;
    time(ask);
    const Told told = bench_.ask(ask);
    BOOST_TEST(told.left == 0U);
    BOOST_TEST(told.behind == ask.lanes);
    BOOST_TEST(told.end == endOf(ask));
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((ask.lanes >> lane & 1) == 0) continue;
      for (unsigned k = 0; k < ask.wordsPerLane; ++k)
        locks_.all[Locks::lockOf(mapping_, ask.word[lane] + k)].free = endOf(ask);
    }
    for (const Cycle at : {now_, endOf(ask) - 1, endOf(ask)})
      BOOST_TEST(bench_.taken(at) == locks_.taken(at));
    warp->lanes &= ~ask.lanes;
    if (warp->lanes == 0) warp.reset();
  }
  void pass() {
    Ask ask = choose();
    ask.step = LockStep::None;
    const std::size_t events = bench_.log.events_.size();
    const Told told = bench_.ask(ask);
    BOOST_TEST(told.left == 0U);
    BOOST_TEST(told.behind == ask.lanes);
    BOOST_TEST(told.passedOn == ask.arrival);  // however many passes it takes
    BOOST_TEST(told.end == ask.arrival + kBehind);
    BOOST_TEST(bench_.log.events_.size() == events);
    BOOST_TEST(bench_.taken(now_) == locks_.taken(now_));
  }

  std::string mapping_;
  bool highest_;
  Bench bench_;
  std::mt19937 random_;
  Locks locks_;
  std::array<std::optional<Ask>, 5> warps_;  ///< what each has locked
  Cycle now_ = 0;
  std::uint64_t causes_[4] = {};
};

Ask one(LockStep step, LaneMask lanes, Cycle arrival) {
  Ask ask;
  ask.step = step;
  ask.lanes = lanes;
  ask.arrival = ask.sent = arrival;
  return ask;
}

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
  Bench bench("mod 1024", 1024, highest ? LockWinner::Highest : LockWinner::Lowest);
  const LaneMask lanes = 0x00f0f000;
  BOOST_TEST(bench.ask(one(LockStep::Read, lanes, 0)).behind == (highest ? 1U << 23 : 1U << 12));
  BOOST_TEST(bench.taken(0) == 1U);
}

BOOST_AUTO_TEST_CASE(a_lock_is_held_until_its_write_ends) {
  Bench bench("mod 1024", 1024, LockWinner::Lowest);
  BOOST_TEST(bench.ask(one(LockStep::Read, 1, 100)).left == 0U);
  for (const Cycle later : {101U, 5000U, 1000000U})
    BOOST_TEST(bench.ask(one(LockStep::Read, 2, later)).left == 2U);
  BOOST_TEST(bench.ask(one(LockStep::Write, 1, 1000001)).end == 1000001 + kWriteLevel);
  BOOST_TEST(bench.ask(one(LockStep::Read, 2, 1000000 + kWriteLevel)).left == 2U);
  BOOST_TEST(bench.ask(one(LockStep::Read, 2, 1000001 + kWriteLevel)).left == 0U);
}

// Lane 1 finds its second word's lock taken: it must not keep its first one's.
BOOST_AUTO_TEST_CASE(a_lane_of_64_bits_takes_both_locks_or_none) {
  Bench bench("mod 1024", 1024, LockWinner::Lowest);
  Ask single = one(LockStep::Read, 1, 0);
  single.word[0] = 11;
  bench.ask(single);
  Ask wide = one(LockStep::Read, 6, 1);
  wide.wordsPerLane = 2;
  wide.word[1] = 10;
  wide.word[2] = 20;
  BOOST_TEST(bench.ask(wide).left == 2U);
  BOOST_TEST(bench.taken(1) == 3U);
  Ask first = one(LockStep::Read, 1, 2);
  first.word[0] = 10;
  BOOST_TEST(bench.ask(first).left == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
