#include <fermata/models/timing/reservation.h>

#include <iterator>
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
  const auto place = std::lower_bound(earlier_.begin(), earlier_.end(), added.from,
                                      [](const Interval& i, Cycle from) { return i.from <= from; });
  // A crowded resource has few gaps: intervals without one between them are one interval.
  const bool joinsBefore = place != earlier_.begin() && std::prev(place)->to == added.from;
  const bool joinsBehind = place != earlier_.end() && place->from == added.to;
  if (joinsBefore && joinsBehind) {
    std::prev(place)->to = place->to;
    earlier_.erase(place);
  } else if (joinsBefore) {
    std::prev(place)->to = added.to;
  } else if (joinsBehind) {
    place->from = added.from;
  } else {
    earlier_.insert(place, added);
  }
}

void Reservation::forget(Cycle now) {
  const auto rest =
      std::find_if(earlier_.begin(), earlier_.end(), [&](const Interval& i) { return i.to > now; });
  earlier_.erase(earlier_.begin(), rest);
}

}  // namespace fermata
