#include <fermata/platforms/program/timeline/timeline_output.h>

#include <fermata/platforms/program/fst_blocks.h>
#include <fermata/platforms/program/number_text.h>
#include <fermata/platforms/program/timeline/fst_file.h>
#include <fermata/results/timeline/konata_writer.h>
#include <fermata/results/timeline/perfetto_writer.h>
#include <fermata/results/timeline/vcd_file.h>
#include <fermata/stimuli/refuse.h>

#include <fmt/format.h>

namespace fermata::platforms {

namespace fs = std::filesystem;
using results::timeline::Window;

namespace {

enum class Format { Perfetto, Konata, Vcd, Fst };

struct Ending {
  const char* text;
  Format format;
};
constexpr Ending kEndings[] = {{".pftrace", Format::Perfetto},
                               {".perfetto-trace", Format::Perfetto},
                               {".kanata", Format::Konata},
                               {".vcd", Format::Vcd},
                               {".fst", Format::Fst}};

Format formatOf(const std::string& path) {
  const std::string ending = fs::path(path).extension();
  for (const Ending& one : kEndings) {
    if (ending == one.text) return one.format;
  }
  refuse("--timeline '{}'; expected a name that ends in {}", path, timelineFormats());
}

const std::string& checkedName(const std::string& path) {
  requireTimelineName(path);
  return path;
}

}  // namespace

void requireTimelineName(const std::string& path) {
  (void)formatOf(path);
}

std::string timelineFormats() {
  return ".pftrace or .perfetto-trace (Perfetto), .kanata (Konata), .vcd or .fst (GTKWave)";
}

Window parseTimelineWindow(const std::string& text) {
  const auto [from, to] = parseCycles("--timeline-window", text);
  return {from, to};
}

TimelineOutput::TimelineOutput(const std::string& path, const std::string& window,
                               const Configuration& configuration, const EnergyAccount* energy)
    : path_(path),
      hasWindow_(!window.empty()),
      window_(hasWindow_ ? parseTimelineWindow(window) : Window{0, kTimelineCycles}),
      output_(checkedName(path)),
      writer_(makeWriter()),
      timeline_(std::make_unique<Timeline>(*writer_, window_, configuration, energy)) {}

std::unique_ptr<results::timeline::Writer> TimelineOutput::makeWriter() {
  const auto put = [this](std::string_view bytes) { write(bytes); };
  switch (formatOf(path_)) {
    case Format::Perfetto:
      return results::timeline::makePerfettoWriter(put);
    case Format::Konata:
      return results::timeline::makeKonataWriter(put);
    case Format::Vcd:
      return results::timeline::makeSignalWriter(results::timeline::makeVcdFile(put));
    case Format::Fst:
      break;
  }
  scratch_ = std::make_unique<ScratchFile>("timeline", "timeline.fst");
  return results::timeline::makeSignalWriter(makeFstFile(scratch_->path().string()));
}

// Stores an exception for finish(): SystemC calls this function and must not see one.
void TimelineOutput::write(std::string_view bytes) {
  if (failure_ != nullptr) return;
  try {
    output_.write(bytes);
  } catch (...) {
    failure_ = std::current_exception();
  }
}

std::string TimelineOutput::finish(std::optional<Cycle> cycles) {
  timeline_->finish(cycles);
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  if (scratch_ != nullptr) {
    requireWholeFst(scratch_->path(), "timeline");
    scratch_->copyTo(output_);
  }
  output_.commit();
  const Cycle ran = timeline_->cycles();
  if (timeline_->faults() != 0) {
    return fmt::format("{} events of {} came late or overlapped, and were moved or cut",
                       timeline_->faults(), path_);
  }
  if (window_.from >= ran) return fmt::format("{} is empty: the run had {} cycles", path_, ran);
  if (hasWindow_ || ran <= kTimelineCycles) return "";
  return fmt::format("{} has the first {} of {} cycles; --timeline-window from:to takes others",
                     path_, kTimelineCycles, ran);
}

}  // namespace fermata::platforms
