// The part of the scheduler that knows clusters: accesses to the shared memory of other CTAs, and
// the barrier of a cluster. Its CTAs are all on this multiprocessor, or each on one of its own.
#include <fermata/models/core/epochs.h>
#include <fermata/models/core/warp_scheduler.h>

#include <algorithm>
#include <cmath>

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
// longer if a lane goes to another CTA. An access to another multiprocessor keeps its addresses,
// and leaves (warp_scheduler_visits.cpp).
void WarpScheduler::findOwners(WarpAccess& access) {
  WarpInstruction& what = access.instruction;
  if (what.space != MemorySpace::Shared) return;
  const unsigned own = warpInCluster(access.slot) / ctas_.ofSlot(access.slot).warps;
  if (goesAway(what, own)) {
    access.farther = LoadStoreUnit::kLeaves;
    return holdOwners(access);
  }
  unsigned others = 0;
  bool named = false;
  for (LaneMask m = what.active; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    std::uint64_t& address = what.address[lane];
    std::uint32_t base = access.windowBase;
    if (namesRank(address)) {
      const unsigned rank = rankNamed(address);
      base = windowOf(rank, access.slot);
      others += rank != own ? 1 : 0;
      named = true;
    }
    address = base + offsetIn(address);
  }
  access.windowBase = 0;
  if (access.issuedInstruction->ofEngine() && access.issuedInstruction->tensorWork != 0)
    return;  // by the tensor unit of the SM that has the memory
  if (others != 0) {
    const ClusterParameters& p = parameters_.cluster;
    access.farther = takeWay(what, others, domain_.now()) - domain_.now() +
                     p.latencyIn(gridOf_[access.slot]->clusterCtas) +
                     p.backBeyondFirst(what.operation, others * what.bytesPerLane);
  } else if (named && what.operation == MemoryOperation::Load) {
    access.farther = parameters_.cluster.ownLatency;
  }
}

// True if a lane accesses a CTA on another multiprocessor, or a multicast goes to other CTAs than
// the warp's own, of rank `own`.
bool WarpScheduler::goesAway(const WarpInstruction& what, unsigned own) const {
  for (LaneMask m = what.active; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t address = what.address[lane];
    if ((ranksOfMulticast(address) & ~(1U << own)) != 0) return true;
    if (spread_ != 0 && namesRank(address) && rankNamed(address) != own) return true;
  }
  return false;
}

// Takes the way to other CTAs for `lanes` lanes of an access that is there in cycle `now`, behind
// the accesses that are on it. Returns the cycle in which the last lane sets out.
Cycle WarpScheduler::takeWay(const WarpInstruction& what, unsigned lanes, Cycle now) {
  const ClusterParameters& p = parameters_.cluster;
  const double begin = std::max(static_cast<double>(now), wayFree_);
  wayFree_ = begin + p.wayOf(what.operation, lanes * what.bytesPerLane);
  return static_cast<Cycle>(std::ceil(begin)) +
         p.beyondFirst(what.operation, lanes * what.bytesPerLane);
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
  Cycle arrives = gate_.pass(now);
  if (arrivals_[slot].barrier == kClusterArrive)
    arrives = gate_.order(arrives, p) + p.releaseIn(gridOf_[slot]->clusterCtas);
  cluster.latest = std::max(cluster.latest, arrives);
  SlotMask own = 0;
  cluster.barrier.arrive(warp, [&](unsigned one) { own |= freed(cluster, slot, one); });
  openCluster(cluster);
  release(slotBit(slot), arrives + 1);
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
  member.scheduler->post(*this, {bit, {}, last + parameters_.cluster.barrierLatency});
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
    epochs_ = here->epochs;
    here->members.push_back({this, cta.first});
    if (here->members.size() > 1) return;
  } else if (here == nullptr || !here->members.empty()) {
    here = std::make_shared<ResidentCluster>();
  }
  here->barrier.start(cta.grid->clusterCtas * cta.warps);
  here->latest = here->opens = 0;
}

// Multiprocessors that run apart for an epoch meet no earlier than at its end.
void WarpScheduler::post(const WarpScheduler& from, Message message) {
  message.at = std::max(message.at, domain_.now() + 1);
  if (&from != this && epochs_ != nullptr) message.at = std::max(message.at, epochs_->reached());
  inbox_.push(message);
  messageDue_ = std::min(messageDue_, message.at);
  wake(message.at);
}

void WarpScheduler::readMessages(Cycle now) {
  woken_ = kNever;
  while (inbox_.due() <= now) {
    const Message one = inbox_.pop();
    if (one.visit.access != nullptr) {
      admit(one.visit, now);
    } else if (one.visit.whole != nullptr) {
      takeAnswer(*one.visit.whole, now);
    } else if (one.warps != 0) {
      release(one.warps, now);
    } else {
      wakeSleepers(now);
    }
  }
  serveVisitors(now);
  depart(now);
  setMessageDue(now + 1);
}

void WarpScheduler::setMessageDue(Cycle from) {
  messageDue_ = std::min(inbox_.due(), visitorsDue(from));
  if (!departing_.empty())
    messageDue_ = std::min(messageDue_, std::max(from, static_cast<Cycle>(std::ceil(wayFree_))));
  if (messageDue_ != kNever) wake(messageDue_);
}

// Lets warps look whether they need sleep any longer: an arrival or a copy of the slot's warp may
// have ended the phase of an mbarrier of any CTA of its cluster.
void WarpScheduler::tellArrival(unsigned slot, Cycle now) {
  if (asleep_ != 0) wakeSleepers(now);
  if (spread_ == 0) return;
  const ResidentCluster& cluster = clusterOf(slot);
  for (const ResidentCluster::Member& member : cluster.members) {
    if (member.scheduler != this && member.scheduler->asleep_ != 0)
      member.scheduler->post(*this, {0, {}, now + 1});
  }
}

}  // namespace fermata
