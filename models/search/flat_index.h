// Numbers found by hash, in one array. AccessSets looks here for every access that it has not seen
// lately.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermata::search {

class FlatIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Returns the number added with an equal hash for which equal(number) holds; kNone if there is
  /// none.
  template <typename Equal>
  std::uint32_t find(std::uint64_t hash, const Equal& equal) const {
    if (slots_.empty()) return kNone;
    const auto tag = static_cast<std::uint32_t>(hash);
    for (std::size_t at = tag & mask();; at = (at + 1) & mask()) {
      const Slot& slot = slots_[at];
      if (slot.number == kNone) return kNone;
      if (slot.tag == tag && equal(slot.number)) return slot.number;
    }
  }
  /// `number` is below kNone.
  void add(std::uint64_t hash, std::uint32_t number) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    put({static_cast<std::uint32_t>(hash), number});
    ++size_;
  }
  void clear() {
    slots_.assign(slots_.size(), Slot{});
    size_ = 0;
  }

 private:
  static constexpr std::size_t kLeastSlots = 64;

  struct Slot {
    std::uint32_t tag = 0;  ///< low bits of the hash: enough to find its place again
    std::uint32_t number = kNone;
  };

  std::size_t mask() const { return slots_.size() - 1; }
  void put(Slot slot) {
    std::size_t at = slot.tag & mask();
    while (slots_[at].number != kNone) at = (at + 1) & mask();
    slots_[at] = slot;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? kLeastSlots : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number != kNone) put(slot);
    }
  }

  std::vector<Slot> slots_;  ///< a power of two of slots, at most half of them taken
  std::size_t size_ = 0;
};

}  // namespace fermata::search
