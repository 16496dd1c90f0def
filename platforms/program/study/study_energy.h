// What the cells of a study took, and what its measures say of it.
#pragma once

#include <array>
#include <optional>
#include <string>

#include <fermata/models/power/energy_account.h>
#include <fermata/platforms/program/study/study.h>

namespace fermata::platforms {

/// Of a workload under a variant; of several runs, averaged.
struct StudyEnergy {
  /// What acts: leakage and clocks count in All only.
  enum Part : std::uint8_t { All, Indexers, Crossbar, Banks, Registers, Replays };
  static constexpr unsigned kParts = 6;
  using Bounds = std::array<double, 3>;  ///< low, nominal, high

  std::array<Bounds, kParts> femtojoules{};
  double seconds = 0;
  double instructions = 0;  ///< of warps
  double indexed = 0;       ///< words that indexers gave their banks
  double laneCycles = 0;    ///< cycles, times the lanes of all SMs

  void add(const EnergyAccount& account, unsigned sms);
  /// Of each of so many that were added.
  void average(double runs);
  /// On a line, separated by blanks.
  std::string text() const;
  static StudyEnergy parse(const std::string& text);
};

/// Nothing where it is no measure of energy, or of no energy. `base`: of the baseline; null: none.
std::optional<double> energyMeasure(const StudyEnergy& energy, const StudyEnergy* base,
                                    Measure measure);

}  // namespace fermata::platforms
