#include <fermata/results/progress.h>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include <fermata/results/table.h>

namespace fermata::results {
namespace {

constexpr std::chrono::milliseconds kQuick{500};  // a terminal stays silent for so long
constexpr std::chrono::milliseconds kTerminalInterval{200};
constexpr std::chrono::seconds kLogInterval{10};
constexpr std::size_t kLineWidth = 79;

}  // namespace

Progress::Progress(std::ostream& out, bool terminal, Clock clock)
    : out_(out), terminal_(terminal), clock_(std::move(clock)), start_(clock_()), next_(start_) {
  if (terminal_) {
    next_ += kQuick;
  } else {
    next_ += kLogInterval;
  }
}

void Progress::update(std::uint64_t done, std::uint64_t total, std::string_view label) {
  const Time now = clock_();
  if (now < next_) return;
  print(now, done, total, label);
  if (terminal_) {
    next_ = now + kTerminalInterval;
  } else {
    next_ = now + kLogInterval;
  }
}

void Progress::print(Time now, std::uint64_t done, std::uint64_t total, std::string_view label) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - start_).count();
  std::string line = fmt::format("{}: {}", label, grouped(done));
  if (total != 0) {
    const double share =
        100.0 * static_cast<double>(std::min(done, total)) / static_cast<double>(total);
    line += fmt::format(" of {} ({:.0f} %)", grouped(total), share);
  }
  line += fmt::format(", {} s", seconds);
  if (!terminal_) {
    out_ << line << std::endl;
    return;
  }
  if (line.size() > kLineWidth) line.resize(kLineWidth);
  const std::size_t width = line.size();
  line.resize(std::max(width, shown_), ' ');  // covers what stood there
  out_ << '\r' << line << std::flush;
  shown_ = width;
}

void Progress::finish() {
  if (shown_ == 0) return;
  out_ << '\r' << std::string(shown_, ' ') << '\r' << std::flush;
  shown_ = 0;
}

bool standardErrorIsTerminal() {
  return ::isatty(STDERR_FILENO) == 1;
}

}  // namespace fermata::results
