// Histogram of shared accesses by their number of passes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// Passes are cycles that an access holds the banks. They equal its degree only if a bank has one
/// port, a lane one word and the warp is one lane group.
class PassHistogram {
 public:
  /// Adds an access with `passes` passes. `conflictFree`: its ideal passes, more than one if it has
  /// several lane groups (half warps, wide accesses).
  void add(unsigned passes, unsigned conflictFree) {
    if (passes >= accessesOf_.size()) grow(passes);
    ++accessesOf_[passes];
    conflictFree_ += conflictFree;
  }
  void add(const PassHistogram& other);

  std::uint64_t accesses() const;
  std::uint64_t passes() const;  ///< summed over the accesses
  /// Passes beyond the ideal ones, summed over the accesses.
  std::uint64_t conflictCycles() const { return passes() - conflictFree_; }
  unsigned most() const;               ///< passes of the slowest access; 0 if there is no access
  std::optional<double> mean() const;  ///< passes / accesses; nothing if there is no access
  /// "1:100;32:20": 100 accesses took 1 pass, 20 took 32. Empty if there is no access.
  std::string text() const;

 private:
  void grow(unsigned passes);

  std::vector<std::uint64_t> accessesOf_;  // by passes
  std::uint64_t conflictFree_ = 0;
};

}  // namespace fermata
