// A lock unit between a driver and banks, asked at times that the test chooses, and a random stream
// of warps that ask it.
#pragma once

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/memory/lock_unit.h>
#include <fermata/models/transaction/payload_pool.h>

#include "tests/support/test.h"

namespace fermata::test {

inline const Clock kLockClock(sc_core::sc_time(1, sc_core::SC_NS));
inline constexpr unsigned kLockBehind = 14;
inline constexpr unsigned kReadLevel = 16;
inline constexpr unsigned kWriteLevel = 18;
inline constexpr std::uint32_t kLockWords = 12288;

/// Target behind the unit: takes its time and records each request.
struct LockBanks : sc_core::sc_module, WarpForward {
  WarpTargetSocket in{"in"};
  struct Asked {
    LaneMask lanes;
    Cycle at;
  };
  std::vector<Asked> asked;
  explicit LockBanks(const sc_core::sc_module_name& name) : sc_module(name) { in.bind(*this); }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                     sc_core::sc_time& delay) override {
    asked.push_back({warpAccess(payload).asked, kLockClock.cycles(delay)});
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += kLockClock.time(kLockBehind);
    return tlm::TLM_COMPLETED;
  }
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time& delay) override {
    delay += kLockClock.time(kLockBehind);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
};

struct LockDriver : sc_core::sc_module, WarpBackward {
  WarpInitiatorSocket out{"out"};
  explicit LockDriver(const sc_core::sc_module_name& name) : sc_module(name) { out.bind(*this); }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_core::sc_time&) override {
    BOOST_ERROR("called back");
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

struct LockLog : Probe {
  std::vector<LockEvent> events_;
  void locked(const LockEvent& event) override { events_.push_back(event); }
};

struct LockAsk {
  LockStep step = LockStep::Read;
  LaneMask lanes = 0;
  std::array<std::uint32_t, kWarpLanes> word{};  ///< first word of each lane
  unsigned wordsPerLane = 1;
  std::uint32_t passes = 1;
  Cycle sent = 0;
  Cycle arrival = 0;
};

struct LockTold {
  LaneMask left = 0;
  /// Cycle in which the outcome is known or the data have arrived.
  Cycle known = 0;
  Cycle end = 0;  ///< cycle in which the data have arrived
  LaneMask behind = 0;
  Cycle passedOn = kNever;
};

/// Returns the cycle in which the data of a forwarded request arrive.
inline Cycle endOf(const LockAsk& ask) {
  const Cycle level = ask.step == LockStep::Read ? kReadLevel : kWriteLevel;
  return std::max(ask.arrival + kLockBehind, ask.sent + level * ask.passes);
}

/// Bench of a LockUnit or a class derived from it. Make all benches of a process before the first
/// ask.
template <class Unit = LockUnit>
class LockBench {
 public:
  /// `more`: constructor arguments of the unit after the probe.
  template <class... More>
  LockBench(const std::string& mapping, std::uint32_t locks, LockWinner winner, More&&... more)
      : unit_(sc_core::sc_gen_unique_name("unit"), kLockClock,
              {winner, kReadLevel, kWriteLevel, kLockBehind},
              indexing::build(mapping, {locks, kLockWords}), &log, std::forward<More>(more)...) {
    driver_.out.bind(unit_.in);
    unit_.out.bind(banks_.in);
  }

  LockTold ask(const LockAsk& ask) {
    if (sc_core::sc_get_status() < sc_core::SC_START_OF_SIMULATION)
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
    tlm::tlm_generic_payload& payload = pool_.acquire();
    WarpAccess& access = fill(warpAccess(payload), ask);
    banks_.asked.clear();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = kLockClock.time(ask.arrival);
    const tlm::tlm_sync_enum status = driver_.out->nb_transport_fw(payload, phase, delay);
    LockTold told;
    told.known = told.end = kLockClock.cycles(delay);
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
    for (const LockBanks::Asked& one : banks_.asked) {
      told.behind = one.lanes;
      told.passedOn = one.at;
    }
    payload.release();
    return told;
  }
  unsigned taken(Cycle now) const { return unit_.taken(now); }

  LockLog log;

 private:
  WarpAccess& fill(WarpAccess& access, const LockAsk& ask) {
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
  Unit unit_;
  LockDriver driver_{sc_core::sc_gen_unique_name("driver")};
  LockBanks banks_{sc_core::sc_gen_unique_name("banks")};
};

/// Random warps that lock, write and do other things.
class LockTraffic {
 public:
  /// `most`: limit of words per lane, 1 or 2.
  explicit LockTraffic(unsigned seed, unsigned most = 2) : random_(seed), most_(most) {}

  /// Returns the next request; arrivals rise.
  LockAsk next() {
    for (;;) {
      now_ += random_() % 12;
      holder_ = random_() % warps_.size();
      if (random_() % 4 == 0) return choose(LockStep::None);
      if (!warps_[holder_]) return choose(LockStep::Read);
      if (random_() % 2 == 0) return write();
    }
  }
  /// Reports the outcome of the read that next() gave last.
  void told(const LockAsk& read, LaneMask left) {
    LockAsk held = read;
    held.lanes &= ~left;
    if (held.lanes != 0) warps_[holder_] = held;
  }
  /// Returns the next write that gives locks back, or nothing if none are held.
  std::optional<LockAsk> giveBack() {
    for (holder_ = 0; holder_ < warps_.size(); ++holder_) {
      if (warps_[holder_]) return write();
    }
    return std::nullopt;
  }
  Cycle now() const { return now_; }

 private:
  LockAsk choose(LockStep step) {
    LockAsk ask;
    ask.step = step;
    ask.lanes = static_cast<LaneMask>(random_()) | 1U << random_() % kWarpLanes;
    ask.wordsPerLane = random_() % 3 == 0 ? most_ : 1;
    ask.passes = 1 + random_() % 4;
    // Strides at which locks alias. 1057 puts one digit into each operand of "fixed-xor digit=5".
    const std::uint32_t steps[] = {1000, 1024, 1057,
                                   1 + static_cast<std::uint32_t>(random_() % 40)};
    const std::uint32_t stride = steps[random_() % 4];
    for (std::uint32_t& word : ask.word)
      word = random_() % 12 * stride / ask.wordsPerLane * ask.wordsPerLane;
    time(ask);
    return ask;
  }
  /// Returns a write of all lanes, or of some now and the others later, as behind a path that
  /// leaves lanes.
  LockAsk write() {
    std::optional<LockAsk>& warp = warps_[holder_];
    LockAsk ask = *warp;
    ask.step = LockStep::Write;
    if (const LaneMask some = ask.lanes & random_(); some != 0) ask.lanes = some;
    time(ask);
    warp->lanes &= ~ask.lanes;
    if (warp->lanes == 0) warp.reset();
    return ask;
  }
  void time(LockAsk& ask) {
    ask.arrival = now_;
    ask.sent = now_ - std::min<Cycle>(now_, random_() % 4);
  }

  std::mt19937 random_;
  unsigned most_;
  std::array<std::optional<LockAsk>, 5> warps_;  ///< read of each warp whose locks it holds
  std::size_t holder_ = 0;
  Cycle now_ = 0;
};

inline LockAsk lockAsk(LockStep step, LaneMask lanes, Cycle arrival) {
  LockAsk ask;
  ask.step = step;
  ask.lanes = lanes;
  ask.arrival = ask.sent = arrival;
  return ask;
}

}  // namespace fermata::test
