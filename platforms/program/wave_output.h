// The file of `--wave`: the signals of blocks of RTL.
#pragma once

#include <fermata/models/rtl/waves.h>
#include <fermata/platforms/program/scratch_file.h>
#include <fermata/results/files/output_file.h>

#include <memory>
#include <string>

namespace fermata::platforms {

/// Parses "100:200": cycles 100 to 199. Throws InputError.
rtl::WaveWindow parseWaveWindow(const std::string& text);

/// Writes signals to a temporary folder first. The file appears when the run has ended, also if it
/// ended with a difference: then a user looks at the waves.
class WaveOutput {
 public:
  /// `window`: for parseWaveWindow(); empty: all cycles. Throws InputError if the name does not end
  /// in .fst, BadInput in a build without Verilator.
  WaveOutput(const std::string& path, const std::string& window);
  WaveOutput(const WaveOutput&) = delete;
  WaveOutput& operator=(const WaveOutput&) = delete;

  rtl::Waves& waves() { return *waves_; }
  /// Call it when every block exists. Throws InputError if none has signals.
  void requireBlocks() const;
  /// Call it when the run has ended. Returns a warning if the run reached no cycle of the window,
  /// otherwise an empty text.
  std::string finish();

 private:
  std::string path_;
  rtl::WaveWindow window_;
  files::OutputFile output_;
  ScratchFile scratch_;
  std::unique_ptr<rtl::Waves> waves_;
};

}  // namespace fermata::platforms
