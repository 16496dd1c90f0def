// Says how far a long job is, on standard error: one line that rewrites itself on a terminal, a
// line every ten seconds elsewhere (logs), nothing at all when the job is quick.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace fermata::results {

class Progress {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Clock = std::function<Time()>;

  /// `terminal`: whether `out` is one. The clock is given so that tests need not wait.
  Progress(std::ostream& out, bool terminal, Clock clock = std::chrono::steady_clock::now);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Starts the estimate of the time left anew, with the work done after this call. `done` is the
  /// work that was there before.
  void expect(std::uint64_t done);
  /// Prints no lines into logs: only a terminal shows anything.
  void onlyOnTerminal();
  /// Call as often as convenient, a few thousand times a second at most. `total` 0: unknown.
  void update(std::uint64_t done, std::uint64_t total, std::string_view label);
  /// Wipes the terminal's line, so that what is printed next stands alone.
  void finish();

 private:
  void print(Time now, std::uint64_t done, std::uint64_t total, std::string_view label);

  std::ostream& out_;
  bool terminal_;
  Clock clock_;
  Time start_;
  Time next_;                 // nothing is printed before this time
  std::uint64_t before_ = 0;  // `done` of expect()
  std::size_t shown_ = 0;     // places that the terminal's line takes
};

/// Wipes a progress line when a job ends, also with an error.
struct WipedAfter {
  Progress& progress;
  ~WipedAfter() { progress.finish(); }
};

/// Returns whether standard error is a terminal.
bool standardErrorIsTerminal();

}  // namespace fermata::results
