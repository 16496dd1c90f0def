// One clock domain that ticks its parts and sleeps to the next useful cycle: no clock edge in which
// nothing can happen is simulated.
#pragma once

#include <algorithm>
#include <exception>
#include <vector>

#include <fermata/models/timing/clock.h>

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
  SC_HAS_PROCESS(ClockDomain);
  ClockDomain(const sc_core::sc_module_name& name, const Clock& clock);

  const Clock& clock() const { return clock_; }
  /// The part must outlive the simulation. Parts are ticked in the order of `add`.
  void add(Ticked& part) { parts_.push_back(&part); }
  /// Makes the domain tick no later than at `cycle`, but never twice in one: a wake for a cycle
  /// that was ticked already is one for the next. A part that was woken early finds nothing to do
  /// and says again when there is.
  void wake(Cycle cycle);
  /// The first cycle, from now on, that has not been ticked.
  Cycle nextCycle() const { return std::max(clock_.now(), earliest_); }
  /// No tick is due.
  bool asleep() const { return next_ == kNever; }
  /// An exception of a part (an error of the workload, mostly) pauses the simulation; this throws
  /// it.
  void rethrow();

 private:
  void run();

  Clock clock_;
  std::vector<Ticked*> parts_;
  sc_core::sc_event wake_;
  Cycle next_ = kNever;
  Cycle earliest_ = 0;  ///< the cycle after the one ticked last
  std::exception_ptr error_;
};

}  // namespace fermata
