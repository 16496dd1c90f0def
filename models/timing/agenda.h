// The order of the model's actions within one instant. SystemC chooses the order in which the
// processes of an instant run, and a process outside the model can change that order. The modules
// here therefore share one process, the agenda. They set alarms, and the agenda rings the alarms
// of an instant in an order that depends on the model alone.
//
//   1. Other processes of the simulation go first: an alarm rings when nothing else is pending at
//      the current time (a foreign memory has then answered).
//   2. Alarms of one time ring by their Turn: what islands have sent (Boundary), then memory first
//      and clocks last.
//   3. Alarms of one time and one Turn ring in the order in which they were made.
//
// If nothing else of the simulation can act, the agenda rings further alarms without a return to
// SystemC's kernel, and so runs ahead of sc_time_stamp() (allowLead).
//
// An island (island.h) is an agenda of its own, beside that of the simulation: its modules meet no
// process and no other module, so it runs ahead of SystemC's time. Modules therefore ask their
// agenda or their clock for the time, never SystemC.
#pragma once

#include <fermata/models/timing/ticks.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

namespace fermata {

/// Order of alarms within one instant: answers come up from memory before the cores act on them.
enum class Turn : std::uint8_t { Boundary, Memory, L2, Interconnect, L1, Clock };

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
  /// Returns the current time of the alarm's agenda.
  const sc_core::sc_time& stamp() const;

 private:
  friend Agenda;
  static constexpr Ticks kUnset = ~Ticks{0};

  /// True if it rings before `other`; both are set.
  bool isBefore(const Alarm& other) const {
    return at_ != other.at_ ? at_ < other.at_ : order_ < other.order_;
  }

  std::shared_ptr<Agenda> agenda_;
  std::function<void()> ring_;
  std::uint64_t order_;  ///< rank among alarms of one time: by turn, then by order of construction
  Ticks at_ = kUnset;
  std::size_t place_ = 0;  ///< in Agenda::heap_, while it is set
};

class Agenda {
 public:
  /// Returns the agenda of the simulation. The first call constructs it; it ends with its last
  /// holder.
  static std::shared_ptr<Agenda> ofSimulation();
  /// Returns the agenda of the modules that are being constructed: the island's, or that of the
  /// simulation.
  static std::shared_ptr<Agenda> here();

  virtual ~Agenda() = default;
  Agenda(const Agenda&) = delete;
  Agenda& operator=(const Agenda&) = delete;

  bool island() const { return island_; }
  /// Returns the current time.
  const sc_core::sc_time& stamp() const { return **stamp_; }
  /// Returns the place of a pointer to the current time, for clocks.
  const sc_core::sc_time* const* stampPlace() const { return stamp_; }
  /// Returns stampPlace() of the agenda of the simulation, which need not exist.
  static const sc_core::sc_time* const* stampOfSimulation();

  /// Lets the agenda of the simulation run ahead of SystemC's time by less than `most`, if no
  /// process but its own exists when it starts. Precondition: nobody else looks at
  /// sc_time_stamp(). A later call of forbidLead(), or an earlier one, wins.
  virtual void allowLead(Ticks) {}
  virtual void forbidLead() {}
  /// Pauses the simulation (sc_pause). An agenda that leads rings nothing more before it goes on.
  void pause();
  /// Returns the time from now until some process of the simulation or some alarm can act next. The
  /// alarm that is ringing does not count. On an island nothing else acts before its run ends.
  sc_core::sc_time untilNext();
  /// True if nothing but the alarm that is ringing can act up to and including `at`. `now`: the
  /// current time.
  bool quietUntil(Ticks at, Ticks now) const {
    if (next_ != nullptr && next_->at_ <= at) return false;
    return apart_ ? at < end_ : at - now < sc_core::sc_time_to_pending_activity().value();
  }

 protected:
  explicit Agenda(bool island)
      : island_(island), apart_(island), stamp_(island ? &own_ : stampOfSimulation()) {}

  /// The agenda that here() returns; null: that of the simulation.
  static std::weak_ptr<Agenda>& joined();
  /// Called when the first alarm to ring may have changed, except while alarms ring.
  virtual void changed() {}
  /// Rings the alarms that are due before end_, and those that they set.
  void ringBeforeEnd();
  static constexpr Ticks kNone = Alarm::kUnset;
  /// Returns the time of the alarm that rings first; kNone: none is set.
  Ticks due() const { return next_ == nullptr ? kNone : next_->at_; }
  /// True if something other than alarms acts at the current time, before the next alarm.
  virtual bool othersAct() const { return false; }

  /// Points to the current time of the simulation: SystemC's, or that of an agenda that leads.
  static const sc_core::sc_time* simulationTime_;

  const bool island_;
  bool apart_;            ///< nothing but its alarms acts before end_: an island, or it leads
  sc_core::sc_time now_;  ///< `apart_`: the current time
  Ticks end_ = 0;         ///< of the present run

 private:
  friend Alarm;

  const sc_core::sc_time* own_ = &now_;
  const sc_core::sc_time* const* stamp_;  ///< the current time

  void set(Alarm& alarm, Ticks at);
  void unset(Alarm& alarm);
  void rise(Alarm& alarm, std::size_t place);
  void sink(Alarm& alarm, std::size_t place);
  void put(Alarm& alarm, std::size_t place);
  void findNext() { next_ = heap_.empty() ? nullptr : heap_.front(); }

  std::vector<Alarm*> heap_;  ///< alarms that are set, each before those below it
  Alarm* next_ = nullptr;     ///< rings first; null: none is set
  std::uint64_t made_ = 0;    ///< alarms constructed so far
  bool ringing_ = false;
};

inline const sc_core::sc_time& Alarm::stamp() const {
  return agenda_->stamp();
}

}  // namespace fermata
