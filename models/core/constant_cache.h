// The first cache of constants of an SM: which lines of the constant space it has. An absent line
// takes the place of the one that was read the longest ago, and is there for those behind.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fermata {

class ConstantCache {
 public:
  /// 0 lines: everything is there.
  explicit ConstantCache(unsigned lines) : most_(lines) {}

  bool exists() const { return most_ != 0; }
  /// Reads a line. Returns whether it was there.
  bool read(std::uint64_t line) {
    const auto found = std::find(lines_.begin(), lines_.end(), line);
    const bool here = found != lines_.end();
    if (!here && lines_.size() == most_) lines_.pop_back();
    if (here) lines_.erase(found);
    lines_.insert(lines_.begin(), line);
    return here;
  }

 private:
  unsigned most_;
  std::vector<std::uint64_t> lines_;  ///< the one that was read last first
};

}  // namespace fermata
