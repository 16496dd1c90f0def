#include <fermata/models/probe/counters.h>

#include <fermata/models/transaction/warp_access.h>

namespace fermata {

const char* name(StallCause cause) {
  switch (cause) {
    case StallCause::Scoreboard:
      return "scoreboard";
    case StallCause::Barrier:
      return "barrier";
    case StallCause::MemoryPort:
      return "memory_port";
    case StallCause::Pipeline:
      return "pipeline";
    case StallCause::Idle:
      return "idle";
  }
  return "";
}

void Counters::gridStarted(const Grid&, Cycle) {
  ++totals_.launches;
}

// Resident warps over time: the sum of (end - start) needs no list of who is resident.
void Counters::ctaStarted(std::uint64_t, unsigned warps, Cycle at) {
  ++totals_.ctas;
  totals_.warpCycles -= warps * at;
}

void Counters::ctaEnded(std::uint64_t, unsigned warps, Cycle at) {
  totals_.warpCycles += warps * at;
}

void Counters::issued(const IssueEvent& event) {
  ++totals_.warpInstructions;
  totals_.threadInstructions += laneCount(event.active);
}

void Counters::stalled(StallCause cause, Cycle, Cycle, std::uint64_t slots) {
  totals_.stalls[static_cast<unsigned>(cause)] += slots;
}

void Counters::sharedAccess(const WarpAccess& access) {
  switch (access.instruction.operation) {
    case MemoryOperation::Load:
      ++totals_.sharedLoads;
      break;
    case MemoryOperation::Store:
      ++totals_.sharedStores;
      break;
    case MemoryOperation::Atomic:
      ++totals_.sharedAtomics;
      break;
  }
  totals_.conflictPasses += access.allPasses;
  totals_.freePasses += access.allGroups;
}

void Counters::globalAccess(const WarpAccess& access) {
  ++totals_.globalAccesses;
  totals_.globalSegments += access.allSegments;
}

}  // namespace fermata
