// The part of the dispatcher that runs the grids of a set side by side.
#include <fermata/models/core/cta_dispatcher.h>
#include <fermata/models/core/sm_core.h>
#include <fermata/models/vocabulary/grid_set.h>

#include <algorithm>

namespace fermata {

// With verification, an access of one grid might meet in an L1 what another grid has changed since.
bool CtaDispatcher::mayMix(const GridSet& set) const {
  return !verify_ && std::all_of(set.members.begin(), set.members.end(),
                                 [](const auto& member) { return member.grid.clusterCtas == 1; });
}

void CtaDispatcher::beginSet(const GridSet& set) {
  set_ = &set;
  queue_ = std::make_unique<GridQueue>(set);
  blocked_ = GridQueue::kNone;
  apart_ = false;
}

// Fills the room that CTAs have left. Returns false after the last grid.
bool CtaDispatcher::fillSet(Cycle now) {
  if (grid_ == nullptr) {  // the first time
    grid_ = &set_->grid(0);
    if (betweenGrids_) betweenGrids_(*workload_);
    if (beforeSet_) beforeSet_(*set_);
    for (SmCore* core : cores_) core->beginSet(*set_);
    findOccupancy();
    apart_ = epochs_ != nullptr && cores_.size() > 1 &&
             workload_->runApart(static_cast<unsigned>(cores_.size()),
                                 cores_.front()->parameters().limits.warps);
  }
  for (;;) {
    if (retireCtasOfSet()) blocked_ = GridQueue::kNone;
    if (queue_->allOver()) {
      if (betweenGrids_) betweenGrids_(*workload_);
      end(started_ + queue_->last());
      return false;
    }
    for (const unsigned member : std::vector<unsigned>(queue_->awaited())) {
      if (workload_->letsBegin(member)) queue_->letBegin(member);
    }
    const unsigned head = queue_->head();
    if (head == blocked_) return true;  // or there is none
    if (!queue_->hasBegun(head)) beginMember(head, now);
    if (advanceAll(now)) continue;
    blocked_ = placeCtasOf(head, now) ? GridQueue::kNone : head;
  }
}

// Finds the grid that has the most warps resident if it runs alone.
void CtaDispatcher::findOccupancy() {
  for (const GridSet::Member& member : set_->members) {
    if (member.grid.ctas == 0) continue;
    Occupancy fits = requireOccupancy(member.grid, cores_.front()->limits());
    const std::uint64_t share = (member.grid.ctas + cores_.size() - 1) / cores_.size();
    if (share < fits.ctas) fits = {static_cast<unsigned>(share), OccupancyLimiter::Grid};
    const unsigned warps = fits.ctas * member.grid.warpsPerCta();
    if (warps <= bestWarps_) continue;
    best_ = fits;
    bestWarps_ = warps;
  }
}

// Takes what has left. Returns whether something has.
bool CtaDispatcher::retireCtasOfSet() {
  bool some = false;
  for (SmCore* core : cores_) {
    for (const SmCore::Retired& one : core->takeRetired()) {
      some = true;
      if (!queue_->retire(one.member, one.at - started_)) continue;
      workload_->endMember(one.member);
      if (probe_ != nullptr)
        probe_->gridEnded(set_->grid(one.member), queue_->of(one.member).ended);
    }
  }
  return some;
}

void CtaDispatcher::beginMember(unsigned member, Cycle now) {
  queue_->begin(member, now - started_);
  workload_->beginMember(member);
  const Grid& grid = set_->grid(member);
  if (grid.ctas == 0) {
    queue_->end(member, now - started_);
    return workload_->endMember(member);
  }
  if (beforeMember_) beforeMember_();
  for (SmCore* core : cores_) core->beginMember(grid);
  if (probe_ != nullptr) probe_->gridStarted(grid, now - started_);
}

// Brings all cores up to `now`, so that CTAs can be placed. Returns true if CTAs have left.
bool CtaDispatcher::advanceAll(Cycle now) {
  unsigned retired = 0;
  for (SmCore* core : cores_) {
    if (!core->advanced()) retired += core->advance(now);
  }
  return retired != 0;
}

// Places CTAs of a member while they have room. Returns false if CTAs are left.
bool CtaDispatcher::placeCtasOf(unsigned member, Cycle now) {
  const Grid& grid = set_->grid(member);
  const std::vector<SmCore*>& cores = inOrder_.empty() ? cores_ : inOrder_;
  std::vector<unsigned> rooms;
  for (const SmCore* core : cores) rooms.push_back(core->roomFor(grid));
  while (queue_->hasCtas(member)) {
    const auto most = std::max_element(rooms.begin(), rooms.end());
    if (*most == 0) return false;
    SmCore& core = *cores[static_cast<std::size_t>(most - rooms.begin())];
    core.placeCtaOf(*set_, member, queue_->place(member), now);
    *most = core.roomFor(grid);
  }
  return true;
}

}  // namespace fermata
