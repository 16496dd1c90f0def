// Settings for running a CUDA program, from the environment (README.md of platforms/cudart).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fermata/models/timing/cycle.h>

namespace fermata::exec {

/// Numbers of launches, counted from 0: `first` to `last`, both included.
struct LaunchRange {
  std::uint64_t first = 0;
  std::uint64_t last = ~std::uint64_t{0};
  bool contains(std::uint64_t launch) const { return launch >= first && launch <= last; }
};

/// Parses "3" or "3-7". Throws InputError.
LaunchRange parseLaunches(const std::string& text);

struct Settings {
  std::string platform = "gtx480";   ///< FERMATA_PLATFORM: name or path
  std::vector<std::string> sets;     ///< FERMATA_SET: path=value, one per line
  std::string out;                   ///< FERMATA_OUT: folder of the tables; empty: no tables
  bool functional = false;           ///< FERMATA_FUNCTIONAL: no launch is timed
  std::optional<LaunchRange> timed;  ///< FERMATA_LAUNCHES: only these launches are timed
  std::string record;               ///< FERMATA_RECORD: trace of the launches in `timed`, or of all
  std::string timeline;             ///< FERMATA_TIMELINE
  std::string timelineWindow;       ///< FERMATA_TIMELINE_WINDOW
  std::string prices;               ///< FERMATA_POWER
  Cycle window = 1000;              ///< FERMATA_WINDOW
  std::uint64_t budget = 0;         ///< FERMATA_BUDGET; 0: the executor's default
  bool accesses = false;            ///< FERMATA_ACCESSES
  bool checkUninitialised = false;  ///< FERMATA_CHECK_UNINITIALISED
  bool allowStrayReads = false;     ///< FERMATA_ALLOW_STRAY_READS
  bool timing = false;              ///< FERMATA_TIMING
  bool table = false;               ///< FERMATA_TABLE: print a table on standard error at the end
  /// FERMATA_SPOOL: path of the file that `fermata exec` shares with the program (launch_spool.h);
  /// empty: none.
  std::string spool;

  bool times(std::uint64_t launch) const {
    return !functional && (!timed || timed->contains(launch));
  }
};

/// Reads the settings. Throws InputError that names the variable.
Settings settingsOfEnvironment();

/// Throws InputError unless one launch is timed: a timeline's file cannot hold several launches.
void requireOneLaunch(const Settings& settings);

}  // namespace fermata::exec
