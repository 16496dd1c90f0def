// Shared accesses by the passes that they took.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// Passes are cycles that an access held the banks. They are its conflict degree only where a bank
/// has one port, a lane one word and the warp is served at once.
class PassHistogram {
 public:
  /// An access that took this many passes and would have taken `conflictFree` without a conflict:
  /// more than one where it is served in several parts (half warps, wide accesses).
  void add(unsigned passes, unsigned conflictFree) {
    if (passes >= accessesOf_.size()) grow(passes);
    ++accessesOf_[passes];
    conflictFree_ += conflictFree;
  }

  std::uint64_t accesses() const;
  std::uint64_t passes() const;  ///< summed over the accesses
  /// Passes beyond those without a conflict, summed.
  std::uint64_t conflictCycles() const { return passes() - conflictFree_; }
  unsigned most() const;               ///< passes of the slowest access; 0 when there is no access
  std::optional<double> mean() const;  ///< passes / accesses; nothing when there is no access
  /// "1:100;32:20": 100 accesses took 1 pass, 20 took 32. Empty when there is no access.
  std::string text() const;

 private:
  void grow(unsigned passes);

  std::vector<std::uint64_t> accessesOf_;  // by passes
  std::uint64_t conflictFree_ = 0;
};

}  // namespace fermata
