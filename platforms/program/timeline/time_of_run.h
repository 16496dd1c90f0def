// The cycle of a run, for whoever puts events on its timeline.
#pragma once

#include <fermata/models/timing/cycle.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace fermata::platforms {

class TimeOfRun {
 public:
  /// `clock`: the cycle of the clock that is being simulated; `reached`: told of each cycle of the
  /// run in which something happens, once, before it does.
  void set(std::function<Cycle()> clock, std::function<void(Cycle)> reached) {
    clock_ = std::move(clock);
    reached_ = std::move(reached);
  }
  /// The run begins in this cycle of the clock.
  void start(Cycle at) { start_ = at; }
  /// Of the run.
  Cycle of(Cycle clock) const { return clock == kNever ? kNever : clock - std::min(clock, start_); }
  /// The cycle of the run that it is now.
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
