// Details of one run: its banks, the lines that conflict, and the worst access of each line.
#pragma once

#include <fermata/platforms/program/report/report_input.h>

#include <cstddef>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Shared accesses of one opcode on one source line.
struct ReportLine {
  std::string place;   ///< "transpose.cu:20"; "kernel:pc 24" if the source is unknown
  std::string source;  ///< text of that line; empty: not found
  std::string opcode;
  double accesses = 0;  ///< by warps
  double wavefronts = 0;
  double ideal = 0;
  double conflictCycles = 0;
  double passes = 0;  ///< of the worst access
};

/// A word that a lane asked for.
struct ReportLane {
  unsigned lane = 0;
  unsigned bank = 0;
  unsigned word = 0;
  unsigned group = 0;  ///< number of the lane group
  unsigned pile = 1;   ///< distinct words that the bank delivers to the group
};

/// The worst access of a line.
struct ReportAccess {
  std::string place;
  std::string source;
  std::string opcode;
  unsigned degree = 0;  ///< largest `pile` of its lanes
  unsigned passes = 0;
  unsigned ideal = 0;
  unsigned banks = 0;
  double conflictCycles = 0;  ///< of the line, over the whole run
  std::vector<ReportLane> lanes;
};

struct RunDetail {
  std::size_t row = 0;            ///< index into ReportInput::points
  std::vector<double> banks;      ///< per bank: words read, written and updated
  std::vector<ReportLine> lines;  ///< by falling conflict cycles
  /// In the order of `lines`; lines whose lanes are unknown are left out.
  std::vector<ReportAccess> accesses;
  std::string note;        ///< why the accesses or all details are missing; empty: complete
  std::string sourceNote;  ///< why source lines are missing; empty: none is
};

/// Places from which source lines may be read. A table can name any file of the machine, so a file
/// is never shown just because a table names it.
struct SourcePlaces {
  /// A file directly in one of these folders is shown if its hash is the one that the run recorded.
  /// Subfolders and links that lead outside do not count.
  std::vector<std::filesystem::path> folders;
  /// Files that the user named: shown unless the run recorded another hash.
  std::vector<std::filesystem::path> named;
};

/// Reads the run of row `row` of `files.runs`. Throws InputError if the tables lack what those of a
/// run contain.
RunDetail detailOf(const RunFiles& files, std::size_t row, const SourcePlaces& places);

}  // namespace fermata::platforms
