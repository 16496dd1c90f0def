// A measurement, described once: what runs on which platform, and what is written about it.
// Commands take its options from one list. `fermata exec` hands them to a CUDA program as
// environment variables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fermata/models/vocabulary/cycle.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/energy/platform_prices.h>
#include <fermata/stimuli/launch/launch_workload.h>
#include <fermata/stimuli/traces/sass/kernel_header.h>

namespace fermata::platforms {

/// Most threads that run the SMs of a chip.
inline constexpr std::uint64_t kMostThreads = 1024;

/// Members without a comment are described by the help of their option. The base is the launch of a
/// kernel file.
struct Measurement : launch::CommandLaunch {
  std::string platform = "gtx480";
  std::vector<std::string> sets;        ///< "path=value"
  std::vector<std::string> workloads;   ///< names or paths
  std::vector<std::string> parameters;  ///< "name=value", for every workload
  std::string softwareHash;  ///< text of a mapping that kernels compute themselves; empty: none
  std::uint64_t budget = launch::WorkloadOptions().instructionBudget;
  bool checkUninitialised = false;
  bool allowStrayReads = false;
  bool functional = false;
  std::string compile;  ///< "auto", "now" or "off"; empty: auto
  std::string launches;  ///< numbers of a CUDA program's launches, such as "3-7"; empty: all
  std::string out;       ///< folder of the tables; empty: no tables
  bool accesses = false;
  std::string prices;  ///< name or path of a price table; empty: no energy is booked
  Cycle window = 1000;
  std::string record;  ///< file for a trace; empty: none
  std::string wave;
  std::string waveWindow;
  std::string timeline;
  std::string timelineWindow;
  std::uint64_t threads = 1;  ///< 0: as many as the machine has cores
  bool timing = false;
  bool quiet = false;
  bool table = false;  ///< print a table on standard error at the program's end
  bool rows = false;   ///< hand tables to `fermata exec` even without `out`
  /// Path of the file that `fermata exec` shares with the program (launch_spool.h); empty: none.
  std::string spool;
  bool sample = false;
  std::string unknownOpcodes;        ///< "integer", or empty: they are refused
  std::uint64_t traceShared = 0;     ///< 0: as the trace says
  std::uint64_t traceRegisters = 0;  ///< 0: as the trace says

  /// Returns whether `launches` has this number, counted from 0.
  bool names(std::uint64_t launch) const;
  bool times(std::uint64_t launch) const { return !functional && names(launch); }
};

/// An option of commands, a variable of the environment, or both.
struct MeasurementOption {
  /// Kind of a text. A path must still lead to its file from the folder of another program.
  enum class Text { Plain, Path, NameOrPath };

  const char* name;      ///< without dashes; empty: only the variable exists
  const char* variable;  ///< empty: only the option exists
  std::variant<bool Measurement::*, std::uint64_t Measurement::*, std::string Measurement::*,
               std::vector<std::string> Measurement::*>
      member;
  std::string help = {};
  const char* expected = "";  ///< what the text must be, as it must not be empty: "a folder"
  const char* needs = "";     ///< name of an option that must be given, too
  Text text = Text::Plain;
  void (*check)(const std::string&) = nullptr;  ///< throws InputError for a wrong text; may be null
};

/// Lists all options.
const std::vector<MeasurementOption>& measurementOptions();

/// Checks each text. Throws InputError.
void requireSound(const Measurement& measurement);
/// Reads and checks a measurement. Throws InputError that names the variable or the option.
Measurement measurementOfEnvironment();
/// Throws InputError unless one launch is timed: a timeline's file cannot hold several launches.
void requireOneLaunch(const Measurement& measurement);
/// Throws InputError if a sample is asked for together with something that needs whole launches.
void requireWithSample(const Measurement& measurement);

/// Returns the threads that execute kernels without time: 1 or more.
unsigned threadsOfKernels(const Measurement& measurement);
/// Returns whether the environment names a platform.
bool isPlatformNamed();

/// Returns the settings of kernels on a platform, without `print` and `softwareHash`.
launch::WorkloadOptions kernelOptions(const Measurement& measurement,
                                      const PlatformParameters& platform);
/// Returns the settings of traces of machine code.
sass::TraceSettings traceSettings(const Measurement& measurement);
/// Opens the price table, if there is one. Throws InputError.
std::optional<EnergyRequest> energyOf(const Measurement& measurement);

}  // namespace fermata::platforms
