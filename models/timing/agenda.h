// The order of the model's actions within one instant. SystemC chooses the order in which the
// processes of an instant run, and a process outside the model can change that order. The modules
// here therefore share one process, the agenda. They set alarms, and the agenda rings the alarms
// of an instant in an order that depends on the model alone.
//
//   1. Other processes of the simulation go first: an alarm rings when nothing else is pending at
//      the current time (a foreign memory has then answered).
//   2. Alarms of one time ring by their Turn: memory first, clocks last.
//   3. Alarms of one time and one Turn ring in the order in which they were made.
#pragma once

#include <fermata/models/timing/has_process.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

namespace fermata {

/// Order of alarms within one instant: answers come up from memory before the cores act on them.
enum class Turn : std::uint8_t { Memory, L2, Interconnect, L1, Clock };

class Agenda;

/// Calls back at a time that its owner sets. Construct alarms before the simulation starts, as
/// modules are.
class Alarm {
 public:
  Alarm(Turn turn, std::function<void()> ring);
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  /// Makes the alarm ring at `at`, or now if `at` has passed. An alarm that is set for an earlier
  /// time keeps that time.
  void set(const sc_core::sc_time& at);
  /// Takes back set(): the alarm does not ring.
  void cancel();

 private:
  friend Agenda;
  using Ticks = sc_core::sc_time::value_type;
  static constexpr Ticks kUnset = ~Ticks{0};

  std::shared_ptr<Agenda> agenda_;
  std::function<void()> ring_;
  std::uint64_t order_;  ///< rank among alarms of one time: by turn, then by order of construction
  Ticks at_ = kUnset;
};

class Agenda : public sc_core::sc_module {
 public:
  using Ticks = sc_core::sc_time::value_type;

  FERMATA_HAS_PROCESS(Agenda);
  /// Returns the agenda of the simulation. The first call constructs it; it ends with its last
  /// holder.
  static std::shared_ptr<Agenda> ofSimulation();

  explicit Agenda(const sc_core::sc_module_name& name);

  /// Returns the time from now until some process of the simulation or some alarm can act next. The
  /// alarm that is ringing does not count.
  sc_core::sc_time untilNext();
  /// True if nothing but the alarm that is ringing can act up to and including `at`. `now`: the
  /// current time.
  bool quietUntil(Ticks at, Ticks now) const {
    if (next_ != nullptr && next_->at_ <= at) return false;
    return at - now < sc_core::sc_time_to_pending_activity().value();
  }

 private:
  friend Alarm;

  void add(Alarm& alarm);
  void remove(const Alarm& alarm);
  void wasSet(Alarm& alarm);
  void findNext();
  void ringDue();
  void notify();

  std::vector<Alarm*> alarms_;  ///< in rising order
  Alarm* next_ = nullptr;       ///< rings first; null: none is set
  std::uint64_t made_ = 0;      ///< alarms constructed so far
  bool ringing_ = false;
  Ticks notified_ = Alarm::kUnset;  ///< time for which due_ is notified
  sc_core::sc_event due_;
};

}  // namespace fermata
