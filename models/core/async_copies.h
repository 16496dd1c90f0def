// The asynchronous copies that the warps have begun. Each copy comes from global memory as an
// access without a destination register and then goes to the scratchpad as a store. The store takes
// the memory port, the banks and their passes as any other, but no issue slot. Plain C++.
#pragma once

#include <fermata/models/core/slot_mask.h>
#include <fermata/models/timing/cycle.h>
#include <fermata/models/transaction/warp_instruction.h>

#include <algorithm>
#include <array>
#include <vector>

namespace fermata {

class AsyncCopies {
 public:
  struct Copy {
    unsigned slot = 0;
    const StaticInstruction* instruction = nullptr;
    std::uint64_t number = 0;    ///< number of the copy, unique within its warp
    std::uint64_t group = 0;     ///< number of its group within the warp
    std::uint64_t sequence = 0;  ///< WarpAccess::sequence of the access under way for the copy
    bool stores = false;         ///< the access under way is the store
    Cycle at = kNever;           ///< cycle in which the data are there, or stored; kNever: unknown
  };

  bool none() const { return copies_.empty(); }
  /// Returns the copies in the order in which they began.
  std::vector<Copy>& all() { return copies_; }
  const std::vector<Copy>& all() const { return copies_; }

  void begin(const Copy& copy) {
    copies_.push_back(copy);
    ++count_[copy.slot];
  }
  void end(std::size_t index) {
    --count_[copies_[index].slot];
    copies_.erase(copies_.begin() + static_cast<std::ptrdiff_t>(index));
  }
  /// Notes that the access of a copy has been answered: the data are there, or stored, in cycle
  /// `at`. Returns false if the access belongs to no copy.
  bool arrived(std::uint64_t sequence, Cycle at) {
    const auto copy = std::find_if(copies_.begin(), copies_.end(), [&](const Copy& c) {
      return c.at == kNever && c.sequence == sequence;
    });
    if (copy == copies_.end()) return false;
    copy->at = at;
    return true;
  }

  /// True if the copy's data have come and the copy need not wait for older copies of its warp.
  bool mayStore(std::size_t index) const {
    const Copy& copy = copies_[index];
    if (copy.stores || copy.at == kNever) return false;
    if (copy.instruction->copyStep != CopyStep::Arrive) return true;
    return std::none_of(copies_.begin(), copies_.begin() + static_cast<std::ptrdiff_t>(index),
                        [&](const Copy& older) { return older.slot == copy.slot; });
  }
  /// Returns the number of the warp's copies that are not stored.
  unsigned count(unsigned slot) const { return count_[slot]; }
  /// True if the warp has a copy of a group before `group`.
  bool before(unsigned slot, std::uint64_t group) const {
    return std::any_of(copies_.begin(), copies_.end(),
                       [&](const Copy& c) { return c.slot == slot && c.group < group; });
  }

 private:
  std::vector<Copy> copies_;
  std::array<unsigned, kMaxWarpSlots> count_{};
};

}  // namespace fermata
