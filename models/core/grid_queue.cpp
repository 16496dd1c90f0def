#include <fermata/models/core/grid_queue.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace fermata {

GridQueue::GridQueue(const GridSet& set)
    : set_(set),
      grids_(set.members.size()),
      before_(grids_.size()),
      early_(grids_.size()),
      order_(grids_.size()) {
  std::iota(order_.begin(), order_.end(), 0U);
  std::stable_sort(order_.begin(), order_.end(), [&](unsigned a, unsigned b) {
    return set.members[a].priority < set.members[b].priority;
  });
  for (unsigned member = 0; member < grids_.size(); ++member) {
    for (const unsigned earlier : set.members[member].after) before_[earlier].push_back(member);
    for (const unsigned earlier : set.members[member].early) early_[earlier].push_back(member);
    grids_[member].awaits =
        static_cast<unsigned>(set.members[member].after.size() + set.members[member].early.size());
  }
}

unsigned GridQueue::head() const {
  for (const unsigned member : order_) {
    const State& grid = grids_[member];
    if (grid.over || grid.awaits != 0) continue;
    if (grid.live ? hasCtas(member) : live_ < kMostGrids) return member;
  }
  return kNone;
}

void GridQueue::begin(unsigned member, Cycle now) {
  grids_[member].live = true;
  grids_[member].begun = now;
  ++live_;
  if (!early_[member].empty()) awaited_.push_back(member);
}

std::uint64_t GridQueue::place(unsigned member) {
  ++grids_[member].running;
  return grids_[member].placed++;
}

bool GridQueue::retire(unsigned member, Cycle at) {
  State& grid = grids_[member];
  ++endedCtas_;
  grid.ended = std::max(grid.ended, at);
  if (--grid.running != 0 || hasCtas(member)) return false;
  end(member, grid.ended);
  return true;
}

void GridQueue::letBegin(unsigned member) {
  if (std::exchange(grids_[member].lets, true)) return;
  awaited_.erase(std::remove(awaited_.begin(), awaited_.end(), member), awaited_.end());
  for (const unsigned later : early_[member]) --grids_[later].awaits;
}

void GridQueue::end(unsigned member, Cycle at) {
  letBegin(member);
  State& grid = grids_[member];
  grid.live = false;
  grid.over = true;
  grid.ended = at;
  last_ = std::max(last_, at);
  --live_;
  ++over_;
  for (const unsigned later : before_[member]) --grids_[later].awaits;
}

}  // namespace fermata
