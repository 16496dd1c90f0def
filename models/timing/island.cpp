#include <fermata/models/timing/island.h>

#include <algorithm>

namespace fermata {

void Island::begin(Ticks now) {
  now_ = std::max(now_, timeOf(now));
  end_ = std::max(end_, now_.value());
}

void Island::run(Ticks end) {
  end_ = end;
  ringBeforeEnd();
  now_ = timeOf(end);
}

}  // namespace fermata
