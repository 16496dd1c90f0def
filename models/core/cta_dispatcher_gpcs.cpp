// The part of the dispatcher that knows where its multiprocessors lie.
#include <fermata/models/core/cta_dispatcher.h>
#include <fermata/models/core/epochs.h>
#include <fermata/models/core/sm_core.h>

#include <algorithm>
#include <utility>

namespace fermata {

void CtaDispatcher::setGpcs(const Gpcs& gpcs) {
  gpcs_ = gpcs;
  inOrder_.clear();
  turns_.reset();
  if (gpcs.none()) return;
  if (gpcs.sms() != cores_.size())
    SC_REPORT_FATAL("fermata/core", "the GPCs have another number of multiprocessors");
  const std::size_t turns = gpcs.turns().size();
  for (std::size_t i = 0; i < turns; ++i) {
    const std::size_t turn = gpcs.hasLone() ? (i + turns - 1) % turns : i;
    for (const unsigned sm : gpcs.turns()[turn]) inOrder_.push_back(cores_[sm]);
  }
}

// Returns how many CTAs of the grid come to one multiprocessor at most if all have places.
std::uint64_t CtaDispatcher::shareOfOne() const {
  const std::uint64_t clusters = grid_->ctas / grid_->clusterCtas;
  if (spread_) return (clusters + groups_.size() - 1) / groups_.size();
  if (turns_)
    return std::uint64_t{mostOfOneSm(gpcs_, clusters, cores_.front()->limits().ctas)} *
           grid_->clusterCtas;
  return (clusters + cores_.size() - 1) / cores_.size() * grid_->clusterCtas;
}

// Finds the multiprocessors of the clusters of the grid. Throws OccupancyError if no GPC has room.
void CtaDispatcher::spreadClusters() {
  const unsigned ctas = grid_->clusterCtas;
  const Gpcs all({{static_cast<unsigned>(cores_.size()), 0}});
  groups_ = (gpcs_.none() ? all : gpcs_).clusters(ctas);
  if (!groups_.empty()) return;
  throw OccupancyError((grid_->where.empty() ? "" : grid_->where + ": ") + "kernel '" +
                       grid_->kernel + "': a cluster of " + std::to_string(ctas) +
                       " CTAs does not fit into a GPC: the largest has " +
                       std::to_string(gpcs_.largest()) +
                       " SMs (chip.gpcs); expected smaller clusters, or larger GPCs");
}

// A turn in which no multiprocessor had a place does not count.
void CtaDispatcher::placeInTurns(Cycle now) {
  // After so many turns each multiprocessor has had one: lone TPCs come every seventh at the
  // latest.
  const std::size_t round = 2 * gpcs_.turns().size() + 7;
  GpcTurns turns = *turns_;
  for (std::size_t idle = 0; idle < round && nextCta_ < grid_->ctas; ++idle) {
    for (const unsigned sm : turns.next()) {
      SmCore& core = *cores_[sm];
      if (!core.advanced() || !core.hasPlace() || nextCta_ == grid_->ctas) continue;
      for (unsigned rank = 0; rank < grid_->clusterCtas; ++rank) core.placeCta(nextCta_++, now);
      running_ += grid_->clusterCtas;
      turns_ = turns;
      idle = 0;
    }
  }
}

// Lets the cores execute the grid apart from each other, if the workload allows it. CTAs of a
// cluster meet in shared memory within an epoch, so the cores of one are a group to the workload:
// their slots follow one another, and they see each other's stores at once.
bool CtaDispatcher::runApart() {
  const unsigned warps = cores_.front()->parameters().limits.warps;
  const bool grouped = spread_ && groups_.size() > 1;
  const auto units = static_cast<unsigned>(grouped ? groups_.size() : cores_.size());
  const bool apart = (grouped || !spread_) &&
                     workload_->runApart(units, grouped ? warps * grid_->clusterCtas : warps);
  epochs_->join(apart && grouped ? groups_ : std::vector<std::vector<unsigned>>());
  if (std::exchange(grouped_, apart && grouped) || grouped_) numberSlots();
  return apart;
}

// Numbers the warp slots of the cores by multiprocessor, or those of a group one after another.
void CtaDispatcher::numberSlots() {
  std::vector<bool> numbered(cores_.size(), false);
  coreOf_.clear();
  unsigned first = 0;
  const auto number = [&](unsigned sm) {
    if (numbered[sm]) return;
    numbered[sm] = true;
    cores_[sm]->numberSlots(first);
    coreOf_.push_back(sm);
    first += cores_[sm]->parameters().limits.warps;
  };
  for (const std::vector<unsigned>& group : groups_) {
    for (const unsigned sm : group) {
      if (grouped_) number(sm);
    }
  }
  for (unsigned sm = 0; sm < cores_.size(); ++sm) number(sm);
}

void CtaDispatcher::placeClusters(Cycle now) {
  for (bool placed = nextCta_ < grid_->ctas; placed;) {
    placed = false;
    for (const std::vector<unsigned>& group : groups_) {
      if (nextCta_ == grid_->ctas) return;
      if (!groupHasPlace(group)) continue;
      const auto cluster = std::make_shared<ResidentCluster>();
      cluster->epochs = epochs_;
      for (const unsigned sm : group) {
        SmCore& core = *cores_[sm];
        if (!core.advanced()) running_ -= core.advance(now);
        core.placeCta(nextCta_++, now, cluster);
      }
      running_ += group.size();
      placed = true;
    }
  }
}

/// True if a cluster has a place on these multiprocessors, one of which has advanced.
bool CtaDispatcher::groupHasPlace(const std::vector<unsigned>& group) const {
  return std::any_of(group.begin(), group.end(),
                     [this](unsigned sm) { return cores_[sm]->advanced(); }) &&
         std::all_of(group.begin(), group.end(),
                     [this](unsigned sm) { return cores_[sm]->hasPlace(); });
}

}  // namespace fermata
