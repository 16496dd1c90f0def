// The part of the scheduler that knows clusters: accesses to the shared memory of other CTAs, and
// the barrier of a cluster. Its CTAs are all on this multiprocessor, or each on one of its own.
#include <fermata/models/core/epochs.h>
#include <fermata/models/core/warp_scheduler.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fermata {

void WarpScheduler::requireClusters(const std::string& what) const {
  if (parameters_.cluster.exists()) return;
  throw MissingUnits(what +
                     " needs clusters of CTAs, as sm_90 and h100 have, and cluster.latency is 0");
}

// Returns the rank of the slot's CTA. Precondition: spread_.
unsigned WarpScheduler::rankOf(unsigned slot) const {
  return static_cast<unsigned>(ctas_.ofSlot(slot).number % gridOf_[slot]->clusterCtas);
}

// Returns the number of a warp through its cluster.
unsigned WarpScheduler::warpInCluster(unsigned slot) const {
  const unsigned warp = slot - ctas_.clusterFirst(slot);
  return spread_ == 0 ? warp : rankOf(slot) * ctas_.ofSlot(slot).warps + warp;
}

// Returns the first byte, in its scratchpad, of the CTA with this rank in the slot's cluster.
std::uint32_t WarpScheduler::windowOf(unsigned rank, unsigned slot) const {
  if (spread_ == 0)
    return ctas_.ofSlot(ctas_.clusterFirst(slot) + rank * ctas_.ofSlot(slot).warps).windowBase;
  const ResidentCluster::Member& owner = clusterOf(slot).members[rank];
  return owner.scheduler->ctas_.ofSlot(owner.first).windowBase;
}

// Makes the addresses of an access to shared memory those of the scratchpad, and lets it take
// longer if a lane goes to another CTA. One on another multiprocessor is met by passes of this
// one's banks, as many as its own would take.
void WarpScheduler::findOwners(WarpAccess& access) {
  WarpInstruction& what = access.instruction;
  if (what.space != MemorySpace::Shared) return;
  LaneMask named = 0;
  for (LaneMask m = what.active; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    if (namesRank(what.address[lane])) named |= LaneMask{1} << lane;
  }
  if (named == 0) return;
  LanesOfRanks lanesOf{};
  const unsigned own = warpInCluster(access.slot) / ctas_.ofSlot(access.slot).warps;
  for (LaneMask m = what.active; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    std::uint64_t& address = what.address[lane];
    std::uint32_t base = access.windowBase;
    if (namesRank(address)) {
      const unsigned rank = rankNamed(address);
      base = windowOf(rank, access.slot);
      ++lanesOf[rank];
    }
    address = base + offsetIn(address);
  }
  access.windowBase = 0;
  lanesOf[own] = 0;
  if (const Cycle way = wayOf(what, access.slot, lanesOf); way != 0) {
    access.farther = way;
  } else if (what.operation == MemoryOperation::Load) {
    access.farther = parameters_.cluster.ownLatency;
  }
}

// Returns how many cycles the way to other CTAs takes, behind the accesses that are on it: those of
// this multiprocessor, and those that others make to the owners. 0: no lane takes the way.
Cycle WarpScheduler::wayOf(const WarpInstruction& what, unsigned slot,
                           const LanesOfRanks& lanesOf) {
  const unsigned lanes = std::accumulate(lanesOf.begin(), lanesOf.end(), 0U);
  if (lanes == 0) return 0;
  const ClusterParameters& p = parameters_.cluster;
  constexpr double kBytes = 128;
  const auto cyclesOf = [&](unsigned some, const ClusterParameters::Way& way) {
    return some * what.bytesPerLane * way.of(what.operation) / kBytes;
  };
  const double interval = p.interval.of(what.operation);
  const double takes = std::max(1.0, cyclesOf(lanes, p.interval));
  const auto now = static_cast<double>(domain_.now());
  const double begin = std::max(now, wayFree_);
  wayFree_ = begin + takes;
  double served = begin;
  for (unsigned rank = 0; spread_ != 0 && rank < gridOf_[slot]->clusterCtas; ++rank) {
    if (lanesOf[rank] != 0)
      served = std::max(served, clusterOf(slot).members[rank].scheduler->serve(
                                    now, cyclesOf(lanesOf[rank], p.served)));
  }
  return static_cast<Cycle>(std::ceil(served - now) + std::ceil(std::max(0.0, takes - interval))) +
         p.latencyIn(gridOf_[slot]->clusterCtas);
}

// Serves an access by another multiprocessor, made at `now`. Returns when it is its turn, if it
// comes early enough. What it takes is taken from `now` on, since accesses of several SMs do not
// come in the order of this call.
double WarpScheduler::serve(double now, double cycles) {
  const double turn = std::max(now, servedFree_);
  servedFree_ = turn + cycles;
  wayFree_ = std::max(now, wayFree_) + cycles;
  return turn;
}

// Executes an instruction of the cluster's barrier. The warp is held. An arrival that orders the
// stores before it holds the warp until they are ordered.
void WarpScheduler::reachClusterBarrier(unsigned slot) {
  if (clusters_.empty()) requireClusters(nameOf(slot, *warps_.next(slot)));
  const ClusterParameters& p = parameters_.cluster;
  const Cycle now = domain_.now();
  ResidentCluster& cluster = clusterOf(slot);
  const unsigned warp = warpInCluster(slot);
  if (arrivals_[slot].barrier == kClusterWait) {
    if (cluster.barrier.wait(warp)) release(slotBit(slot), std::max(now + 1, cluster.opens));
    return;
  }
  const Cycle ordered =
      arrivals_[slot].barrier == kClusterArrive ? p.releaseIn(gridOf_[slot]->clusterCtas) : 0;
  cluster.latest = std::max(cluster.latest, now + ordered);
  SlotMask own = 0;
  cluster.barrier.arrive(warp, [&](unsigned one) { own |= freed(cluster, slot, one); });
  openCluster(cluster);
  release(slotBit(slot), now + ordered + 1);
  release(own, cluster.opens);
}

void WarpScheduler::exitCluster(unsigned slot) {
  ResidentCluster& cluster = clusterOf(slot);
  SlotMask own = 0;
  cluster.barrier.exit(warpInCluster(slot),
                       [&](unsigned one) { own |= freed(cluster, slot, one); });
  openCluster(cluster);
  release(own, std::max(cluster.opens, domain_.now() + parameters_.cluster.barrierLatency));
}

// Takes a warp that the barrier has freed, by its number through the cluster of `slot`. Returns its
// slot, if it is on this multiprocessor, and otherwise tells the one that has it.
SlotMask WarpScheduler::freed(const ResidentCluster& cluster, unsigned slot, unsigned warp) {
  if (spread_ == 0) return slotBit(ctas_.clusterFirst(slot) + warp);
  const unsigned warps = ctas_.ofSlot(slot).warps;
  const ResidentCluster::Member& member = cluster.members[warp / warps];
  const SlotMask bit = slotBit(member.first + warp % warps);
  if (member.scheduler == this) return bit;
  const Cycle last = std::max(cluster.latest, domain_.now());
  member.scheduler->post(cluster, bit, last + parameters_.cluster.barrierLatency);
  return 0;
}

// Notes when the phase opens that is over, if one is.
void WarpScheduler::openCluster(ResidentCluster& cluster) {
  if (cluster.barrier.arrived() != 0) return;
  cluster.opens = cluster.latest + parameters_.cluster.barrierLatency;
}

void WarpScheduler::startCluster(const Cta& cta, std::shared_ptr<ResidentCluster> cluster) {
  if (cta.first != ctas_.clusterFirst(cta.first)) return;
  std::shared_ptr<ResidentCluster>& here = clusters_[cta.first];
  if (cluster != nullptr) {
    here = std::move(cluster);
    here->members.push_back({this, cta.first});
    if (here->members.size() > 1) return;
  } else if (here == nullptr || !here->members.empty()) {
    here = std::make_shared<ResidentCluster>();
  }
  here->barrier.start(cta.grid->clusterCtas * cta.warps);
  here->latest = here->opens = 0;
}

// Multiprocessors that run apart for an epoch meet no earlier than at its end.
void WarpScheduler::post(const ResidentCluster& cluster, SlotMask warps, Cycle at) {
  if (cluster.epochs != nullptr) at = std::max(at, cluster.epochs->reached());
  messages_.push_back({warps, at});
  messageDue_ = std::min(messageDue_, at);
  wake(at);
}

void WarpScheduler::readMessages(Cycle now) {
  const auto later = std::partition(messages_.begin(), messages_.end(),
                                    [now](const Message& one) { return one.at <= now; });
  const std::vector<Message> due(messages_.begin(), later);
  messages_.erase(messages_.begin(), later);
  messageDue_ = kNever;
  for (const Message& one : messages_) messageDue_ = std::min(messageDue_, one.at);
  woken_ = std::min(woken_, messageDue_);
  for (const Message& one : due) {
    if (one.warps != 0)
      release(one.warps, now);
    else
      wakeSleepers(now);
  }
}

// Lets warps look whether they need sleep any longer: an arrival or a copy of the slot's warp may
// have ended the phase of an mbarrier of any CTA of its cluster.
void WarpScheduler::tellArrival(unsigned slot, Cycle now) {
  if (asleep_ != 0) wakeSleepers(now);
  if (spread_ == 0) return;
  const ResidentCluster& cluster = clusterOf(slot);
  for (const ResidentCluster::Member& member : cluster.members) {
    if (member.scheduler != this && member.scheduler->asleep_ != 0)
      member.scheduler->post(cluster, 0, now + 1);
  }
}

}  // namespace fermata
