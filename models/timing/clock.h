// Converts between integer cycles, used inside the model, and sc_time, used at the sockets. No
// other place converts.
#pragma once

#include <fermata/models/timing/agenda.h>
#include <fermata/models/vocabulary/cycle.h>

#include <string>

namespace fermata {

/// A clock period without edges. No signal toggles; modules compute with cycles and sleep between
/// them.
class Clock {
 public:
  /// `period` must be a positive multiple of the time resolution; anything else is a fatal report.
  explicit Clock(const sc_core::sc_time& period)
      : ticks_(period.value()),
        perTick_(1.0 / static_cast<double>(ticks_)),
        stamp_(Agenda::stampOfSimulation()) {
    if (ticks_ == 0) SC_REPORT_FATAL("fermata/clock", "the clock period must be positive");
    last_ = sc_core::sc_max_time().value() / ticks_;
  }
  /// Returns this clock, for modules of an island, which must outlive them: now() is its time.
  Clock of(const Agenda& island) const {
    Clock clock = *this;
    clock.stamp_ = island.stampPlace();
    return clock;
  }
  /// Returns a clock of this frequency. Precondition: wrong(megahertz) is empty; anything else is a
  /// fatal report.
  static Clock fromMegahertz(double megahertz) {
    if (const std::string text = wrong(megahertz); !text.empty())
      SC_REPORT_FATAL("fermata/clock", text.c_str());
    return Clock(sc_core::sc_time(1e6 / megahertz, sc_core::SC_PS));
  }
  /// Returns why no clock can have this frequency, or an empty text if one can. SystemC rounds a
  /// period to a multiple of the time resolution, which may change it by 0.1 % at most. A call
  /// fixes the time resolution of the simulation.
  static std::string wrong(double megahertz);

  sc_core::sc_time period() const { return timeOf(ticks_); }
  /// Returns the time at which cycle `cycles` begins. Precondition: cycles <= lastCycle().
  sc_core::sc_time time(Cycle cycles) const { return timeOf(ticks(cycles)); }
  /// Returns the time at which cycle `cycles` begins, as sc_time::value() gives it.
  Ticks ticks(Cycle cycles) const { return ticks_ * cycles; }
  /// Returns the whole cycles that cover `time`, rounded up so that nothing happens early.
  /// Every module of an access calls this, and a 64-bit division would be a large part of its cost.
  /// Up to 2^53 ticks a product is at most one cycle off, and is corrected.
  Cycle cycles(const sc_core::sc_time& time) const {
    const auto value = time.value();
    if (value >> 53 != 0) return (value - 1) / ticks_ + 1;
    auto cycles = static_cast<Cycle>(static_cast<double>(value) * perTick_);
    if (cycles > 0 && (cycles - 1) * ticks_ >= value) --cycles;
    if (cycles * ticks_ < value) ++cycles;
    return cycles;
  }
  /// Returns the current time of the modules that have this clock.
  const sc_core::sc_time& stamp() const { return **stamp_; }
  Cycle now() const { return cycles(stamp()); }
  /// Returns the last cycle whose time sc_time can hold.
  Cycle lastCycle() const { return last_; }

 private:
  Ticks ticks_;
  double perTick_;
  Cycle last_ = 0;
  const sc_core::sc_time* const* stamp_;  ///< the current time: the simulation's, or the island's
};

}  // namespace fermata
