// What has been asked for below a stage, against what it was asked for.
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

  /// Below, lanes of an access of the stream have been served.
  void servedLanes(std::size_t access, LaneMask lanes);
  /// Below, a line has been served.
  void servedLine(std::uint64_t address, std::uint64_t bytes) {
    lines_.emplace_back(address, bytes);
  }

  /// When all was answered: each lane of the stream was served below, once.
  void checkLanes(const Stream& stream) const;
  /// Each lane, or line, of the stream lies in one line that was served below.
  void checkLines(const Stream& stream) const;

 private:
  void checkLine(std::size_t access, unsigned lane, std::uint64_t address,
                 std::uint64_t bytes) const;

  Log& log_;
  std::vector<LaneMask> lanes_;  ///< served, by access
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lines_;
};

}  // namespace fermata::conformance
