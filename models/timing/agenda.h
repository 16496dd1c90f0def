// The order of what the model does in one instant. SystemC runs the processes of an instant in an
// order of its own, which a process that has nothing to do with the model can change. The modules
// here therefore share one process, the agenda: they set alarms, and it rings those of an instant
// in an order that depends on the model alone.
//
//   1. Other processes of the simulation go first: an alarm rings when nothing else is pending at
//      the current time (a foreign memory has then answered).
//   2. Alarms of one time ring by their Turn: memory first, clocks last.
//   3. Alarms of one time and one Turn ring in the order in which they were made.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

namespace fermata {

/// What goes first in one instant: answers come up from memory before the cores act on them.
enum class Turn : std::uint8_t { Memory, L2, Interconnect, L1, Clock };

class Agenda;

/// Calls back at a time that its owner sets. Made before the simulation starts, as modules are.
class Alarm {
 public:
  Alarm(Turn turn, std::function<void()> ring);
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  /// Rings at `at`, not before now, or when it was to ring already, whichever is sooner.
  void set(const sc_core::sc_time& at);
  /// It is not to ring any more.
  void cancel() { at_ = kUnset; }

 private:
  friend Agenda;
  using Ticks = sc_core::sc_time::value_type;
  static constexpr Ticks kUnset = ~Ticks{0};

  std::shared_ptr<Agenda> agenda_;
  std::function<void()> ring_;
  std::uint64_t order_;  ///< among alarms of one time: by turn, then by when it was made
  Ticks at_ = kUnset;
};

class Agenda : public sc_core::sc_module {
 public:
  using Ticks = sc_core::sc_time::value_type;

  SC_HAS_PROCESS(Agenda);
  /// The simulation's: made by the first who asks, gone with the last who holds it.
  static std::shared_ptr<Agenda> ofSimulation();

  explicit Agenda(const sc_core::sc_module_name& name);

  /// Time from now until something can happen in the simulation, to any process; of the alarm that
  /// is ringing nothing.
  sc_core::sc_time untilNext();
  /// Until `at`, that time included, nothing can happen but what the alarm that is ringing does
  /// itself. `now`: the current time.
  bool quietUntil(Ticks at, Ticks now) {
    // An entry that does not hold any more may come first: looked at closely only where it matters.
    if (!heap_.empty() && heap_.front().at <= at && findFirst() && heap_.front().at <= at)
      return false;
    return at - now < sc_core::sc_time_to_pending_activity().value();
  }

 private:
  friend Alarm;

  struct Entry {
    Ticks at;
    std::uint64_t order;
    Alarm* alarm;
  };
  struct Later {
    bool operator()(const Entry& a, const Entry& b) const {
      return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
  };

  void add(Alarm& alarm);
  void remove(const Alarm& alarm);
  void ringDue();
  void notify();
  /// Drops entries of alarms that were set anew or cancelled; false: there is no other.
  bool findFirst();
  void pop();

  std::vector<Entry> heap_;
  std::uint64_t made_ = 0;  ///< alarms, ever
  bool ringing_ = false;
  Ticks notified_ = Alarm::kUnset;  ///< when due_ is notified for
  sc_core::sc_event due_;
};

}  // namespace fermata
