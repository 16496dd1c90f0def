// Units of one kind, of which an instruction takes whichever is free.
#pragma once

#include <fermata/models/timing/reservation.h>

namespace fermata {

class UnitPool {
 public:
  /// `units`: 1 or more.
  explicit UnitPool(unsigned units = 1) : units_(units) {}

  /// First cycle from `from` on in which a unit is free; kNever while all are held without an end.
  Cycle free(Cycle from) const { return from >= end_ ? from : search(from); }
  /// From here on a unit is free, whatever cycle is asked for.
  Cycle end() const { return end_; }
  /// Takes a unit for the cycles [from, to). Precondition: one is free for them. `now` is the cycle
  /// in which that becomes known.
  [[gnu::always_inline]] void take(Cycle now, Cycle from, Cycle to) {
    for (Reservation& unit : units_) {
      if (unit.free(from, to - from) != from) continue;
      unit.take(now, from, to);
      break;
    }
    findEnd();
  }
  /// One of the units that are held without an end is free from `at` on.
  void releaseOne(Cycle at) {
    for (Reservation& unit : units_) {
      if (unit.end() != kNever) continue;
      unit.release(at);
      break;
    }
    findEnd();
  }
  /// A unit is taken from `now` on, until release() says otherwise. Of a pool of one.
  void hold(Cycle now) { take(now, now, kNever); }
  void release(Cycle at) {
    units_.front().release(at);
    end_ = units_.front().end();
  }

 private:
  Cycle search(Cycle from) const {
    Cycle least = kNever;
    for (const Reservation& unit : units_) least = std::min(least, unit.free(from));
    return least;
  }

  void findEnd() {
    end_ = units_.front().end();
    for (std::size_t u = 1; u < units_.size(); ++u) end_ = std::min(end_, units_[u].end());
  }

  std::vector<Reservation> units_;
  Cycle end_ = 0;
};

}  // namespace fermata
