// A pool of units of one kind; an instruction takes any free unit.
#pragma once

#include <fermata/models/timing/reservation.h>

namespace fermata {

class UnitPool {
 public:
  /// `units`: 1 or more.
  explicit UnitPool(unsigned units = 1) : units_(units) {}

  /// Returns the first cycle from `from` on in which a unit is free; kNever while all are held
  /// without an end.
  Cycle free(Cycle from) const { return from >= end_ ? from : search(from, 1); }
  /// Returns the first cycle from `from` on from which a unit is free for `length` cycles.
  Cycle freeFor(Cycle from, Cycle length) const {
    return from >= end_ ? from : search(from, length);
  }
  /// Returns the cycle from which at least one unit is free for good.
  Cycle end() const { return end_; }
  /// Takes a unit for the cycles [from, to). Precondition: one is free for them. `now` is the cycle
  /// of the call.
  [[gnu::always_inline]] void take(Cycle now, Cycle from, Cycle to) {
    for (Reservation& unit : units_) {
      if (unit.free(from, to - from) != from) continue;
      unit.take(now, from, to);
      break;
    }
    findEnd();
  }
  /// Frees one of the units that are held without an end, from cycle `at` on.
  void releaseOne(Cycle at) {
    for (Reservation& unit : units_) {
      if (unit.end() != kNever) continue;
      unit.release(at);
      break;
    }
    findEnd();
  }
  /// Takes the unit from `now` until release(). Precondition: the pool has one unit.
  void hold(Cycle now) { take(now, now, kNever); }
  void release(Cycle at) {
    units_.front().release(at);
    end_ = units_.front().end();
  }
  /// Frees the unit from cycle `at` on, and no earlier. Precondition: the pool has one unit.
  void freeFrom(Cycle at) {
    units_.front() = Reservation();
    units_.front().take(0, 0, at);
    end_ = at;
  }

 private:
  Cycle search(Cycle from, Cycle length) const {
    Cycle least = kNever;
    for (const Reservation& unit : units_) least = std::min(least, unit.free(from, length));
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
