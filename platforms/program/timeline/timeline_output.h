// The file of `--timeline`.
#pragma once

#include <fermata/files/output_file.h>
#include <fermata/platforms/program/scratch_file.h>
#include <fermata/platforms/program/timeline/timeline.h>

#include <exception>
#include <memory>
#include <optional>
#include <string>

namespace fermata::platforms {

struct TimelineRequest {
  std::string path;                                 ///< its name ends as its format does
  std::optional<results::timeline::Window> window;  ///< nothing: the first kTimelineCycles
};

/// Of a timeline, where nobody says which.
inline constexpr Cycle kTimelineCycles = 10000;

/// "100:200": cycles from 100 to 199. Throws InputError.
results::timeline::Window parseTimelineWindow(const std::string& text);
/// Throws InputError for a name that ends in nothing of timelineFormats().
void requireTimelineName(const std::string& path);
/// Names of files and what they get, for a help: ".vcd, ...".
std::string timelineFormats();

/// The file appears when the run has ended, well or not: a run that gets stuck is one to look at.
class TimelineOutput {
 public:
  /// Throws InputError for a name that ends in anything else, BadInput for .fst without Verilator.
  /// `energy`: as Timeline takes it.
  TimelineOutput(const TimelineRequest& request, const Configuration& configuration,
                 const EnergyAccount* energy);

  Timeline& timeline() { return *timeline_; }
  /// The run has ended, after so many cycles if it did well. Returns what its user should know of
  /// the file, or nothing.
  std::string finish(std::optional<Cycle> cycles);

 private:
  std::unique_ptr<results::timeline::Writer> makeWriter();
  void write(std::string_view bytes);

  TimelineRequest request_;
  results::timeline::Window window_;
  files::OutputFile output_;
  std::unique_ptr<ScratchFile> scratch_;  ///< of a format that a library writes
  std::unique_ptr<results::timeline::Writer> writer_;
  std::unique_ptr<Timeline> timeline_;
  std::exception_ptr failure_;
};

}  // namespace fermata::platforms
