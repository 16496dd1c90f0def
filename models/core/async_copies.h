// The asynchronous copies that the warps have begun. Each copy comes from global memory as an
// access without a destination register and then goes to the scratchpad as a store; copies out of
// shared memory go the other way. The store takes the memory port, the banks and their passes as
// any other, but no issue slot.
#pragma once

#include <fermata/models/core/load_store_unit.h>
#include <fermata/models/core/product_engine.h>

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

  /// `multicastLatency`: BulkEngineParameters::multicastLatency.
  AsyncCopies(const LoadStoreUnit& loadStore, ProductEngine& products, Cycle multicastLatency)
      : loadStore_(loadStore), products_(products), multicastLatency_(multicastLatency) {}

  /// True if the copy is an arrival at an mbarrier, behind others.
  static bool arrives(const Copy& copy) {
    const CopyStep step = copy.instruction->copyStep;
    return step == CopyStep::Arrive || step == CopyStep::Complete;
  }

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
    ripen(now);
    if (ripe_.empty()) return;
    std::array<bool, 2> free = portsFree(now);
    for (std::size_t k = 0; k < ripe_.size();) {
      const Known one = ripe_[k];
      if (!one.stores && !(free[one.out] && mayStore(one.index))) {
        ++k;
        continue;
      }
      ripe_.erase(ripe_.begin() + static_cast<std::ptrdiff_t>(k));
      if (one.stores) {
        end(remove(one.index));
      } else {
        store(copies_[one.index]);
        learn(one.index);
        free = portsFree(now);
      }
      ripen(now);  // both calls may note further arrivals
      k = placeOf(one.index + 1);
    }
    compact();
  }
  /// Returns the first cycle, `from` or later, in which move() has work; kNever: not before another
  /// event.
  Cycle due(Cycle from) const;

 private:
  /// A copy whose `at` is known, with what is asked of it most: in `later_` or, once a call of
  /// move() has come to `at`, in `ripe_`.
  struct Known {
    Cycle at = 0;
    std::uint32_t index = 0;
    bool stores = false, out = false;
  };

  static bool comesBehind(const Copy& copy, const Copy& older);
  static MemorySpace spaceOf(bool out) { return out ? MemorySpace::Global : MemorySpace::Shared; }
  std::array<bool, 2> portsFree(Cycle now) const {
    return {loadStore_.storeFree(spaceOf(false), now) == now,
            loadStore_.storeFree(spaceOf(true), now) == now};
  }
  bool mayStore(std::uint32_t index) const {
    const Copy& copy = copies_[index];
    return copy.older == 0 && !loadStore_.holdsMemory(copy.slot);
  }
  /// Moves the copies whose `at` has come to `ripe_`.
  void ripen(Cycle now) {
    while (!later_.empty() && later_.back().at <= now) {
      ripe_.insert(ripe_.begin() + static_cast<std::ptrdiff_t>(placeOf(later_.back().index)),
                   later_.back());
      later_.pop_back();
    }
  }
  /// Returns the place in `ripe_` of the first copy from `index` on.
  std::size_t placeOf(std::uint32_t index) const;
  Cycle mayMove(const Known& one, Cycle from) const;
  void learn(std::uint32_t index);
  Copy remove(std::uint32_t index);
  void compact();
  std::vector<Copy>::iterator find(unsigned slot, std::uint64_t number);

  const LoadStoreUnit& loadStore_;
  ProductEngine& products_;
  Cycle multicastLatency_;
  std::vector<Copy> copies_;  ///< in the order in which they began; those that are over, too
  std::size_t first_ = 0;     ///< all before are over
  std::size_t live_ = 0;      ///< copies that are not over
  std::vector<Known> ripe_;   ///< by rising index
  std::vector<Known> later_;  ///< by falling `at`
  std::vector<std::uint32_t> behind_;  ///< indices of those that come behind others, rising
  std::array<unsigned, kMaxWarpSlots> count_{};
};

}  // namespace fermata
