// Decides whether atomics on one word can have happened one after another.
#pragma once

#include "tests/support/test.h"

namespace fermata::test {

/// Value that an atomic found, and value that it left.
struct Transition {
  std::uint64_t from = 0, to = 0;
};

/// Returns whether an order exists in which each atomic finds what the previous one left, from
/// `first` to `last`. That is a walk over every edge of a graph of values (Euler): each value is
/// left as often as found, except at the two ends, and all edges are connected.
inline bool sequential(const std::vector<Transition>& all, std::uint64_t first,
                       std::uint64_t last) {
  std::map<std::uint64_t, int> balance;
  std::map<std::uint64_t, std::vector<std::uint64_t>> next;
  for (const Transition& one : all) {
    ++balance[one.from];
    --balance[one.to];
    next[one.from].push_back(one.to);
  }
  --balance[first];
  ++balance[last];
  for (const auto& [value, left] : balance) {
    if (left != 0) return false;
  }
  std::set<std::uint64_t> reached{first};
  std::vector<std::uint64_t> todo{first};
  while (!todo.empty()) {
    const std::uint64_t value = todo.back();
    todo.pop_back();
    for (const std::uint64_t to : next[value]) {
      if (reached.insert(to).second) todo.push_back(to);
    }
  }
  for (const Transition& one : all) {
    if (reached.count(one.from) == 0) return false;
  }
  return true;
}

}  // namespace fermata::test
