// The file of `--wave`: the signals of blocks of RTL.
#pragma once

#include <fermata/files/output_file.h>
#include <fermata/models/rtl/waves.h>
#include <fermata/platforms/program/scratch_file.h>

#include <memory>
#include <string>

namespace fermata::platforms {

struct WaveRequest {
  std::string path;  ///< ends in .fst
  rtl::WaveWindow window;
};

/// "100:200": cycles from 100 to 199. Throws InputError.
rtl::WaveWindow parseWaveWindow(const std::string& text);

/// Signals are written to a folder of its own first; the file appears when the run has ended, well
/// or with a difference, which is when one looks at waves.
class WaveOutput {
 public:
  /// Throws InputError for a name that ends in anything else, BadInput without Verilator.
  explicit WaveOutput(const WaveRequest& request);
  WaveOutput(const WaveOutput&) = delete;
  WaveOutput& operator=(const WaveOutput&) = delete;

  rtl::Waves& waves() { return *waves_; }
  /// Every block is there: throws InputError where none has signals.
  void requireBlocks() const;
  /// The run has ended; returns a warning where it took no cycle of the window, else nothing.
  std::string finish();

 private:
  WaveRequest request_;
  files::OutputFile output_;
  ScratchFile scratch_;
  std::unique_ptr<rtl::Waves> waves_;
};

}  // namespace fermata::platforms
