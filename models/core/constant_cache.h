// The first cache of constants of an SM: which lines of the constant space it has, or awaits. An
// absent line takes the place of the one that was read the longest ago.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fermata/models/vocabulary/cycle.h>

namespace fermata {

class ConstantCache {
 public:
  /// 0 lines: everything is there.
  explicit ConstantCache(unsigned lines) : most_(lines) {}

  bool exists() const { return most_ != 0; }
  /// Reads a line. Returns when it is there: at `present` if the cache has it; at `absent` if not;
  /// when others that were asking for it get it, if that is later than `present`.
  Cycle read(std::uint64_t line, Cycle present, Cycle absent) {
    const auto found = std::find_if(lines_.begin(), lines_.end(),
                                    [&](const Line& each) { return each.number == line; });
    const bool here = found != lines_.end();
    const Line read{line, here ? found->comes : absent};
    if (here) lines_.erase(found);
    if (lines_.size() == most_) lines_.pop_back();
    lines_.insert(lines_.begin(), read);
    return std::max(present, read.comes);
  }

 private:
  struct Line {
    std::uint64_t number = 0;
    Cycle comes = 0;
  };
  unsigned most_;
  std::vector<Line> lines_;  ///< the one that was read last first
};

}  // namespace fermata
