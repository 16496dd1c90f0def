// The folder that a report is made of: that of a sweep, or of `fermata run --out`.
#pragma once

#include <fermata/platforms/program/report/report_axes.h>
#include <fermata/platforms/program/report/report_table.h>
#include <fermata/platforms/program/sweep/sweep_plan.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// The tables of runs, one row a run, an instruction, ... of it.
struct RunFiles {
  ReportTable runs;
  ReportTable instructions;
  ReportTable banks;
  std::optional<ReportTable> accesses;  ///< of `run --accesses`
  std::optional<ReportTable> energy;    ///< of `run --power`
  std::optional<ReportTable> sources;   ///< none: a run of `exec`, or of an older version
};

struct ReportInput {
  std::string name;         ///< of the folder
  std::string description;  ///< of a sweep's study; or empty
  bool sweep = false;
  ReportTable points;                 ///< a row a point that ran, or a run: the columns of runs.csv
  std::vector<AxisColumn> axes;       ///< of a sweep, each a value a row of `points`, base included
  std::size_t planned = 0;            ///< points of a sweep
  std::optional<ReportTable> failed;  ///< of a sweep, those that could not be run
  /// What each row of `points` runs; of a folder of runs as its identity says, which names a file
  /// of the user's without its folder.
  std::vector<SweepRun> runs;
  std::vector<std::string> softwareHash;  ///< the same; empty: none
  std::optional<RunFiles> files;          ///< of a folder of runs
};

/// Throws InputError: no such folder, neither one nor the other, a table that is not Fermata's.
ReportInput readReportInput(const std::filesystem::path& folder);

}  // namespace fermata::platforms
