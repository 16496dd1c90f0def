// Exact division by a constant: one multiplication and a shift.
#pragma once

#include <cstdint>

namespace fermata::indexing {

/// Quotients of dividends 0 <= x < limit by a divisor of 1 to 4096, without a divide instruction.
/// With e = magic * divisor - 2^shift, floor(x * magic / 2^shift) is the quotient as long as x * e
/// < 2^shift (Granlund and Montgomery 1994). Where the rounded-up constant of 32 bits does not
/// reach, the rounded-down one applied to x + 1 does (Robison 2005).
class Reciprocal {
 public:
  /// Throws std::invalid_argument unless divisor is 1 to 4096 and limit is 1 or more.
  Reciprocal(std::uint32_t divisor, std::uint32_t limit);

  std::uint32_t quotient(std::uint32_t x) const {
    return static_cast<std::uint32_t>((x * magic_ + increment_) >> shift_);
  }
  std::uint32_t divisor() const { return divisor_; }
  std::uint32_t limit() const { return limit_; }
  std::uint64_t magic() const { return magic_; }
  std::uint64_t increment() const { return increment_; }
  unsigned shift() const { return shift_; }
  /// True if the product stays below 2^32 and there is no increment: 32-bit lanes suffice.
  bool narrow() const { return narrow_; }

 private:
  bool findNarrow();
  void findWide();

  std::uint32_t divisor_;
  std::uint32_t limit_;
  std::uint64_t magic_ = 1;
  std::uint64_t increment_ = 0;
  unsigned shift_ = 0;
  bool narrow_ = true;
};

}  // namespace fermata::indexing
