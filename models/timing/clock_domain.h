// One clock domain that ticks its parts and sleeps to the next useful cycle: no clock edge in which
// nothing can happen is simulated.
//
// While nothing else of the simulation has anything to do before the next useful cycle, the domain
// goes on to it within one activation instead of asking the SystemC kernel to come back: it runs
// ahead of sc_time_stamp() by up to `most` cycles. Parts therefore ask the domain what cycle it is,
// never the kernel, and annotate the lead on the transactions that they send (IEEE 1666-2011,
// 11.1.3.1: a timing annotation says when a transaction takes effect).
//
// What parts compute is the same with and without a lead, and so does not depend on other processes
// of the simulation, which shorten it: a cycle is ticked when everything else that happens at its
// time has happened (agenda.h).
#pragma once

#include <fermata/models/timing/agenda.h>
#include <fermata/models/timing/clock.h>

#include <algorithm>
#include <exception>
#include <vector>

namespace fermata {

/// A part that a clock domain ticks.
class Ticked {
 public:
  virtual ~Ticked() = default;
  /// Does the work of cycle `now` and returns the next cycle in which there can be some: later than
  /// `now`, or kNever to sleep until woken.
  virtual Cycle tick(Cycle now) = 0;
};

class ClockDomain : public sc_core::sc_module {
 public:
  /// `most`: cycles that the domain may run ahead of SystemC's time; 0: none.
  ClockDomain(const sc_core::sc_module_name& name, const Clock& clock, Cycle most = 1024);

  const Clock& clock() const { return clock_; }
  /// The part must outlive the simulation. Parts are ticked in the order of `add`.
  void add(Ticked& part) { parts_.push_back(&part); }
  /// Makes the domain tick no later than at `cycle`, but never twice in one: a wake for a cycle
  /// that was ticked already is one for the next. A part that was woken early finds nothing to do
  /// and says again when there is. A cycle beyond what sc_time can name is a fatal report.
  void wake(Cycle cycle);
  /// The cycle being ticked; between ticks that of SystemC's time, or of the last tick if later.
  Cycle now() const { return ticking_ ? earliest_ - 1 : std::max(clock_.now(), lastTicked()); }
  /// What to annotate on a transaction of cycle `cycle`, now or later.
  sc_core::sc_time delayTo(Cycle cycle) const {
    const sc_core::sc_time at = clock_.time(cycle);
    const sc_core::sc_time& stamp = this->stamp();
    return at > stamp ? at - stamp : sc_core::SC_ZERO_TIME;
  }
  /// The cycle of a transaction that `delay` is annotated on, now.
  Cycle cycleAfter(const sc_core::sc_time& delay) const { return clock_.cycles(stamp() + delay); }
  /// The first cycle, from now on, that has not been ticked.
  Cycle nextCycle() const { return std::max(clock_.now(), earliest_); }
  /// No tick is due.
  bool asleep() const { return next_ == kNever; }
  /// An exception of a part (an error of the workload, mostly) pauses the simulation; this throws
  /// it.
  void rethrow();

 private:
  const sc_core::sc_time& stamp() const { return ticking_ ? stamp_ : sc_core::sc_time_stamp(); }
  void run();
  void tickUntilOthersAct(Cycle now);
  bool mayGoOnTo(Cycle cycle, Cycle last);
  Cycle lastTicked() const { return earliest_ == 0 ? 0 : earliest_ - 1; }

  Clock clock_;
  Cycle most_;
  std::vector<Ticked*> parts_;
  std::shared_ptr<Agenda> agenda_;
  Alarm alarm_;
  bool ticking_ = false;
  sc_core::sc_time stamp_;  ///< of the activation, while ticking
  Cycle next_ = kNever;
  Cycle earliest_ = 0;  ///< the cycle after the one ticked last
  std::exception_ptr error_;
};

}  // namespace fermata
