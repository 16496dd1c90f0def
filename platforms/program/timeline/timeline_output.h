// The file of `--timeline`.
#pragma once

#include <fermata/platforms/program/scratch_file.h>
#include <fermata/platforms/program/timeline/timeline.h>
#include <fermata/results/files/output_file.h>

#include <exception>
#include <memory>
#include <optional>
#include <string>

namespace fermata::platforms {

/// Length of a timeline without a requested window.
inline constexpr Cycle kTimelineCycles = 10000;

/// Parses "100:200": cycles 100 to 199. Throws InputError.
results::timeline::Window parseTimelineWindow(const std::string& text);
/// Throws InputError if the name ends in none of timelineFormats().
void requireTimelineName(const std::string& path);
/// Returns file name endings and their formats, for a help text: ".vcd, ...".
std::string timelineFormats();

/// The file appears when the run has ended, also with an error: a run that gets stuck is one to
/// look at.
class TimelineOutput {
 public:
  /// The ending of `path` selects the format. `window`: for parseTimelineWindow(); empty: the first
  /// kTimelineCycles. `energy`: as in Timeline. Throws InputError for an unknown ending, BadInput
  /// for .fst in a build without Verilator.
  TimelineOutput(const std::string& path, const std::string& window,
                 const Configuration& configuration, const EnergyAccount* energy);

  Timeline& timeline() { return *timeline_; }
  /// Call it when the run has ended. `cycles`: its length, if it ended without an error. Returns
  /// what the user should know about the file; may be empty.
  std::string finish(std::optional<Cycle> cycles);

 private:
  std::unique_ptr<results::timeline::Writer> makeWriter();
  void write(std::string_view bytes);

  std::string path_;
  bool hasWindow_;
  results::timeline::Window window_;
  files::OutputFile output_;
  std::unique_ptr<ScratchFile> scratch_;  ///< only for a format that a library writes
  std::unique_ptr<results::timeline::Writer> writer_;
  std::unique_ptr<Timeline> timeline_;
  std::exception_ptr failure_;
};

}  // namespace fermata::platforms
