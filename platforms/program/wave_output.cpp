#include <fermata/platforms/program/wave_output.h>

#include <fermata/platforms/program/fst_blocks.h>
#include <fermata/platforms/program/number_text.h>
#include <fermata/stimuli/refuse.h>

#include <fmt/format.h>

#include <filesystem>

namespace fermata::platforms {

namespace fs = std::filesystem;

namespace {

const std::string& checkedName(const std::string& path) {
  if (fs::path(path).extension() == ".fst") return path;
  refuse("--wave '{}'; expected a name that ends in .fst", path);
}

}  // namespace

rtl::WaveWindow parseWaveWindow(const std::string& text) {
  const auto [from, to] = parseCycles("--wave-window", text);
  return {from, to};
}

WaveOutput::WaveOutput(const std::string& path, const std::string& window)
    : path_(path),
      window_(window.empty() ? rtl::WaveWindow() : parseWaveWindow(window)),
      output_(checkedName(path)),
      scratch_("waves", "waves.fst"),
      waves_(rtl::openWaves(scratch_.path().string(), window_)) {}

void WaveOutput::requireBlocks() const {
  if (waves_->blocks() != 0) return;
  refuse(
      "--wave '{}': no block of RTL runs; expected --set rtl.indexer=rtl, or rtl.crossbar, "
      "rtl.scratchpad or rtl.lock, or lockstep",
      path_);
}

std::string WaveOutput::finish() {
  waves_->close();
  requireWholeFst(scratch_.path(), "waves");
  scratch_.copyTo(output_);
  output_.commit();
  if (waves_->samples() != 0) return "";
  const std::string when = window_.to == kNever
                               ? fmt::format("from cycle {}", window_.from)
                               : fmt::format("in cycles {} to {}", window_.from, window_.to - 1);
  return fmt::format("{} is empty: no block was asked {}", path_, when);
}

}  // namespace fermata::platforms
