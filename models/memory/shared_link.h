// Link of so many bytes per cycle that several senders share. A message takes its bytes of it, not
// whole cycles: three messages of 136 bytes pass a link of 408 bytes per cycle in one cycle.
//
// Time is counted in bytes: cycle c begins at byte c * bytesPerCycle.
#pragma once

#include <fermata/models/timing/reservation.h>
#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>
#include <cstdint>

namespace fermata {

/// For messages that come in the order of their times.
class OrderedLink {
 public:
  /// `bytesPerCycle`: 0: no limit.
  explicit OrderedLink(unsigned bytesPerCycle) : width_(bytesPerCycle) {}
  bool limits() const { return width_ != 0; }
  /// Passes a message whose bytes come in the cycles `first` to `last`. Returns the cycle in which
  /// its last byte leaves. Precondition: limits().
  Cycle pass(Cycle first, Cycle last, std::uint64_t bytes) {
    free_ = std::max(free_, first * width_) + bytes;
    return std::max(last, (free_ - 1) / width_);
  }

 private:
  std::uint64_t width_;
  std::uint64_t free_ = 0;  ///< in bytes
};

/// For messages that come in any order: each takes the first gap behind its time.
class UnorderedLink {
 public:
  /// `bytesPerCycle`: 0: no limit.
  explicit UnorderedLink(unsigned bytesPerCycle) : width_(bytesPerCycle) {}
  bool limits() const { return width_ != 0; }
  /// Passes a message that comes in cycle `first`. Returns the cycle from which a link that takes
  /// it in `length` cycles can have it, the first bytes while this one still has the last. `now`:
  /// no message to come is earlier. Precondition: limits().
  Cycle pass(Cycle now, Cycle first, std::uint64_t bytes, Cycle length) {
    taken_.forget(now * width_);
    const std::uint64_t start = taken_.free(first * width_, bytes);
    taken_.take(now * width_, start, start + bytes);
    const Cycle end = (start + bytes + width_ - 1) / width_;
    return std::max(start / width_, end - std::min(end, length));
  }

 private:
  std::uint64_t width_;
  Reservation taken_;  ///< in bytes
};

}  // namespace fermata
