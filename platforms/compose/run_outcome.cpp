#include <fermata/platforms/compose/run_outcome.h>

namespace fermata::platforms {

const Figures<RunOutcome>& RunOutcome::mappingFigures() {
  static const Figures<RunOutcome> all{
      {"indexer", "", "bank mapping of the scratchpad",
       [](const RunOutcome& run) { return run.indexer.text(); }},
      {"banks", "banks", "banks of the scratchpad",
       [](const RunOutcome& run) { return run.indexer.shape().banks; }}};
  return all;
}

const Figures<RunOutcome>& RunOutcome::timeFigures() {
  static const Figures<RunOutcome> all{
      {"cycles", "cycles", "SM cycles from the first launch to the end of the last",
       &RunOutcome::cycles},
      {"ipc", "warp instructions/cycle", "warp instructions per cycle; empty when no cycle passed",
       [](const RunOutcome& run) { return ratio(run.totals.warpInstructions, run.cycles); }}};
  return all;
}

const Figures<RunOutcome>& RunOutcome::residencyFigures() {
  static const Figures<RunOutcome> all{
      {"active_warps_mean", "warps",
       "resident warps of an SM, averaged over the cycles (and the SMs of a chip)",
       [](const RunOutcome& run) -> std::optional<double> {
         if (run.beside) return {};
         return ratio(run.totals.warpCycles, run.cycles * run.sms).value_or(0);
       }},
      {"occupancy", "ratio",
       "most warps resident on an SM, divided by the warps that the SM can hold",
       [](const RunOutcome& run) -> std::optional<double> {
         if (run.beside) return {};
         return ratio(run.residentWarps, run.warpSlots);
       }},
      {"occupancy_limiter", "",
       "limit of the resident warps: ctas, warps, threads, registers, shared or grid",
       [](const RunOutcome& run) { return run.beside ? "" : name(run.occupancy.limiter); }}};
  return all;
}

const Figures<RunOutcome>& RunOutcome::verificationFigures() {
  static const Figures<RunOutcome> all{
      {"verified", "",
       "check of the data read back from the banks: true, false, or off when not checked",
       [](const RunOutcome& run) { return run.compared > 0 ? "true" : "off"; }}};
  return all;
}

const Figures<RunOutcome>& RunOutcome::hostFigures() {
  static const Figures<RunOutcome> all{
      {"wall_seconds", "s",
       "host time that the run took: CPU time of one thread, or the clock's time of several",
       &RunOutcome::wallSeconds}};
  return all;
}

}  // namespace fermata::platforms
