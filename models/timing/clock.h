// Integer cycles inside, sc_time at the sockets: the one place that converts.
#pragma once

#include <fermata/models/timing/cycle.h>

#include <string>
#include <systemc>

namespace fermata {

/// A clock without edges: a period. Nothing toggles; modules compute with cycles and sleep between
/// them.
class Clock {
 public:
  /// `period` must be a positive multiple of the time resolution; anything else is a fatal report.
  explicit Clock(const sc_core::sc_time& period)
      : ticks_(period.value()), perTick_(1.0 / static_cast<double>(ticks_)) {
    if (ticks_ == 0) SC_REPORT_FATAL("fermata/clock", "the clock period must be positive");
  }
  /// `megahertz`: there is nothing wrong() with it; anything else is a fatal report.
  static Clock fromMegahertz(double megahertz) {
    if (const std::string text = wrong(megahertz); !text.empty())
      SC_REPORT_FATAL("fermata/clock", text.c_str());
    return Clock(sc_core::sc_time(1e6 / megahertz, sc_core::SC_PS));
  }
  /// Why no clock can have this frequency; empty: one can. SystemC rounds a period to a multiple of
  /// the time resolution; that may change it by 0.1 % at most. Asking fixes the time resolution.
  static std::string wrong(double megahertz);

  sc_core::sc_time period() const { return sc_core::sc_time::from_value(ticks_); }
  /// Precondition: cycles <= lastCycle().
  sc_core::sc_time time(Cycle cycles) const { return sc_core::sc_time::from_value(ticks(cycles)); }
  /// The same as sc_time::value() gives it.
  sc_core::sc_time::value_type ticks(Cycle cycles) const { return ticks_ * cycles; }
  /// Whole cycles that cover `time`: rounded up, so that nothing happens early.
  /// Asked in every module of an access, where a division of 64 bits costs more than much of the
  /// rest: up to 2^53 ticks a product is at most one cycle off, and put right.
  Cycle cycles(const sc_core::sc_time& time) const {
    const auto value = time.value();
    if (value >> 53 != 0) return (value - 1) / ticks_ + 1;
    auto cycles = static_cast<Cycle>(static_cast<double>(value) * perTick_);
    if (cycles > 0 && (cycles - 1) * ticks_ >= value) --cycles;
    if (cycles * ticks_ < value) ++cycles;
    return cycles;
  }
  Cycle now() const { return cycles(sc_core::sc_time_stamp()); }
  /// The last cycle that sc_time can name.
  Cycle lastCycle() const { return sc_core::sc_max_time().value() / ticks_; }

 private:
  sc_core::sc_time::value_type ticks_;
  double perTick_;
};

}  // namespace fermata
