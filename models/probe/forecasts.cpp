#include <fermata/models/probe/forecasts.h>

namespace fermata {

const Figures<ForecastCounters::Counts>& ForecastCounters::figures() {
  static const Figures<Counts> all{
      {"history_hits", "accesses",
       "shared accesses whose PC was in the conflict history; empty where there is none",
       &Counts::hits},
      {"history_misses", "accesses",
       "shared accesses whose PC was not in the conflict history; empty where there is none",
       &Counts::misses},
      {"history_wrong", "accesses",
       "shared accesses that took other passes than foretold; empty where there is no conflict "
       "history",
       &Counts::wrong}};
  return all;
}

}  // namespace fermata
