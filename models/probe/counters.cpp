#include <fermata/models/probe/counters.h>

#include <algorithm>

#include <fermata/models/transaction/warp_access.h>

namespace fermata {

const char* name(StallCause cause) {
  static constexpr const char* kNames[kStallCauses] = {
      "scoreboard", "barrier",       "memory_port", "pipeline",
      "idle",       "bank_conflict", "writeback",   "safe_distance"};
  return kNames[static_cast<unsigned>(cause)];
}

const Figures<Counters::Totals>& Counters::workFigures() {
  static const Figures<Totals> all{
      {"launches", "launches", "kernel launches (grids)", &Totals::launches},
      {"ctas", "CTAs", "thread blocks that ran", &Totals::ctas},
      {"warp_instructions", "warp instructions", "instructions issued, one per warp",
       &Totals::warpInstructions},
      {"thread_instructions", "thread instructions",
       "active lanes of the warp instructions, summed", &Totals::threadInstructions}};
  return all;
}

const Figures<Counters::Totals>& Counters::accessFigures() {
  static const Figures<Totals> all{
      {"shared_accesses", "accesses", "warp-wide accesses to shared memory",
       &Totals::sharedAccesses},
      {"shared_loads", "accesses", "loads among shared_accesses", &Totals::sharedLoads},
      {"shared_stores", "accesses", "stores among shared_accesses", &Totals::sharedStores},
      {"shared_atomics", "accesses", "atomics among shared_accesses", &Totals::sharedAtomics},
      {"wavefronts", "passes",
       "passes of the shared accesses, as Nsight Compute's L1 Wavefronts Shared",
       &Totals::conflictPasses},
      {"wavefronts_ideal", "passes",
       "passes of the shared accesses without any conflict: one per lane group that asks "
       "(crossbar.groups_32, groups_64, groups_128), plus crossbar.extra_passes_128",
       &Totals::freePasses},
      {"wavefronts_excessive", "passes",
       "wavefronts - wavefronts_ideal: conflict cycles of the shared accesses",
       &Totals::bankConflictCycles},
      {"mean_passes", "passes/access",
       "mean passes of a shared access; empty when nothing was accessed",
       [](const Totals& t) { return ratio(t.conflictPasses, t.sharedAccesses()); }},
      {"max_passes", "passes/access",
       "largest number of passes of a shared access; 0 when nothing was accessed",
       &Totals::mostPasses},
      {"global_accesses", "accesses", "warp-wide accesses to global memory",
       &Totals::globalAccesses},
      {"global_segments", "segments", "memory segments that the global accesses touched",
       &Totals::globalSegments}};
  return all;
}

const Figures<Counters::Totals>& Counters::stallFigures() {
  const auto slots = [](StallCause cause) {
    return [cause](const Totals& t) { return t.stalled(cause); };
  };
  static const Figures<Totals> all{
      {"stall_scoreboard", "issue-slot cycles",
       "issue slots lost: warps wait for registers, a branch's target, a line of instructions or "
       "their next turn (one issue per cycle)",
       slots(StallCause::Scoreboard)},
      {"stall_barrier", "issue-slot cycles", "issue slots lost: warps wait at barriers",
       slots(StallCause::Barrier)},
      {"stall_memory_port", "issue-slot cycles", "issue slots lost: the load/store port is held",
       slots(StallCause::MemoryPort)},
      {"stall_pipeline", "issue-slot cycles",
       "issue slots lost: an arithmetic pipeline is held; where pipeline.organisation is not "
       "decoupled, the last warp's subwarps go in",
       slots(StallCause::Pipeline)},
      {"stall_idle", "issue-slot cycles", "issue slots lost: the scheduler has no warp",
       slots(StallCause::Idle)}};
  return all;
}

const Figures<Counters::Totals>& Counters::pipelineStallFigures() {
  static const Figures<Totals> all{
      {"stall_bank_conflict", "issue-slot cycles",
       "issue slots lost: the front end stands still behind the passes of a shared access; empty "
       "where pipeline.organisation is decoupled",
       [](const Totals& t) { return t.stalled(StallCause::BankConflict); }},
      {"stall_schedule_fail", "issue-slot cycles",
       "issue slots lost: no warp may issue; it waits for registers, a barrier, its instruction in "
       "flight, or the safe distance behind a bank conflict; empty where pipeline.organisation is "
       "decoupled",
       &Totals::scheduleFails},
      {"stall_writeback", "issue-slot cycles",
       "issue slots lost: the front end stands still behind an instruction that waits for its turn "
       "to write back; empty where pipeline.organisation is decoupled",
       [](const Totals& t) { return t.stalled(StallCause::Writeback); }}};
  return all;
}

// Launches are those of the chip, and each multiprocessor is told of all: not summed.
void Counters::Totals::add(const Totals& other) {
  ctas += other.ctas;
  warpInstructions += other.warpInstructions;
  threadInstructions += other.threadInstructions;
  sharedLoads += other.sharedLoads;
  sharedStores += other.sharedStores;
  sharedAtomics += other.sharedAtomics;
  conflictPasses += other.conflictPasses;
  freePasses += other.freePasses;
  mostPasses = std::max(mostPasses, other.mostPasses);
  globalAccesses += other.globalAccesses;
  globalSegments += other.globalSegments;
  for (unsigned cause = 0; cause < kStallCauses; ++cause) stalls[cause] += other.stalls[cause];
  warpCycles += other.warpCycles;
}

void Counters::gridStarted(const Grid&, Cycle) {
  ++totals_.launches;
}

// Sums (end - start) of all warps; a start is subtracted at once, so no list of resident CTAs is
// needed.
void Counters::ctaStarted(std::uint64_t, unsigned warps, Cycle at) {
  ++totals_.ctas;
  totals_.warpCycles -= warps * at;
}

void Counters::ctaEnded(std::uint64_t, unsigned warps, Cycle at) {
  totals_.warpCycles += warps * at;
}

void Counters::issued(const IssueEvent& event) {
  count(event.grid.program, [&](Totals& totals) {
    ++totals.warpInstructions;
    totals.threadInstructions += laneCount(event.active);
  });
}

void Counters::add(const Counters& other) {
  totals_.add(other.totals_);
  for (std::size_t program = 0; program < parts_.size(); ++program)
    parts_[program].add(other.parts_[program]);
}

void Counters::stalled(StallCause cause, Cycle, Cycle, std::uint64_t slots) {
  totals_.stalls[static_cast<unsigned>(cause)] += slots;
}

namespace {

void addShared(Counters::Totals& totals, const WarpAccess& access) {
  switch (access.instruction.operation) {
    case MemoryOperation::Load:
      ++totals.sharedLoads;
      break;
    case MemoryOperation::Store:
      ++totals.sharedStores;
      break;
    case MemoryOperation::Atomic:
      ++totals.sharedAtomics;
      break;
  }
  totals.conflictPasses += access.allPasses;
  totals.freePasses += access.allFreePasses;
  totals.mostPasses = std::max<std::uint64_t>(totals.mostPasses, access.allPasses);
}

}  // namespace

void Counters::sharedAccess(const WarpAccess& access) {
  count(access.program, [&](Totals& totals) { addShared(totals, access); });
}

void Counters::globalAccess(const WarpAccess& access) {
  count(access.program, [&](Totals& totals) {
    ++totals.globalAccesses;
    totals.globalSegments += access.allSegments;
  });
}

}  // namespace fermata
