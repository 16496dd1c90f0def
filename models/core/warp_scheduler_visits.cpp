// The part of the scheduler that sends accesses to the banks of other multiprocessors, and serves
// theirs. An access leaves through the port, takes the way out and half the latency, and comes to
// its owner as a visit. There it takes the port and the banks before accesses of the own warps, and
// the answer takes the other half, and the way for the data of a load. A multicast comes to the
// owners at once, and waits for no answer of other multiprocessors; nor does what the tensor units
// of a pair of CTAs read.
#include <fermata/models/core/warp_scheduler.h>

#include <algorithm>
#include <cmath>

namespace fermata {

namespace {

/// True unless the access comes to its owners by itself: a multicast, or what the tensor units of
/// two CTAs read, each of its own memory.
bool takesWay(const WarpAccess& access) {
  const WarpInstruction& what = access.instruction;
  const auto lane = static_cast<unsigned>(__builtin_ctz(what.active));
  const bool tensor =
      access.issuedInstruction->ofEngine() && access.issuedInstruction->tensorWork != 0;
  return !tensor && ranksOfMulticast(what.address[lane]) == 0;
}

}  // namespace

/// When a visit comes to its owner, and how long its answer takes.
struct WarpScheduler::Journey {
  Cycle at = 0, back = 0;
  bool awaited = true;  ///< the access waits for the answer
  double served = 0;    ///< cycles that it takes of the owner's way
};

MemoryPort::Sent WarpScheduler::leave(WarpAccess& access, Cycle now) {
  constexpr unsigned kPortBytes = 128;
  const WarpInstruction& what = access.instruction;
  MemoryPort::Sent sent;
  if (what.operation != MemoryOperation::Load)
    sent.occupancy = (laneCount(what.active) * what.bytesPerLane + kPortBytes - 1) / kPortBytes;
  if (takesWay(access)) {
    departing_.push({&access, now});
    depart(now);
    setMessageDue(now + 1);
    return sent;
  }
  const unsigned answers = visit(access, now);
  sent.served = answers == 0;
  if (sent.served) {
    access.unserved = 0;
    access.arrives = sent.arrives = now + 1;
  } else {
    away_.push_back({&access, answers});
  }
  return sent;
}

// Lets accesses set out on the way while it is free. Visits of others take of it meanwhile.
void WarpScheduler::depart(Cycle now) {
  while (!departing_.empty() && wayFree_ <= static_cast<double>(now)) {
    const Departure one = departing_.pop();
    away_.push_back({one.access, visit(*one.access, one.since)});
  }
}

// Returns the lanes of an access by the rank of the CTA whose memory they access.
WarpScheduler::LanesOfRanks WarpScheduler::lanesOfRanks(const WarpAccess& access) const {
  const WarpInstruction& what = access.instruction;
  const unsigned own = warpInCluster(access.slot) / ctas_.ofSlot(access.slot).warps;
  LanesOfRanks lanesOf{};
  for (LaneMask m = what.active; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t address = what.address[lane];
    unsigned ranks = ranksOfMulticast(address);
    if (ranks == 0) ranks = 1U << (namesRank(address) ? rankNamed(address) : own);
    for (; ranks != 0; ranks &= ranks - 1)
      lanesOf[static_cast<unsigned>(__builtin_ctz(ranks))] |= LaneMask{1} << lane;
  }
  return lanesOf;
}

// Returns where the CTA of this rank in the slot's cluster is resident.
ResidentCluster::Member WarpScheduler::memberOf(unsigned slot, unsigned rank) {
  if (spread_ != 0) return clusterOf(slot).members[rank];
  return {this, ctas_.clusterFirst(slot) + rank * ctas_.ofSlot(slot).warps};
}

Cta& WarpScheduler::ownerOf(unsigned slot, unsigned rank) {
  const ResidentCluster::Member owner = memberOf(slot, rank);
  return owner.scheduler->ctas_.ofSlot(owner.first);
}

// Keeps the CTAs that an access goes to from its issue on until it has set out: what it does is
// seen at once, and they may exit then.
void WarpScheduler::holdOwners(const WarpAccess& access) {
  const LanesOfRanks lanesOf = lanesOfRanks(access);
  Held held{&access, 0};
  for (unsigned rank = 0; rank < gridOf_[access.slot]->clusterCtas; ++rank) {
    if (lanesOf[rank] == 0 || !ownerOf(access.slot, rank).resident) continue;
    ++ownerOf(access.slot, rank).pending;
    held.ranks |= 1U << rank;
  }
  held_.push_back(held);
}

void WarpScheduler::freeOwners(const WarpAccess& access) {
  const auto found = std::find_if(held_.begin(), held_.end(),
                                  [&](const Held& one) { return one.access == &access; });
  for (unsigned ranks = found->ranks; ranks != 0; ranks &= ranks - 1)
    --ownerOf(access.slot, static_cast<unsigned>(__builtin_ctz(ranks))).pending;
  held_.erase(found);
}

// Sends the lanes of an access, which has been there since cycle `now`, to their owners. Returns
// how many answers it waits for.
unsigned WarpScheduler::visit(WarpAccess& access, Cycle now) {
  const WarpInstruction& what = access.instruction;
  const ClusterParameters& p = parameters_.cluster;
  const unsigned ctas = gridOf_[access.slot]->clusterCtas,
                 own = warpInCluster(access.slot) / ctas_.ofSlot(access.slot).warps;
  const LanesOfRanks lanesOf = lanesOfRanks(access);
  const Cycle latency = p.latencyIn(ctas);
  Journey far{now, 0, false, 0};
  const bool way = takesWay(access);
  if (way) {
    const unsigned lanes = laneCount(what.active & ~lanesOf[own]);
    far = {takeWay(what, lanes, now) + latency / 2,
           latency - latency / 2 + p.backBeyondFirst(what.operation, lanes * what.bytesPerLane),
           true, 0};
  }
  unsigned answers = 0;
  for (unsigned rank = 0; rank < ctas; ++rank) {
    if (lanesOf[rank] == 0) continue;
    const ResidentCluster::Member owner = memberOf(access.slot, rank);
    Journey journey = owner.scheduler == this ? Journey{now, 0, true, 0} : far;
    if (owner.scheduler != this && way)
      journey.served = laneCount(lanesOf[rank]) * what.bytesPerLane * p.served.of(what.operation) /
                       ClusterParameters::kWayBytes;
    sendVisit(access, owner, lanesOf[rank], journey);
    answers += journey.awaited ? 1 : 0;
  }
  freeOwners(access);  // visits keep them from here on
  return answers;
}

void WarpScheduler::sendVisit(WarpAccess& access, const ResidentCluster::Member& owner,
                              LaneMask lanes, const Journey& journey) {
  const WarpInstruction& what = access.instruction;
  Cta& cta = owner.scheduler->ctas_.ofSlot(owner.first);
  WarpAccess& piece = owner.scheduler->loadStore_.port.open();
  WarpInstruction& there = piece.instruction;
  there.pc = what.pc;
  there.active = lanes;
  there.space = what.space;
  there.operation = what.operation;
  there.bytesPerLane = what.bytesPerLane;
  there.copy = what.copy;
  there.hasData = what.hasData;
  if (what.hasData) {
    there.data = what.data;
    there.before = what.before;
  }
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    there.address[lane] = cta.windowBase + offsetIn(what.address[lane]);
  }
  piece.slot = owner.first;
  piece.warp = 0;
  piece.cta = cta.serial;
  piece.program = access.program;
  piece.issuedInstruction = access.issuedInstruction;
  piece.windowBase = 0;
  if (cta.resident) ++cta.pending;  // it stays until the visit is over
  Message message;
  message.visit = {&piece,        journey.awaited ? &access : nullptr,
                   this,          journey.back,
                   cta.serial,    owner.first,
                   journey.served};
  message.at = journey.at;
  owner.scheduler->post(*this, message);
}

// Visits of other multiprocessors take turns on the way, and take of it what accesses of the own
// warps would.
void WarpScheduler::admit(const Visit& visit, Cycle now) {
  const auto here = static_cast<double>(now);
  double turn = here;
  if (visit.served != 0) {
    turn = std::max(here, servedFree_);
    servedFree_ = turn + visit.served;
    wayFree_ = std::max(here, wayFree_) + visit.served;
  }
  visitors_.push({visit, static_cast<Cycle>(std::ceil(turn))});
}

Cycle WarpScheduler::visitorsDue(Cycle from) const {
  if (visitors_.empty()) return kNever;
  const Cycle least = std::max({from, visitors_.front().from, visitorsFree_});
  return loadStore_.storeFree(MemorySpace::Shared, least);
}

// Sends the oldest visit to the banks, if its turn has come. Behind it the port is the own warps'
// for a cycle, so that visits never keep them out.
void WarpScheduler::serveVisitors(Cycle now) {
  if (visitorsDue(now) != now) return;
  const Visit visit = visitors_.pop().visit;
  loadStore_.port.renumber(*visit.access);
  const Cycle arrives = loadStore_.store(*visit.access, now);
  const Cycle free = loadStore_.storeFree(MemorySpace::Shared, now + 1);
  visitorsFree_ = (free == kNever ? now + 1 : free) + 1;
  if (arrives == kNever) {
    atBanks_.push_back(visit);
  } else {
    answer(visit, arrives);
  }
}

void WarpScheduler::answer(const Visit& visit, Cycle at) {
  Cta& cta = ctas_.ofSlot(visit.ctaSlot);
  if (cta.resident && cta.serial == visit.cta) {
    --cta.pending;
    cta.retires = std::max(cta.retires, at);
  }
  if (visit.whole == nullptr) return;
  Message message;
  message.visit.whole = visit.whole;
  message.at = at + visit.back;
  visit.from->post(*this, message);
}

// Ends the visit whose access has this number. Returns false if there is none.
bool WarpScheduler::endVisit(std::uint64_t sequence, Cycle at) {
  const auto found = std::find_if(atBanks_.begin(), atBanks_.end(), [=](const Visit& one) {
    return one.access->sequence == sequence;
  });
  if (found == atBanks_.end()) return false;
  const Visit visit = *found;
  atBanks_.erase(found);
  answer(visit, at);
  return true;
}

void WarpScheduler::takeAnswer(WarpAccess& access, Cycle now) {
  const auto found = std::find_if(away_.begin(), away_.end(),
                                  [&](const Away& one) { return one.access == &access; });
  if (--found->answers != 0) return;
  away_.erase(found);
  access.unserved = 0;
  access.arrives = now;
  loadStore_.end(access, now);
}

}  // namespace fermata
