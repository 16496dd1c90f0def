#include <fermata/models/probe/stages.h>

namespace fermata {

const Figures<StageCounters>& StageCounters::figures() {
  using Self = StageCounters;
  static const Figures<Self> all{
      {"stall_bank_conflict", "issue-slot cycles",
       "issue slots lost: the front end stands still behind a shared access in passes; empty where "
       "pipeline.organisation is decoupled",
       [](const Self& s) { return s.of(StallCause::BankConflict); }},
      {"stall_schedule_fail", "issue-slot cycles",
       "issue slots lost: no warp may issue, for its registers, a barrier, its instruction on the "
       "way, or the safe distance behind a bank conflict; empty where pipeline.organisation is "
       "decoupled",
       &Self::scheduleFails},
      {"stall_writeback", "issue-slot cycles",
       "issue slots lost: the front end stands still behind an instruction that waits for its turn "
       "to write back; empty where pipeline.organisation is decoupled",
       [](const Self& s) { return s.of(StallCause::Writeback); }},
      {"history_hits", "accesses",
       "shared accesses whose PC was in the conflict history; empty where there is none",
       [](const Self& s) { return s.ofHistory(s.hits_); }},
      {"history_misses", "accesses",
       "shared accesses whose PC was not there; empty where there is no history",
       [](const Self& s) { return s.ofHistory(s.misses_); }},
      {"history_wrong", "accesses",
       "of both: those that took other passes than foretold; empty where there is no history",
       [](const Self& s) { return s.ofHistory(s.wrong_); }}};
  return all;
}

}  // namespace fermata
