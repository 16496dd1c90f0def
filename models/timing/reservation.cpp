#include <fermata/models/timing/reservation.h>

#include <utility>

namespace fermata {

Cycle Reservation::firstGap(Cycle from, Cycle length) const {
  for (const Interval& taken : earlier_) {
    if (from + length <= taken.from) return from;
    from = std::max(from, taken.to);
  }
  return behind(last_, from, length);
}

void Reservation::insert(Interval added) {
  if (added.from == added.to) return;
  if (added.from >= last_.to) std::swap(added, last_);
  const auto place = std::find_if(earlier_.begin(), earlier_.end(),
                                  [&](const Interval& i) { return i.from > added.from; });
  earlier_.insert(place, added);
}

}  // namespace fermata
