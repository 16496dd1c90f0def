// Products of warp groups (wgmma) between their issue and their unit. A warp hands its part over
// and goes on, so that it reads the factors of its next product meanwhile. One product of a warp
// waits at most: the next one is handed over when it has begun.
#pragma once

#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/slot_mask.h>
#include <fermata/models/vocabulary/warp_instruction.h>

#include <algorithm>
#include <vector>

namespace fermata {

class GroupProducts {
 public:
  /// `slots`: warp slots; 0: no products wait.
  explicit GroupProducts(unsigned slots) : warps_(slots) {}

  bool exist() const { return !warps_.empty(); }
  /// Forgets the products of a workload that ended by an error.
  void clear() { waiting_ = 0; }
  /// True if `next` is a product that its warp hands over.
  bool takes(const StaticInstruction& next) const {
    return next.instructionClass == InstructionClass::Tensor &&
           next.arithmetic == Arithmetic::Product && exist();
  }
  /// Returns the product of the warp that waits for its factors; null: none does.
  const StaticInstruction* waiting(unsigned slot) const {
    return (waiting_ & slotBit(slot)) != 0 ? warps_[slot].product : nullptr;
  }
  void wait(unsigned slot, const StaticInstruction& product) {
    warps_[slot].product = &product;
    warps_[slot].begin = kNever;
    waiting_ |= slotBit(slot);
  }
  /// True if the product that waits has its unit.
  bool begun(unsigned slot) const { return warps_[slot].begin != kNever; }
  Cycle begunAt(unsigned slot) const { return warps_[slot].begin; }
  void begin(unsigned slot, Cycle at) { warps_[slot].begin = at; }
  /// Notes that the product does not wait any more, and ends in cycle `end`.
  void finish(unsigned slot, Cycle end) {
    waiting_ &= ~slotBit(slot);
    warps_[slot].end = end;
  }
  /// Returns the cycle from which the warp may hand over its next product; kNever: not known yet.
  Cycle room(unsigned slot) const {
    return (waiting_ & slotBit(slot)) != 0 ? kNever : warps_[slot].begin;
  }
  /// Returns the cycle in which the warp's last product ends whose factors are read.
  Cycle end(unsigned slot) const { return warps_[slot].end; }
  /// Returns how many operands, the last ones, may come when the product has begun. It reads the
  /// factor of the columns in parts of 64 columns, which are its last operands; sparse products,
  /// whose parts have 32, wait for half of them.
  static unsigned laterReads(const StaticInstruction& product) {
    constexpr unsigned kWorkOfRead = 64;
    return std::min<unsigned>(product.readCount, (product.tensorWork - 1) / kWorkOfRead);
  }

 private:
  struct Warp {
    const StaticInstruction* product = nullptr;
    Cycle begin = 0, end = 0;
  };
  std::vector<Warp> warps_;
  SlotMask waiting_ = 0;
};

}  // namespace fermata
