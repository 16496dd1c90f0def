// Energy of the cells of a study, and the measures derived from it.
#pragma once

#include <array>
#include <optional>
#include <string>

#include <fermata/models/power/energy_account.h>
#include <fermata/platforms/program/study/study.h>

namespace fermata::platforms {

/// Energy of a workload under a variant, averaged over its runs.
struct StudyEnergy {
  /// Consumers of energy. Leakage and clocks count in All only.
  enum Part : std::uint8_t { All, Indexers, Crossbar, Banks, Registers, Replays };
  static constexpr unsigned kParts = 6;
  using Bounds = std::array<double, 3>;  ///< low, nominal, high

  std::array<Bounds, kParts> femtojoules{};
  double seconds = 0;
  double instructions = 0;  ///< warp instructions
  double indexed = 0;       ///< words given their banks by indexers
  double laneCycles = 0;    ///< cycles * lanes of all SMs

  void add(const EnergyAccount& account, unsigned sms);
  /// Divides the sums by `runs`, the number added.
  void average(double runs);
  /// Returns one line, values separated by blanks.
  std::string text() const;
  static StudyEnergy parse(const std::string& text);
};

/// Returns the measure. Returns nothing if it is no measure of energy, or there was no energy.
/// `base`: energy of the baseline; null: no baseline.
std::optional<double> energyMeasure(const StudyEnergy& energy, const StudyEnergy* base,
                                    Measure measure);

}  // namespace fermata::platforms
