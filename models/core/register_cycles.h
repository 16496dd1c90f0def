// A cycle for each register of each warp, in 32 bits, so that fewer lines of the host's cache hold
// those of a warp. Cycles are kept as a distance from a base, which has passed: one before the base
// reads as the base. The base moves up when a distance would not fit. Plain C++.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fermata/models/vocabulary/cycle.h>

namespace fermata {

class RegisterCycles {
 public:
  /// Value of a cycle that is not known: kNever.
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

  /// Makes room for warps of `registers` registers each. All hold cycles that have passed.
  void configure(unsigned slots, std::uint32_t registers) {
    registers_ = registers;
    values_.assign(std::size_t{slots} * registers, 0);
  }
  /// Returns the values of a warp's registers. A greater value is a later cycle.
  std::uint32_t* of(unsigned slot) { return values_.data() + std::size_t{slot} * registers_; }
  const std::uint32_t* of(unsigned slot) const {
    return values_.data() + std::size_t{slot} * registers_;
  }
  void clear(unsigned slot) { std::fill_n(of(slot), registers_, 0U); }

  Cycle cycle(std::uint32_t value) const { return value == kUnknown ? kNever : base_ + value; }
  /// Returns the value of a cycle. May change the values of registers.
  std::uint32_t value(Cycle at) {
    const Cycle distance = at - base_;
    if (distance < kMost) return static_cast<std::uint32_t>(distance);
    return at == kNever ? kUnknown : farValue(at);
  }

 private:
  static constexpr Cycle kMost = Cycle{1} << 31;  ///< no cycle lies half as far in the future

  /// Returns the value of a cycle before the base or, after moving the base, far behind it.
  [[gnu::noinline]] std::uint32_t farValue(Cycle at) {
    if (at < base_) return 0;
    const Cycle by = at - kMost / 2 - base_;
    for (std::uint32_t& value : values_) {
      if (value != kUnknown) value = value > by ? static_cast<std::uint32_t>(value - by) : 0;
    }
    base_ += by;
    return static_cast<std::uint32_t>(at - base_);
  }

  std::uint32_t registers_ = 0;
  std::vector<std::uint32_t> values_;  ///< [slot][register]
  Cycle base_ = 0;
};

}  // namespace fermata
