#include <fermata/platforms/program/wave_output.h>

#include <fermata/platforms/program/fst_blocks.h>
#include <fermata/platforms/program/number_pair.h>
#include <fermata/stimuli/input_error.h>

#include <fmt/format.h>

#include <filesystem>

namespace fermata::platforms {

namespace fs = std::filesystem;

namespace {

const std::string& checkedName(const std::string& path) {
  if (fs::path(path).extension() == ".fst") return path;
  throw InputError(fmt::format("--wave '{}'; expected a name that ends in .fst", path));
}

}  // namespace

rtl::WaveWindow parseWaveWindow(const std::string& text) {
  const auto pair = parseNumberPair(text, ':');
  if (pair && pair->first < pair->second) return {pair->first, pair->second};
  throw InputError(fmt::format(
      "--wave-window '{}'; expected from:to, cycles of which the first is less: 100:200", text));
}

WaveOutput::WaveOutput(const WaveRequest& request)
    : request_(request),
      output_(checkedName(request.path)),
      scratch_("waves", "waves.fst"),
      waves_(rtl::openWaves(scratch_.path().string(), request.window)) {}

void WaveOutput::requireBlocks() const {
  if (waves_->blocks() != 0) return;
  throw InputError(fmt::format(
      "--wave '{}': no block of RTL runs; expected --set rtl.indexer=rtl, or rtl.crossbar, "
      "rtl.scratchpad or rtl.lock, or lockstep",
      request_.path));
}

std::string WaveOutput::finish() {
  waves_->close();
  requireWholeFst(scratch_.path(), "waves");
  scratch_.copyTo(output_);
  output_.commit();
  if (waves_->samples() != 0) return "";
  const rtl::WaveWindow& window = request_.window;
  const std::string when = window.to == kNever
                               ? fmt::format("from cycle {}", window.from)
                               : fmt::format("in cycles {} to {}", window.from, window.to - 1);
  return fmt::format("{} is empty: no block was asked {}", request_.path, when);
}

}  // namespace fermata::platforms
