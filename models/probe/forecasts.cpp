#include <fermata/models/probe/forecasts.h>

namespace fermata {

const Figures<ForecastCounters::Counts>& ForecastCounters::figures() {
  static const Figures<Counts> all{
      {"history_hits", "accesses",
       "shared accesses whose PC was in the conflict history; empty where there is none",
       &Counts::hits},
      {"history_misses", "accesses",
       "shared accesses whose PC was not there; empty where there is no history", &Counts::misses},
      {"history_wrong", "accesses",
       "of both: those that took other passes than foretold; empty where there is no history",
       &Counts::wrong}};
  return all;
}

}  // namespace fermata
