// Products of warp groups (wgmma) between their issue and their unit. A warp hands its part over
// and goes on, so that it reads the factors of its next products meanwhile. Products of a warp
// begin in order. Assumption: as many wait as the factors of the largest product, 256 columns in
// four parts, have room for: one of those, or four of 64 columns or fewer. On an H100 three or four
// explain the products of several groups within 3 percent, two within 12, eight within 16.
#pragma once

#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/warp_instruction.h>

#include <algorithm>
#include <array>
#include <vector>

namespace fermata {

class GroupProducts {
 public:
  struct Waiting {
    const StaticInstruction* product = nullptr;  ///< valid until its end is known
    unsigned parts = 0;                          ///< of 64 columns, the last one begun
    Cycle first = kNever;  ///< cycle in which its first factors are read; kNever: not known yet
    Cycle read = kNever;   ///< cycle in which all of them are
    Cycle begin = kNever;  ///< cycle in which it has its unit
  };

  /// `slots`: warp slots; 0: no products wait.
  explicit GroupProducts(unsigned slots) : warps_(slots) {}

  bool exist() const { return !warps_.empty(); }
  /// Forgets the products of a workload that ended by an error.
  void clear() {
    for (Warp& warp : warps_) warp = {};
  }
  /// True if `next` is a product that its warp hands over.
  bool takes(const StaticInstruction& next) const {
    return next.instructionClass == InstructionClass::Tensor &&
           next.arithmetic == Arithmetic::Product && exist();
  }
  /// Returns the cycle from which the warp may hand over `next`; kNever: not known yet.
  Cycle room(unsigned slot, const StaticInstruction& next) const {
    const Warp& warp = warps_[slot];
    unsigned parts = partsOf(next);
    for (unsigned newer = 0; newer < warp.count; ++newer) {
      const Waiting& one = at(warp, warp.count - 1 - newer);
      parts += one.parts;
      if (parts > kPartsOfLargest) return one.begin;
    }
    return 0;
  }
  /// Hands a product over. Precondition: there is room.
  void push(unsigned slot, const StaticInstruction& product) {
    Warp& warp = warps_[slot];
    if (warp.count == kMost) drop(warp);
    at(warp, warp.count++) = {&product, partsOf(product), kNever, kNever, kNever};
  }
  /// True if the end of a product of the warp is not known yet.
  bool open(unsigned slot) const { return warps_[slot].settled < warps_[slot].count; }
  /// Returns the oldest such product.
  Waiting& oldest(unsigned slot) { return at(warps_[slot], warps_[slot].settled); }
  /// Calls act(Waiting) for every such product.
  template <class Act>
  void eachOpen(unsigned slot, Act act) {
    Warp& warp = warps_[slot];
    for (unsigned k = warp.settled; k < warp.count; ++k) act(at(warp, k));
  }
  /// Notes that the oldest open product ends in cycle `end`.
  void settle(unsigned slot, Cycle end) {
    ++warps_[slot].settled;
    warps_[slot].end = end;
  }
  /// Returns the cycle in which the warp's last product ends whose end is known.
  Cycle end(unsigned slot) const { return warps_[slot].end; }
  /// Returns how many operands, the last ones, may come when the product has begun. It reads the
  /// factor of the columns in parts of 64 columns, which are its last operands; sparse products,
  /// whose parts have 32, wait for half of them.
  static unsigned laterReads(const StaticInstruction& product) {
    return std::min<unsigned>(product.readCount, partsOf(product) - 1);
  }

 private:
  static constexpr unsigned kMost = 8;            ///< products of a warp that are remembered
  static constexpr unsigned kWorkOfPart = 64;     ///< of 64 columns
  static constexpr unsigned kPartsOfLargest = 4;  ///< of 256 columns

  static unsigned partsOf(const StaticInstruction& product) {
    return (product.tensorWork + kWorkOfPart - 1) / kWorkOfPart;
  }

  struct Warp {
    std::array<Waiting, kMost> ring;
    unsigned head = 0, count = 0;
    unsigned settled = 0;  ///< of the `count` products, oldest first
    Cycle end = 0;
  };

  static const Waiting& at(const Warp& warp, unsigned k) {
    return warp.ring[(warp.head + k) % kMost];
  }
  static Waiting& at(Warp& warp, unsigned k) { return warp.ring[(warp.head + k) % kMost]; }
  static void drop(Warp& warp) {
    warp.head = (warp.head + 1) % kMost;
    --warp.count;
    --warp.settled;
  }

  std::vector<Warp> warps_;
};

}  // namespace fermata
