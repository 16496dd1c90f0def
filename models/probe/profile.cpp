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
  entry.threadExecutions += laneCount(event.active);
  entry.lost += event.lost;
}

void PcProfile::sharedAccess(const WarpAccess& access) {
  Entry& entry = entries_[access.program][access.instruction.pc];
  if (entry.passes.size() <= access.allPasses) {
    entry.passes.resize(std::max(kWarpLanes * WarpAccess::kMaxWordsPerLane, access.allPasses) + 1);
  }
  ++entry.passes[access.allPasses];
  entry.freePasses += access.allGroups;
}

std::uint64_t& BankHistogram::counter(Bank& bank, MemoryOperation operation) {
  switch (operation) {
    case MemoryOperation::Load:
      return bank.reads;
    case MemoryOperation::Store:
      return bank.writes;
    case MemoryOperation::Atomic:
      break;
  }
  return bank.atomics;
}

// As many leaders as banks in one pass: each bank has one. That is most tries of most kernels.
void BankHistogram::sharedTry(const WarpAccess& access) {
  const MemoryOperation operation = access.instruction.operation;
  if (access.wordsPerLane == 1 && access.degree == 1 && access.groups == 1 &&
      laneCount(access.leaders[0]) == banks_.size()) {
    ++counter(everyBank_, operation);
    return;
  }
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    for (LaneMask lanes = access.leaders[k]; lanes != 0; lanes &= lanes - 1) {
      ++counter(banks_[access.bank[k][static_cast<unsigned>(__builtin_ctz(lanes))]], operation);
    }
  }
}

std::vector<BankHistogram::Bank> BankHistogram::banks() const {
  std::vector<Bank> all = banks_;
  for (Bank& bank : all) {
    bank.reads += everyBank_.reads;
    bank.writes += everyBank_.writes;
    bank.atomics += everyBank_.atomics;
  }
  return all;
}

}  // namespace fermata
