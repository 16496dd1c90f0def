#include <fermata/results/progress.h>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fermata/results/table.h>

namespace fermata::results {
namespace {

constexpr std::chrono::milliseconds kQuick{500};  // silence at the start, on a terminal
constexpr std::chrono::milliseconds kTerminalInterval{200};
constexpr std::chrono::seconds kLogInterval{10};
constexpr std::chrono::seconds kGuessed{3};  // before it, the time left is no more than a guess
constexpr std::size_t kLineWidth = 79;

/// Returns "40 s", "12 min" or "3 h 20 min".
std::string lengthOf(double seconds) {
  const double minutes = std::round(seconds / 60);
  if (seconds < 120) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (minutes < 120) return fmt::format("{:.0f} min", minutes);
  const auto hours = static_cast<std::uint64_t>(minutes / 60);
  return fmt::format("{} h {:.0f} min", grouped(hours), minutes - 60 * static_cast<double>(hours));
}

/// Returns the label, or its end behind "..." if it has more than `most` places.
std::string endOf(std::string_view label, std::size_t most) {
  constexpr std::string_view kCut = "...";
  if (label.size() <= most) return std::string(label);
  const std::size_t kept = most - std::min(most, kCut.size());
  return std::string(kCut) + std::string(label.substr(label.size() - kept));
}

}  // namespace

Progress::Progress(std::ostream& out, bool terminal, Clock clock)
    : out_(out), terminal_(terminal), clock_(std::move(clock)), start_(clock_()), next_(start_) {
  if (terminal_) {
    next_ += kQuick;
  } else {
    next_ += kLogInterval;
  }
}

void Progress::expect(std::uint64_t done) {
  before_ = done;
  start_ = clock_();
}

void Progress::onlyOnTerminal() {
  if (!terminal_) next_ = Time::max();
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
  std::string line = ": " + grouped(done);
  if (total != 0) {
    const double share =
        100.0 * static_cast<double>(std::min(done, total)) / static_cast<double>(total);
    line += fmt::format(" of {} ({:.0f} %)", grouped(total), share);
  }
  line += fmt::format(", {} s", seconds);
  if (now - start_ >= kGuessed && done > before_ && total > done) {
    const double left = std::chrono::duration<double>(now - start_).count() *
                        static_cast<double>(total - done) / static_cast<double>(done - before_);
    line += fmt::format(", about {} left", lengthOf(left));
  }
  if (!terminal_) {
    out_ << label << line << std::endl;
    return;
  }
  line.insert(0, endOf(label, kLineWidth - std::min(line.size(), kLineWidth)));
  const std::size_t width = line.size();
  line.resize(std::max(width, shown_), ' ');  // covers the old line
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
