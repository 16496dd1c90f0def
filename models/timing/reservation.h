// A resource that one user holds at a time, kept as the intervals of cycles in which it is taken.
// Nothing is ticked. Example: "taken from t + 3 to t + 9" is a reservation made in cycle t.
#pragma once

#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>
#include <vector>

namespace fermata {

class Reservation {
 public:
  /// Returns the first cycle from `from` on at which the resource is free for `length` cycles;
  /// kNever while it is held without an end.
  Cycle free(Cycle from, Cycle length = 1) const {
    if (from >= last_.to) return from;
    return earlier_.empty() ? behind(last_, from, length) : firstGap(from, length);
  }
  /// Returns the cycle from which the resource is free for good.
  Cycle end() const { return last_.to; }
  /// Takes the cycles [from, to); none when from == to. Precondition: these cycles are free. `now`
  /// is the cycle of the call: intervals that ended by then are forgotten.
  void take(Cycle now, Cycle from, Cycle to) {
    if (now >= last_.to) {
      if (!earlier_.empty()) earlier_.clear();
      last_ = {from, to};
    } else if (from == last_.to) {
      last_.to = to;
    } else {
      insert({from, to});
    }
  }
  /// Forgets the intervals that ended by cycle `now`: nothing asks for cycles before it any more.
  void forget(Cycle now);
  /// Takes the resource from `now` until release().
  void hold(Cycle now) { take(now, now, kNever); }
  /// Ends the last interval at `at`, or at its begin if that is later.
  void release(Cycle at) { last_.to = std::max(at, last_.from); }

 private:
  struct Interval {
    Cycle from;
    Cycle to;
  };

  static Cycle behind(const Interval& taken, Cycle from, Cycle length) {
    return from + length <= taken.from ? from : std::max(from, taken.to);
  }
  Cycle firstGap(Cycle from, Cycle length) const;
  void insert(Interval added);

  Interval last_{0, 0};
  std::vector<Interval> earlier_;  ///< in rising order, all before `last_`; mostly empty
};

}  // namespace fermata
