// The folder that a report is made of: a sweep's, or that of `fermata run --out`.
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

/// The tables of a folder of runs, with one row per run, instruction, bank, and so on.
struct RunFiles {
  ReportTable runs;
  ReportTable instructions;
  ReportTable banks;
  std::optional<ReportTable> bounds;    ///< empty: the folder is of an older version
  std::optional<ReportTable> accesses;  ///< empty: the folder is of an older version
  std::optional<ReportTable> energy;    ///< from `run --power`
  std::optional<ReportTable> sources;   ///< empty: a run of `exec`, or of an older version
};

struct ReportInput {
  std::string name;         ///< name of the folder
  std::string description;  ///< of the sweep's study; may be empty
  bool sweep = false;
  /// One row per run or per sweep point that ran, with the columns of runs.csv.
  ReportTable points;
  std::vector<AxisColumn> axes;       ///< sweeps only: one value per row of `points`; base included
  std::size_t planned = 0;            ///< number of points in the sweep
  std::optional<ReportTable> failed;  ///< sweeps only: points that could not be run
  /// The run of each row of `points`. In a folder of runs it comes from the row's identity, which
  /// names a user's file without its folder.
  std::vector<SweepRun> runs;
  std::optional<RunFiles> files;  ///< folders of runs only
};

/// Throws InputError if the folder does not exist, is neither a sweep nor a folder of runs, or has
/// a table that Fermata did not write.
ReportInput readReportInput(const std::filesystem::path& folder);

}  // namespace fermata::platforms
