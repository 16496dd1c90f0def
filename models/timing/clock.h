// Integer cycles inside, sc_time at the sockets: the one place that converts.
#pragma once

#include <systemc>

#include <fermata/models/timing/cycle.h>

namespace fermata {

/// A clock without edges: a period. Nothing toggles; modules compute with cycles and sleep between
/// them.
class Clock {
 public:
  /// `period` must be a positive multiple of the time resolution.
  explicit Clock(const sc_core::sc_time& period) : ticks_(period.value()) {
    if (ticks_ == 0) SC_REPORT_FATAL("fermata/clock", "the clock period must be positive");
  }
  static Clock fromMegahertz(double megahertz) {
    return Clock(sc_core::sc_time(1e6 / megahertz, sc_core::SC_PS));
  }

  sc_core::sc_time period() const { return sc_core::sc_time::from_value(ticks_); }
  sc_core::sc_time time(Cycle cycles) const {
    return sc_core::sc_time::from_value(ticks_ * cycles);
  }
  /// Whole cycles that cover `time`: rounded up, so that nothing happens early.
  Cycle cycles(const sc_core::sc_time& time) const { return (time.value() + ticks_ - 1) / ticks_; }
  Cycle now() const { return cycles(sc_core::sc_time_stamp()); }

 private:
  sc_core::sc_time::value_type ticks_;
};

}  // namespace fermata
