#include <fermata/models/probe/profile.h>

#include <algorithm>

#include <fermata/models/transaction/warp_access.h>

namespace fermata {

void PcProfile::gridStarted(const Grid& grid, Cycle) {
  if (entries_.size() <= grid.program) entries_.resize(grid.program + 1);
  if (entries_[grid.program].size() < grid.instructionCount) {
    entries_[grid.program].resize(grid.instructionCount);
  }
}

void PcProfile::issued(const IssueEvent& event) {
  Entry& entry = entries_[event.grid.program][event.instruction.pc];
  entry.instructionClass = event.instruction.instructionClass;
  ++entry.executions;
  entry.threadExecutions += static_cast<unsigned>(__builtin_popcount(event.active));
  entry.lost += event.lost;
}

void PcProfile::sharedAccess(const WarpAccess& access) {
  Entry& entry = entries_[access.program][access.instruction.pc];
  if (entry.passes.empty()) entry.passes.resize(kWarpLanes * WarpAccess::kMaxWordsPerLane + 1);
  ++entry.passes[access.passes];
  entry.freePasses += access.groups;
}

void BankHistogram::sharedAccess(const WarpAccess& access) {
  const MemoryOperation operation = access.instruction.operation;
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    for (LaneMask lanes = access.leaders[k]; lanes != 0; lanes &= lanes - 1) {
      Bank& bank = banks_[access.bank[k][static_cast<unsigned>(__builtin_ctz(lanes))]];
      switch (operation) {
        case MemoryOperation::Load:
          ++bank.reads;
          break;
        case MemoryOperation::Store:
          ++bank.writes;
          break;
        case MemoryOperation::Atomic:
          ++bank.atomics;
          break;
      }
    }
  }
}

}  // namespace fermata
