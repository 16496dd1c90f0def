// Result tables of a program's launches: the tables of a run, with one run per launch.
#pragma once

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/run_tables.h>
#include <fermata/platforms/cudart/sampled_launch.h>
#include <fermata/platforms/energy/platform_prices.h>
#include <fermata/platforms/energy/power_picture.h>
#include <fermata/platforms/exec/table_sink.h>
#include <fermata/platforms/program/bound/run_bound.h>
#include <fermata/platforms/program/measurement.h>
#include <fermata/platforms/program/report/worst_accesses.h>
#include <fermata/stimuli/ptx/executor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata::cudart {

/// Columns that tell launches apart.
struct LaunchFacts {
  std::uint64_t launch = 0;  ///< number of the launch, from 0
  std::string kernel;        ///< readable name of the kernel
  std::string grid;          ///< CTAs: "8x4x1"
  std::string block;         ///< threads of a CTA: "32x8x1"
  std::uint64_t begin = 0;   ///< simulated cycle of the program in which it began
  SampledLaunch sample{};    ///< if the run is sampled

  static const Figures<LaunchFacts>& figures();
  /// Columns of a sampled run.
  static const Figures<LaunchFacts>& sampleFigures();
};

/// Returns the dimensions as "8x4x1".
std::string dimensionsText(const ptx::Dim3& dimensions);

/// Describes a launch all of whose CTAs were timed.
SampledLaunch wholeLaunch(const platforms::RunOutcome& outcome);

class LaunchTables {
 public:
  /// `sink`: null if no tables are to be written.
  LaunchTables(const platforms::Measurement& settings,
               const platforms::Configuration& configuration,
               std::unique_ptr<exec::TableSink> sink);

  bool writes() const { return sink_ != nullptr; }
  /// Writes the rows of a timed launch. `worst`: worst accesses of the launch; null: not asked for.
  void add(const LaunchFacts& facts, const Workload& workload, const platforms::RunOutcome& outcome,
           const platforms::RunBound& bound, const platforms::WorstAccesses* worst);
  /// Writes the rows of a launch that ran beside others: those of the launch itself, and those of
  /// its instructions.
  void addBeside(const LaunchFacts& facts, const Workload& workload,
                 const platforms::RunOutcome& outcome);
  /// Writes the row of a launch without time: only the given cells are filled.
  void add(const LaunchFacts& facts, std::uint64_t warpInstructions);
  /// Writes the row of a launch that the sample estimates.
  void addEstimated(const LaunchFacts& facts);
  void finish();

 private:
  results::RunIdentity identity(const LaunchFacts& facts) const;
  void open();
  /// Adds the rows of a timed launch that are its own, whatever ran beside it.
  results::RunRecord addOwn(const LaunchFacts& facts, const Workload& workload,
                            const platforms::RunOutcome& outcome);
  void addEnergy(const results::RunIdentity& identity, const EnergyAccount& account);
  void addCells(const LaunchFacts& facts, std::vector<std::pair<const char*, results::Cell>> cells);
  void append(const std::string& file, const results::RunIdentity& identity,
              const std::vector<results::Row>& rows);

  const platforms::Configuration& configuration_;
  bool books_;  ///< energy is booked
  bool accesses_;
  bool sampled_;
  LaunchFacts facts_;  ///< facts of the row being written
  platforms::RunTables tables_;
  platforms::PowerPicture picture_;
  std::string program_;
  std::string prices_;
  std::unique_ptr<exec::TableSink> sink_;
  bool opened_ = false;
};

}  // namespace fermata::cudart
