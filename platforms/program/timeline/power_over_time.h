// Power on a timeline: of the chip and of its components, a value a window of the energy account,
// from the window's first cycle on.
#pragma once

#include <fermata/models/power/energy_account.h>
#include <fermata/results/timeline/stream.h>

#include <map>
#include <string>

namespace fermata::platforms {

class PowerOverTime {
 public:
  using Stream = results::timeline::Stream;
  using TrackId = results::timeline::TrackId;

  /// Cycles by which what it says comes later than what it is of: a window, and what is booked
  /// behind it. `account`: with windows.
  static Cycle lag(const EnergyAccount& account) { return account.window() + kBookedLate; }

  PowerOverTime(Stream& stream, TrackId group, const EnergyAccount& account);

  /// Says the windows that are complete in cycle `now` of the run.
  void reach(Cycle now);
  /// The run has `cycles`: says the rest.
  void finish(Cycle cycles);

 private:
  static constexpr Cycle kBookedLate = 1024;
  void say(Cycle number, Cycle runs);

  Stream& stream_;
  const EnergyAccount& account_;
  TrackId total_;
  std::map<std::string, TrackId> components_;
  Cycle said_ = 0;  ///< windows
};

}  // namespace fermata::platforms
