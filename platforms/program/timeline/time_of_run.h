// Converts the clock's cycles to those of the run, for all events on its timeline.
#pragma once

#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace fermata::platforms {

class TimeOfRun {
 public:
  /// `clock`: returns the current cycle of the simulated clock. `reached`: called once per cycle of
  /// the run in which something happens, before the first event.
  void set(std::function<Cycle()> clock, std::function<void(Cycle)> reached) {
    clock_ = std::move(clock);
    reached_ = std::move(reached);
  }
  /// Sets the clock's cycle in which the run begins.
  void start(Cycle at) { start_ = at; }
  /// Returns the run's cycle for a cycle of the clock.
  Cycle of(Cycle clock) const { return clock == kNever ? kNever : clock - std::min(clock, start_); }
  /// Returns the current cycle of the run.
  Cycle now() {
    const Cycle now = of(clock_());
    if (now > latest_) {
      latest_ = now;
      reached_(now);
    }
    return now;
  }

 private:
  std::function<Cycle()> clock_;
  std::function<void(Cycle)> reached_;
  Cycle start_ = 0;
  Cycle latest_ = 0;
};

}  // namespace fermata::platforms
