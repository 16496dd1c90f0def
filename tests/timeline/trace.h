// A timeline, read through a decoder that is not ours (read_perfetto.py).
#pragma once

#include "tests/support/program.h"

namespace fermata::test {

struct Slice {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::string name;
  std::uint64_t number = 0;
  std::string source;
  std::uint64_t flow = 0;
  /// Cycle in which the slice began, before the window; empty: it began at `from`.
  std::string since;
  bool goesOn = false;  ///< ends after the window

  std::uint64_t cycles() const { return to - from; }
};
inline bool operator==(const Slice& a, const Slice& b) {
  const auto all = [](const Slice& s) {
    return std::tie(s.from, s.to, s.name, s.number, s.source, s.flow, s.since, s.goesOn);
  };
  return all(a) == all(b);
}
std::ostream& operator<<(std::ostream& out, const Slice& slice);

struct Instant {
  std::uint64_t at = 0;
  std::string name;
  std::uint64_t number = 0;
  std::uint64_t flow = 0;
  bool flowEnds = false;
};

struct Value {
  std::uint64_t at = 0;
  double value = 0;
};

struct Trace {
  // By track: names of its groups and its own, "sm/warps/warp 3".
  std::map<std::string, std::vector<Slice>> slices;
  std::map<std::string, std::vector<Instant>> instants;
  std::map<std::string, std::vector<Value>> values;

  /// Calls visit(slice) for each slice of the tracks whose names contain `part`.
  template <class Visit>
  void eachSlice(const std::string& part, Visit visit) const {
    for (const auto& [track, all] : slices) {
      if (!has(track, part)) continue;
      for (const Slice& slice : all) visit(slice);
    }
  }
  /// Returns the sum of the numbers of instants `name`, on tracks whose names contain `part`.
  std::uint64_t sum(const std::string& part, const std::string& name) const;
  /// Counts the slices whose names begin with `name`, on tracks whose names contain `part`.
  std::uint64_t count(const std::string& part, const std::string& name) const;
};

/// Reads a trace. Fails the test if the file is no trace, if a slice begins within another or ends
/// before it begins, or if something is left open.
Trace readTrace(const fs::path& file);

}  // namespace fermata::test
