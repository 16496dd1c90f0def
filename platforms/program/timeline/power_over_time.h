// Power on a timeline, of the chip and of its components. There is one value per window of the
// energy account, from the window's first cycle on.
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

  /// Returns by how many cycles a value is reported after its window begins: the window, plus the
  /// delay of late bookings. `account` must have windows.
  static Cycle lag(const EnergyAccount& account) { return account.window() + kBookedLate; }

  PowerOverTime(Stream& stream, TrackId group, const EnergyAccount& account);

  /// Writes the windows that are complete in cycle `now` of the run.
  void reach(Cycle now);
  /// Writes the remaining windows of a run of `cycles` cycles.
  void finish(Cycle cycles);

 private:
  static constexpr Cycle kBookedLate = 1024;
  void say(Cycle number, Cycle runs);

  Stream& stream_;
  const EnergyAccount& account_;
  TrackId total_;
  std::map<std::string, TrackId> components_;
  Cycle said_ = 0;  ///< windows written
};

}  // namespace fermata::platforms
