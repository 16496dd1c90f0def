// Time that conflicts take: cycles in which the banks make passes beyond the ideal ones, and cycles
// in which they rest while an access waits for such a pass.
//
// A warp alone whose access takes four passes with a distance of 2 (policy spaced):
//
//   cycle        0 1 2 3 4 5 6
//   banks        1 2 3 4          4 passes, 3 of them of conflicts
//   access       -------------    its data are complete after cycle 6
//   counted        c c c r r r    6 cycles: without conflicts the access would take one
//
// If another access holds the banks in cycle 5, that cycle counts for neither.
#pragma once

#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace fermata {

class ConflictTime {
 public:
  /// A try of an access that the banks have taken.
  struct Try {
    Cycle first = 0;  ///< first cycle in which it holds the banks
    Cycle held = 0;   ///< cycle behind the last one
    Cycle done = 0;   ///< cycle behind its last pass, for the access
    std::uint32_t passes = 0;
    std::uint32_t freePasses = 0;
    bool left = false;  ///< it leaves lanes, which are tried again
    Cycle since = 0;    ///< `held` of the access's first try if that left lanes; 0: it did not
  };

  void add(const Try& one);
  /// Returns the cycles counted since the last reset.
  std::uint64_t cycles() const;
  void reset();

 private:
  /// 64 cycles, by bit.
  struct Span {
    std::uint64_t number = 0;  ///< of the span: its first cycle / 64
    std::uint64_t busy = 0;    ///< the banks are held
    std::uint64_t waits = 0;   ///< an access waits for a pass of a conflict
  };
  static constexpr Cycle kCycles = 64;  ///< of a span
  static constexpr std::size_t kSpans =
      1024;  ///< spans kept: no try comes later than 65,536 cycles behind another

  /// Marks the cycles from `from` to before `to`.
  void mark(Cycle from, Cycle to, std::uint64_t Span::*what) {
    for (; from < to; from = from / kCycles * kCycles + kCycles) {
      const Cycle count = std::min(to - from, kCycles - from % kCycles);
      spanOf(from / kCycles).*what |= ~std::uint64_t{0} >> (kCycles - count) << from % kCycles;
    }
  }
  Span& spanOf(std::uint64_t number) {
    Span& span = spans_[number % kSpans];
    return span.number == number ? span : begin(span, number);
  }
  Span& begin(Span& span, std::uint64_t number);

  std::uint64_t passCycles_ = 0;
  std::uint64_t waitCycles_ = 0;  ///< of spans that are over
  std::array<Span, kSpans> spans_{};
};

}  // namespace fermata
