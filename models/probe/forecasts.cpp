#include <fermata/models/probe/forecasts.h>

namespace fermata {

const Figures<ForecastCounters::Counts>& ForecastCounters::figures() {
  static const Figures<Counts> all{
      {"history_hits", "accesses",
       "shared accesses whose PC was in the conflict history; empty without a conflict history",
       &Counts::hits},
      {"history_misses", "accesses",
       "shared accesses whose PC was not in the conflict history; empty without a conflict history",
       &Counts::misses},
      {"history_wrong", "accesses",
       "shared accesses whose passes differed from the prediction; empty without a conflict "
       "history",
       &Counts::wrong}};
  return all;
}

}  // namespace fermata
