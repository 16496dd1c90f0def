// Compares what a stage asks for below with what it was asked for.
#pragma once

#include <fermata/models/conformance/findings.h>
#include <fermata/models/conformance/stream.h>

#include <utility>

namespace fermata::conformance {

class Ledger {
 public:
  explicit Ledger(Log& log) : log_(log) {}
  void clear(std::size_t accesses) {
    lanes_.assign(accesses, 0);
    lines_.clear();
  }

  /// Notes that lanes of an access of the stream have been served below.
  void servedLanes(std::size_t access, LaneMask lanes);
  /// Notes that a line has been served below.
  void servedLine(std::uint64_t address, std::uint64_t bytes) {
    lines_.emplace_back(address, bytes);
  }

  /// Checks, when all was answered, that each lane of the stream was served below exactly once.
  void checkLanes(const Stream& stream) const;
  /// Checks that each lane, or line, of the stream lies in exactly one line that was served below.
  void checkLines(const Stream& stream) const;

 private:
  void checkLine(std::size_t access, unsigned lane, std::uint64_t address,
                 std::uint64_t bytes) const;

  Log& log_;
  std::vector<LaneMask> lanes_;  ///< served lanes, by access
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lines_;
};

}  // namespace fermata::conformance
