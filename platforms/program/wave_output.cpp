#include <fermata/platforms/program/wave_output.h>

#include <fermata/files/output_error.h>
#include <fermata/platforms/program/number_pair.h>
#include <fermata/stimuli/input_error.h>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace fermata::platforms {

namespace fs = std::filesystem;

namespace {

const char* const kFile = "waves.fst";

const std::string& checkedName(const std::string& path) {
  if (fs::path(path).extension() == ".fst") return path;
  throw InputError(fmt::format("--wave '{}'; expected a name that ends in .fst", path));
}

fs::path makeFolder() {
  std::string pattern = (fs::temp_directory_path() / "fermata-waves-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw InputError(fmt::format("cannot write the waves to {}: {}; expected a writable {}",
                                 pattern, std::strerror(errno),
                                 fs::temp_directory_path().string()));
  }
  return pattern;
}

}  // namespace

rtl::WaveWindow parseWaveWindow(const std::string& text) {
  const auto pair = parseNumberPair(text, ':');
  if (pair && pair->first < pair->second) return {pair->first, pair->second};
  throw InputError(fmt::format(
      "--wave-window '{}'; expected from:to, cycles of which the first is less: 100:200", text));
}

WaveOutput::WaveOutput(const WaveRequest& request)
    : request_(request), output_(checkedName(request.path)) {
  {
    const files::SignalsHeld held;
    folder_ = makeFolder();
    known_ = files::Temporary(folder_, files::Temporary::Kind::Folder);
  }
  try {
    waves_ = rtl::openWaves((folder_ / kFile).string(), request.window);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw;
  }
}

WaveOutput::~WaveOutput() {
  waves_.reset();
  std::error_code ignored;  // what is left there is nobody's
  fs::remove_all(folder_, ignored);
}

void WaveOutput::requireBlocks() const {
  if (waves_->blocks() != 0) return;
  throw InputError(fmt::format(
      "--wave '{}': no block of RTL runs; expected --set rtl.indexer=rtl, or rtl.crossbar, "
      "rtl.scratchpad or rtl.lock, or lockstep",
      request_.path));
}

std::string WaveOutput::finish() {
  waves_->close();
  const fs::path written = folder_ / kFile;
  std::ifstream in(written, std::ios::binary);
  if (!in) throw files::OutputError("cannot write the waves to " + written.string());
  std::array<char, 1U << 16> part;
  while (in.read(part.data(), part.size()) || in.gcount() > 0)
    output_.write({part.data(), static_cast<std::size_t>(in.gcount())});
  output_.commit();
  if (waves_->samples() != 0) return "";
  const rtl::WaveWindow& window = request_.window;
  const std::string when = window.to == kNever
                               ? fmt::format("from cycle {}", window.from)
                               : fmt::format("in cycles {} to {}", window.from, window.to - 1);
  return fmt::format("{} is empty: no block was asked {}", request_.path, when);
}

}  // namespace fermata::platforms
