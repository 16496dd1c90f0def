// The part of the scheduler that knows clusters: accesses to the shared memory of other CTAs, and
// the barrier of a cluster. All CTAs of a cluster are resident on this SM.
#include <fermata/models/core/warp_scheduler.h>

#include <algorithm>

namespace fermata {

void WarpScheduler::requireClusters(const std::string& what) const {
  if (parameters_.cluster.exists()) return;
  throw MissingUnits(what +
                     " needs clusters of CTAs, as sm_90 and h100 have, and cluster.latency is 0");
}

// Makes the addresses of an access to shared memory those of the scratchpad, and lets it take
// longer if a lane goes to another CTA.
void WarpScheduler::findOwners(WarpAccess& access) {
  WarpInstruction& what = access.instruction;
  if (what.space != MemorySpace::Shared) return;
  LaneMask named = 0, away = 0;
  for (LaneMask m = what.active; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    if (namesRank(what.address[lane])) named |= LaneMask{1} << lane;
  }
  if (named == 0) return;
  const unsigned first = ctas_.clusterFirst(access.slot);
  for (LaneMask m = what.active; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    std::uint64_t& address = what.address[lane];
    std::uint32_t base = access.windowBase;
    if (namesRank(address))
      base = ctas_.ofSlot(first + rankNamed(address) * ctas_.warpsPerCta()).windowBase;
    if (base != access.windowBase) away |= LaneMask{1} << lane;
    address = base + offsetIn(address);
  }
  access.windowBase = 0;
  if (away != 0) {
    access.farther = wayOf(what, laneCount(away));
  } else if (what.operation == MemoryOperation::Load) {
    access.farther = parameters_.cluster.ownLatency;
  }
}

// Returns how many cycles the way to other CTAs takes, behind the accesses that are on it.
Cycle WarpScheduler::wayOf(const WarpInstruction& what, unsigned lanes) {
  const ClusterParameters& p = parameters_.cluster;
  const unsigned interval = what.operation == MemoryOperation::Load    ? p.loadInterval
                            : what.operation == MemoryOperation::Store ? p.storeInterval
                                                                       : p.atomicInterval;
  constexpr unsigned kBytes = 128;
  const Cycle takes = std::max(1U, (lanes * what.bytesPerLane * interval + kBytes - 1) / kBytes);
  const Cycle now = domain_.now(), begin = std::max(now, wayFree_);
  wayFree_ = begin + takes;
  return begin - now + p.latency + (takes > interval ? takes - interval : 0);
}

// Executes an instruction of the cluster's barrier. The warp is held. An arrival that orders the
// stores before it holds the warp until they are ordered.
void WarpScheduler::reachClusterBarrier(unsigned slot) {
  if (clusters_.empty()) requireClusters(nameOf(*warps_.next(slot)));
  const ClusterParameters& p = parameters_.cluster;
  const Cycle now = domain_.now();
  const unsigned first = ctas_.clusterFirst(slot);
  Cluster& cluster = clusters_[first];
  if (arrivals_[slot].barrier == kClusterWait) {
    if (cluster.barrier.wait(slot - first))
      release(slotBit(slot), std::max(now + 1, cluster.opens));
    return;
  }
  const Cycle ordered = arrivals_[slot].barrier == kClusterArrive ? p.releaseLatency : 0;
  cluster.latest = std::max(cluster.latest, now + ordered);
  SlotMask freed = 0;
  cluster.barrier.arrive(slot - first, [&](unsigned warp) { freed |= slotBit(first + warp); });
  openCluster(cluster);
  release(slotBit(slot), now + ordered + 1);
  release(freed, cluster.opens);
}

void WarpScheduler::exitCluster(unsigned slot) {
  const unsigned first = ctas_.clusterFirst(slot);
  Cluster& cluster = clusters_[first];
  SlotMask freed = 0;
  cluster.barrier.exit(slot - first, [&](unsigned warp) { freed |= slotBit(first + warp); });
  openCluster(cluster);
  release(freed, std::max(cluster.opens, domain_.now() + parameters_.cluster.barrierLatency));
}

// Notes when the phase opens that is over, if one is.
void WarpScheduler::openCluster(Cluster& cluster) {
  if (cluster.barrier.arrived() != 0) return;
  cluster.opens = cluster.latest + parameters_.cluster.barrierLatency;
}

void WarpScheduler::startCluster(const Cta& cta) {
  const unsigned warps = ctas_.clusterCtas() * ctas_.warpsPerCta();
  if (cta.first != ctas_.clusterFirst(cta.first)) return;
  Cluster& cluster = clusters_[cta.first];
  cluster.barrier.start(warps);
  cluster.latest = cluster.opens = 0;
}

}  // namespace fermata
