// One run at a closer look: its banks, the lines that conflict, and the worst access of each.
#pragma once

#include <fermata/platforms/program/report/report_input.h>

#include <cstddef>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Shared accesses of one opcode on one line of the source.
struct ReportLine {
  std::string place;   ///< "transpose.cu:20", "kernel:pc 24" where the source is not known
  std::string source;  ///< that line of the source; empty: not found
  std::string opcode;
  double accesses = 0;  ///< by warps
  double wavefronts = 0;
  double ideal = 0;
  double conflictCycles = 0;
  double passes = 0;  ///< of its worst access
};

/// A word that a lane asked for.
struct ReportLane {
  unsigned lane = 0;
  unsigned bank = 0;
  unsigned word = 0;
  unsigned group = 0;  ///< of the lanes that the banks are offered together
  unsigned pile = 1;   ///< distinct words that the bank must deliver to the group
};

/// The worst access of a line.
struct ReportAccess {
  std::string place;
  std::string source;
  std::string opcode;
  unsigned degree = 0;  ///< the largest pile
  unsigned passes = 0;
  unsigned ideal = 0;
  unsigned banks = 0;
  double conflictCycles = 0;  ///< of the line, in the run
  std::vector<ReportLane> lanes;
};

struct RunDetail {
  std::size_t row = 0;                 ///< of ReportInput::points
  std::vector<double> banks;           ///< words read, written and updated, by bank
  std::vector<ReportLine> lines;       ///< by falling conflict cycles
  std::vector<ReportAccess> accesses;  ///< the same order, those of which the lanes are known
  std::string note;                    ///< why accesses or all is missing; or empty
  std::string sourceNote;              ///< why lines of the source are missing; or empty
};

/// Where the lines of the source may come from. A table can name any file of the machine, so that
/// none is shown because a table names it.
struct SourcePlaces {
  /// A file in them, not below them and not behind a link that leads out, is shown if its hash is
  /// that which the run recorded.
  std::vector<std::filesystem::path> folders;
  /// Files that the user named: shown unless the run recorded another hash.
  std::vector<std::filesystem::path> named;
};

/// Reads the run of row `row` of `files.runs`. Throws InputError for tables that do not say what
/// a run's do.
RunDetail detailOf(const RunFiles& files, std::size_t row, const SourcePlaces& places);

}  // namespace fermata::platforms
