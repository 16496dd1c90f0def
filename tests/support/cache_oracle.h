// A cache as a list of present lines for each set, and nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <map>

namespace fermata::test {

class PlainCache {
 public:
  /// `lru`: a use makes a line the youngest; otherwise only its fill does.
  PlainCache(unsigned ways, bool lru) : ways_(ways), lru_(lru) {}

  bool present(std::uint64_t line, std::uint32_t set) {
    std::list<std::uint64_t>& lines = sets_[set];
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  }
  /// Makes the line present. Returns true if it was present before.
  bool access(std::uint64_t line, std::uint32_t set) {
    std::list<std::uint64_t>& lines = sets_[set];
    const auto found = std::find(lines.begin(), lines.end(), line);
    const bool hit = found != lines.end();
    if (hit && !lru_) return true;
    if (hit) lines.erase(found);
    lines.push_back(line);
    if (lines.size() > ways_) lines.pop_front();
    return hit;
  }
  void drop(std::uint64_t line, std::uint32_t set) { sets_[set].remove(line); }

 private:
  unsigned ways_;
  bool lru_;
  std::map<std::uint32_t, std::list<std::uint64_t>> sets_;
};

}  // namespace fermata::test
