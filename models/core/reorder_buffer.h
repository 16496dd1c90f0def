// Instructions of a warp complete out of order and retire in order. Each instruction holds an entry
// of its warp's buffer from its issue until it and all earlier ones have completed. A full buffer
// holds up the warp's issue (Diamond et al., Arbitrary Modulus Indexing, MICRO 2014, section IV:
// each warp controller has a reorder buffer for in-order retirement). Plain C++.
#pragma once

#include <fermata/models/vocabulary/cycle.h>

#include <vector>

namespace fermata {

class ReorderBuffer {
 public:
  /// `entries`: entries per warp; 0: there is no buffer, and only used() may be called.
  ReorderBuffer(unsigned slots, unsigned entries)
      : size_(entries), entries_(std::size_t{slots} * entries), next_(slots, 0) {}

  bool used() const { return size_ != 0; }
  /// Empties the buffer of the slot, for a new warp.
  void clear(unsigned slot);

  /// Returns the first cycle in which the warp's next instruction finds an entry; kNever: not known
  /// yet.
  Cycle free(unsigned slot) const { return oldest(slot).retires; }
  /// Enters the warp's next instruction, which has issued and completes in cycle `at`. If `at` is
  /// kNever, complete() with the same `access` must follow; `access` is a number unique to it.
  /// Precondition: free(slot) is not later than the cycle of issue.
  void issue(unsigned slot, Cycle at, std::uint64_t access);
  /// Completes, in cycle `at`, the access that was issued with kNever.
  void complete(unsigned slot, std::uint64_t access, Cycle at);
  /// Returns the cycle in which all that the warp has issued has retired; kNever: not known yet.
  Cycle retired(unsigned slot) const;

 private:
  struct Entry {
    Cycle completes = 0;
    Cycle retires = 0;
    std::uint64_t access = 0;
  };

  const Entry& oldest(unsigned slot) const {
    return entries_[std::size_t{slot} * size_ + next_[slot]];
  }
  unsigned after(unsigned index) const { return index + 1 == size_ ? 0 : index + 1; }

  unsigned size_;
  std::vector<Entry> entries_;  ///< [slot][index]
  std::vector<unsigned> next_;  ///< by slot: index of the oldest entry, which is replaced next
};

}  // namespace fermata
