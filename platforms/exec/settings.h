// What the environment says of how a CUDA program is to be run (README.md of platforms/cudart).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fermata/models/timing/cycle.h>

namespace fermata::exec {

/// Launches by number, the first is 0: from `first` to `last`, with it.
struct LaunchRange {
  std::uint64_t first = 0;
  std::uint64_t last = ~std::uint64_t{0};
  bool contains(std::uint64_t launch) const { return launch >= first && launch <= last; }
};

/// "3" or "3-7". Throws InputError.
LaunchRange parseLaunches(const std::string& text);

struct Settings {
  std::string platform = "gtx480";   ///< FERMATA_PLATFORM: name or path
  std::vector<std::string> sets;     ///< FERMATA_SET: path=value, one a line
  std::string out;                   ///< FERMATA_OUT: folder of the tables; empty: none
  bool functional = false;           ///< FERMATA_FUNCTIONAL: no launch is timed
  std::optional<LaunchRange> timed;  ///< FERMATA_LAUNCHES: those alone are timed
  std::string record;                ///< FERMATA_RECORD: trace of what is timed, or of all
  std::string timeline;              ///< FERMATA_TIMELINE
  std::string timelineWindow;        ///< FERMATA_TIMELINE_WINDOW
  std::string prices;                ///< FERMATA_POWER
  Cycle window = 1000;               ///< FERMATA_WINDOW
  std::uint64_t budget = 0;          ///< FERMATA_BUDGET; 0: the executor's own
  bool accesses = false;             ///< FERMATA_ACCESSES
  bool checkUninitialised = false;   ///< FERMATA_CHECK_UNINITIALISED
  bool allowStrayReads = false;      ///< FERMATA_ALLOW_STRAY_READS
  bool timing = false;               ///< FERMATA_TIMING
  bool table = false;                ///< FERMATA_TABLE: print one on standard error at the end
  std::string spool;                 ///< FERMATA_SPOOL: path of what `fermata exec` shares with
                                     ///< the program (launch_spool.h); empty: nothing

  bool times(std::uint64_t launch) const {
    return !functional && (!timed || timed->contains(launch));
  }
};

/// Throws InputError that names the variable.
Settings settingsOfEnvironment();

/// A timeline's file cannot hold several launches. Throws InputError.
void requireOneLaunch(const Settings& settings);

}  // namespace fermata::exec
