// One clock domain that ticks its parts and sleeps to the next useful cycle. Clock edges at which
// nothing can happen are not simulated.
//
// If nothing else of the simulation acts before the next useful cycle, the domain goes on to that
// cycle within one activation, without a return to the SystemC kernel. It so runs ahead of
// sc_time_stamp() by up to `most` cycles (the lead). Parts therefore ask the domain for the current
// cycle, never the kernel, and annotate the lead on the transactions that they send (IEEE
// 1666-2011, 11.1.3.1: a timing annotation says when a transaction takes effect).
//
// Parts compute the same results with and without a lead. Results therefore do not depend on other
// processes of the simulation, which only shorten the lead. The reason: a cycle is ticked after
// everything else that happens at its time (agenda.h).
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
  /// Does the work of cycle `now`. Returns the next cycle in which the part can have work, later
  /// than `now`, or kNever to sleep until woken.
  virtual Cycle tick(Cycle now) = 0;
};

class ClockDomain : public sc_core::sc_module {
 public:
  /// `most`: cycles that the domain may run ahead of SystemC's time; 0: none.
  ClockDomain(const sc_core::sc_module_name& name, const Clock& clock, Cycle most = 1024);

  const Clock& clock() const { return clock_; }
  /// Adds a part, which must outlive the simulation. Parts are ticked in the order of `add`.
  void add(Ticked& part) { parts_.push_back(&part); }
  /// Makes the domain tick no later than at `cycle`. No cycle is ticked twice: a wake for a cycle
  /// that was ticked already becomes one for the next cycle. A part that is woken early must find
  /// nothing to do and return its next cycle again. A cycle beyond sc_time's range is a fatal
  /// report.
  void wake(Cycle cycle);
  /// Returns the cycle being ticked; between ticks, the cycle of SystemC's time or of the last
  /// tick, whichever is later.
  Cycle now() const { return ticking_ ? earliest_ - 1 : std::max(clock_.now(), lastTicked()); }
  /// Returns the delay to annotate on a transaction of cycle `cycle`, which is now or later.
  sc_core::sc_time delayTo(Cycle cycle) const {
    const sc_core::sc_time at = clock_.time(cycle);
    const sc_core::sc_time stamp = this->stamp();
    return at > stamp ? at - stamp : sc_core::SC_ZERO_TIME;
  }
  /// Returns the cycle in which a transaction takes effect that is sent now with `delay` annotated.
  Cycle cycleAfter(const sc_core::sc_time& delay) const { return clock_.cycles(stamp() + delay); }
  /// Returns the first cycle, from now on, that has not been ticked.
  Cycle nextCycle() const { return std::max(clock_.now(), earliest_); }
  /// True while no tick is due.
  bool asleep() const { return next_ == kNever; }
  /// Rethrows the exception of a part, if any: it is mostly an error of the workload. The domain
  /// ticks no more, and has paused the simulation, unless it is on an island.
  void rethrow();

 private:
  const sc_core::sc_time& stamp() const { return ticking_ ? stamp_ : agenda_->stamp(); }
  void run();
  void tickUntilOthersAct(Cycle now);
  bool mayGoOnTo(Cycle cycle, Cycle last);
  Cycle lastTicked() const { return earliest_ == 0 ? 0 : earliest_ - 1; }

  std::shared_ptr<Agenda> agenda_;
  Clock clock_;
  Cycle most_;
  std::vector<Ticked*> parts_;
  Alarm alarm_;
  bool ticking_ = false;
  sc_core::sc_time stamp_;  ///< SystemC's time of the activation, while ticking
  Cycle next_ = kNever;
  Cycle earliest_ = 0;  ///< cycle after the one ticked last
  std::exception_ptr error_;
};

}  // namespace fermata
