// The asynchronous copies that the warps have begun. Each copy comes from global memory as an
// access without a destination register and then goes to the scratchpad as a store; copies out of
// shared memory go the other way. The store takes the memory port, the banks and their passes as
// any other, but no issue slot.
#pragma once

#include <fermata/models/core/load_store_unit.h>
#include <fermata/models/core/product_engine.h>

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
    std::uint64_t group = 0;     ///< number of its group within the warp; kNever: none
    std::uint64_t sequence = 0;  ///< WarpAccess::sequence of the access under way for the copy
    bool stores = false;         ///< the access under way is the store
    unsigned older = 0;          ///< copies of the warp, not stored yet, that this one comes behind
    ProductEngine::Plan plan{};  ///< of the product whose last piece this is; interval 0: none
    Cycle at = kNever;           ///< cycle in which the data are there, or stored; kNever: unknown
  };

  AsyncCopies(const LoadStoreUnit& loadStore, ProductEngine& products)
      : loadStore_(loadStore), products_(products) {}

  bool none() const { return live_ == 0; }
  /// Returns the number of the warp's copies that are not stored.
  unsigned count(unsigned slot) const { return count_[slot]; }
  /// True if the warp has a copy of a group before `group`. `reads`: one that has not read yet.
  bool before(unsigned slot, std::uint64_t group, bool reads) const;

  void begin(Copy copy);
  /// Notes that the copy of this number is the last piece of a product.
  void setPlan(unsigned slot, std::uint64_t number, const ProductEngine::Plan& plan);
  /// Notes that a copy that has waited for the engine goes as the access of this number.
  void sent(unsigned slot, std::uint64_t number, std::uint64_t sequence);
  /// Notes that the access of a copy has been answered: the data are there, or stored, in cycle
  /// `at`. Returns false if the access belongs to no copy.
  bool arrived(std::uint64_t sequence, Cycle at);
  /// Calls store(copy) for each copy that has come and may be stored now, and end(copy) for each
  /// stored one, oldest first. `store` sets what it knows of the copy: sequence, stores, at.
  template <class Store, class End>
  void move(Cycle now, Store store, End end) {
    // Both calls may note further arrivals.
    for (auto one = known_.begin(); one != known_.end();) {
      const std::uint32_t index = *one;
      Copy& copy = copies_[index];
      if (copy.stores && copy.at <= now) {
        known_.erase(one);
        end(remove(index));
      } else if (copy.at <= now && storeFree(copy, now) == now) {
        store(copy);
        if (copy.at == kNever) forget(index);
      }
      one = std::upper_bound(known_.begin(), known_.end(), index);
    }
    compact();
  }
  /// Returns the first cycle, `from` or later, in which move() has work; kNever: not before another
  /// event.
  Cycle due(Cycle from) const;

 private:
  using Indices = std::vector<std::uint32_t>;  ///< of copies, rising

  static bool comesBehind(const Copy& copy, const Copy& older);
  static bool comesBehindAny(const Copy& copy);
  Cycle storeFree(const Copy& copy, Cycle from) const;
  Copy remove(std::uint32_t index);
  void know(std::uint32_t index);
  void forget(std::uint32_t index);
  void compact();
  std::vector<Copy>::iterator find(unsigned slot, std::uint64_t number);

  const LoadStoreUnit& loadStore_;
  ProductEngine& products_;
  std::vector<Copy> copies_;  ///< in the order in which they began; those that are over, too
  std::size_t first_ = 0;     ///< all before are over
  std::size_t live_ = 0;      ///< copies that are not over
  Indices known_;   ///< of those whose `at` is known: few, where hundreds are on their way
  Indices behind_;  ///< of those that come behind others
  std::array<unsigned, kMaxWarpSlots> count_{};
};

}  // namespace fermata
