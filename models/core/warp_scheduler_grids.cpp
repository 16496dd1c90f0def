// The begin of workloads and grids.
#include <fermata/models/core/warp_scheduler.h>
#include <fermata/models/vocabulary/grid_set.h>

#include <algorithm>

namespace fermata {

void WarpScheduler::start(Workload& workload, unsigned firstSlot, Cycle now) {
  workload_ = &workload;
  firstSlot_ = firstSlot;
  woken_ = messageDue_ = kNever;
  inbox_.clear();
  visitors_ = {};
  departing_ = {};
  atBanks_.clear();
  away_.clear();
  held_.clear();
  coldConstants_.clear();
  tableReads_ = {};
  tableWaits_.clear();
  groupProducts_.clear();
  awaitsAtomic_ = 0;
  epochs_ = nullptr;
  visitorsFree_ = 0;
  started_ = now;
  issued_ = 0;
  leftWhole_ = 0;
  watch_ = listening(probe_, Probe::Warps);
  loadStore_.listen(listening(probe_, Probe::Ports));
  instructions_.clear();
  picker_.reset();
  pipelines_ = makePipelines();
  wayFree_ = servedFree_ = 0;
}

void WarpScheduler::beginGrid(const Grid& grid, bool spread) {
  inClusters_ = grid.clusterCtas > 1;
  spread_ = spread ? ~SlotMask{0} : 0;
  makeRegisters(grid.registerCount);
  beginMember(grid);
}

void WarpScheduler::beginSet(const GridSet& set) {
  inClusters_ = false;
  spread_ = 0;
  std::uint32_t registers = 0;
  for (const GridSet::Member& member : set.members) {
    registers = std::max(registers, member.grid.registerCount);
    instructions_.layOut(member.grid);
  }
  makeRegisters(registers);
}

void WarpScheduler::makeRegisters(std::uint32_t registers) {
  execution_->beginGrid();
  scoreboard_.configure(slots_, registers);
  if (holds_) sources_.configure(slots_, registers);
}

}  // namespace fermata
