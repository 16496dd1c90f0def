// Divergence::Replay: a try leaves the lanes whose line is absent, and the access tries again when
// the line has come.
#include <fermata/models/memory/l1_divergence.h>
#include <fermata/models/transaction/warp_order.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace fermata {

namespace {

class L1Replay : public L1Divergence {
 public:
  L1Replay(L1Parts& parts, Waker& waker) : parts_(parts), misses_(parts.misses), waker_(waker) {
    const L1CacheParameters& p = parts.parameters;
    if (p.verify) heldBytes_.resize(std::size_t{p.mshrs} * p.shape.lineBytes);
  }

  Result serve(L1Try& t) override {
    WarpAccess& access = *t.access;
    if (!order_.mayServe(access)) return leaveForOrder(t);
    if (!withoutMshr_.empty())
      withoutMshr_.erase(std::remove(withoutMshr_.begin(), withoutMshr_.end(), &access),
                         withoutMshr_.end());
    lookUpAll(t);
    const LaneMask lost = parts_.banks.pass(t);
    compareHits(t, lost);
    if (!misses_.none()) releaseHeld(t, lost);
    if (access.outcome.lanesLeft() != 0) return leave(t);
    order_.served(access);
    return parts_.flights.taken(access, t.data) ? Result::Served : Result::Pending;
  }

  void filled(const L1Misses::Arrival& arrival, Cycle) override {
    if (!heldBytes_.empty()) keepBytes(arrival);
    std::vector<Waiter>& waiters = misses_.waiters(arrival.number);
    const auto ready = [](const Waiter& w) { return w.sectors == 0 && !w.held; };
    // An access that lost a line once must not lose it again: hold the line in the MSHR.
    const bool holds =
        arrival.written || std::any_of(waiters.begin(), waiters.end(), [&](const Waiter& w) {
          return ready(w) && w.access->evicted != 0;
        });
    std::vector<WarpAccess*> told = std::move(told_);
    for (Waiter& w : waiters) {
      if (!ready(w)) continue;
      told.push_back(w.access);
      w.held = holds;
    }
    waiters.erase(std::remove_if(waiters.begin(), waiters.end(), ready), waiters.end());
    for (WarpAccess* access : told) waker_.tryAgain(*access);
    told.clear();
    told_ = std::move(told);
    if (misses_.isOver(arrival.number)) free(arrival.number);
  }

 private:
  using Waiter = L1Misses::Waiter;

  Result leaveForOrder(L1Try& t) const {
    t.access->outcome.leave(t.access->asked, LeftCause::Order);
    t.access->occupancy = 1;
    t.known = t.arrival + parts_.parameters.lookupLatency;
    return Result::Left;
  }

  void lookUpAll(L1Try& t) {
    const MemoryOperation operation = t.access->instruction.operation;
    if (t.loads() && t.access->requested != 0) putFirst(t);
    for (unsigned i = 0; i < t.lines.count; ++i) {
      t.frame[i] = CacheArray::kNone;
      if (t.loads()) {
        lookUp(t, i);
      } else if (operation == MemoryOperation::Store && parts_.tags.taken(t.lines.line[i])) {
        t.access->outcome.leave(t.lines.lanes[i], LeftCause::Tag);
      } else {
        parts_.tags.lookUp(t.lines.line[i]);
        parts_.writes.send(t, i);
      }
    }
  }

  // Sorts the lines: first those that an MSHR holds for this access, because other accesses may
  // wait for that MSHR; then those that the access has requested before; then the rest.
  void putFirst(L1Try& t) {
    const TouchedLines before = t.lines;
    std::array<unsigned, kWarpLanes> rank{};
    for (unsigned i = 0; i < before.count; ++i) {
      const Waiter* own = misses_.waiter(before.line[i], *t.access);
      const bool held = own != nullptr && own->held;
      rank[i] = held ? 0 : (t.access->requested & before.lanes[i]) != 0 ? 1 : 2;
    }
    t.lines.count = 0;
    for (unsigned r = 0; r < 3; ++r) {
      for (unsigned i = 0; i < before.count; ++i) {
        if (rank[i] == r) t.lines.add(before.line[i], before.lanes[i]);
      }
    }
  }

  void lookUp(L1Try& t, unsigned i) {
    WarpAccess& access = *t.access;
    const LaneMask lanes = t.lines.lanes[i];
    const std::uint64_t line = t.lines.line[i];
    const Waiter* own = misses_.waiter(line, access);
    if (own != nullptr && !own->held) return leaveAbsent(access, lanes);
    if (parts_.tags.taken(line)) return access.outcome.leave(lanes, LeftCause::Tag);
    parts_.tags.lookUp(line);
    const CacheArray::Frame frame = parts_.array.findPresent(line);
    const Absent absent = parts_.sectors.absent(frame, access, lanes);
    if (own != nullptr) return takeHeld(t, i, frame, absent.lanes, own->lanes);
    t.frame[i] = frame;
    if (const LaneMask hit = lanes & ~absent.lanes; hit != 0) {
      parts_.array.touch(frame);
      t.hit |= hit;
    }
    if (absent.lanes != 0) return miss(t, i, absent);
    if ((access.requested & lanes) == 0) parts_.events.cached(CacheEvent::L1Hit, access);
    access.requested |= lanes;  // if a lane loses its bank, its next try counts no second access
  }

  /// Serves lanes of line `i` whose data an MSHR holds for the access: from the array if all are
  /// there, otherwise from the MSHR. Other lanes that lack their bytes may miss once the access has
  /// left the MSHR.
  void takeHeld(L1Try& t, unsigned i, CacheArray::Frame frame, LaneMask absent, LaneMask held) {
    WarpAccess& access = *t.access;
    const LaneMask lanes = t.lines.lanes[i];
    const bool inArray = frame != CacheArray::kNone && (absent & held) == 0;
    const LaneMask hit = inArray ? lanes & ~absent : lanes & held;
    if (inArray) parts_.array.touch(frame);
    t.frame[i] = inArray ? frame : L1Try::kInMshr;
    t.hit |= hit;
    access.outcome.leave(lanes & ~hit, LeftCause::Tag);
  }

  void miss(L1Try& t, unsigned i, const Absent& absent) {
    WarpAccess& access = *t.access;
    if ((access.requested & absent.lanes) != 0) {
      access.evicted |= absent.lanes;
      parts_.events.cached(CacheEvent::L1SetConflict, access);
    } else {
      parts_.events.cached(CacheEvent::L1Miss, access);
    }
    access.requested |= t.lines.lanes[i];
    if (!misses_.request(t, i, absent) && !lacksMshr(access)) withoutMshr_.push_back(&access);
    leaveAbsent(access, absent.lanes);
  }

  static void leaveAbsent(WarpAccess& access, LaneMask lanes) {
    access.outcome.leave(lanes & access.evicted, LeftCause::Set);
    access.outcome.leave(lanes & ~access.evicted, LeftCause::Absent);
  }

  void compareHits(const L1Try& t, LaneMask lost) {
    for (unsigned i = 0; i < t.lines.count; ++i) {
      if (t.frame[i] == CacheArray::kNone || t.frame[i] == L1Try::kInMshr) continue;
      const LaneMask served = t.lines.lanes[i] & t.hit & ~lost;
      parts_.check.compare(*t.access, served, parts_.array.data(t.frame[i]));
    }
  }

  /// Takes the access off the waiters of each held line whose lanes have all been served. `lost`:
  /// lanes that lost their bank.
  void releaseHeld(const L1Try& t, LaneMask lost) {
    for (unsigned i = 0; i < t.lines.count; ++i) {
      if ((t.lines.lanes[i] & t.hit) == 0) continue;
      const Waiter* own = misses_.waiter(t.lines.line[i], *t.access);
      if (own == nullptr || !own->held) continue;
      const LaneMask lanes = t.lines.lanes[i] & own->lanes;
      if ((lanes & ~(t.hit & ~lost)) != 0) continue;
      const L1Misses::Number number = misses_.find(t.lines.line[i]);
      if (t.frame[i] == L1Try::kInMshr && !heldBytes_.empty())
        parts_.check.compare(*t.access, lanes, heldBytes(number));
      std::vector<Waiter>& waiters = misses_.waiters(number);
      waiters.erase(waiters.begin() + (own - waiters.data()));
      if (misses_.isOver(number)) free(number);
    }
  }

  Result leave(L1Try& t) {
    WarpAccess& access = *t.access;
    order_.left(access);
    const auto left = [&](LeftCause cause) {
      return access.outcome.left[static_cast<unsigned>(cause)] != 0;
    };
    const bool soon = left(LeftCause::Bank) || (left(LeftCause::Tag) && !lacksMshr(access));
    access.outcome.retry = soon ? 0 : kNever;
    access.outcome.data = t.data > t.known ? t.data - t.known : 0;
    return Result::Left;
  }

  /// Frees an MSHR, and lets the accesses try that need one.
  void free(L1Misses::Number number) {
    misses_.free(number);
    // An access that is told may try at once, in vain again: iterate over a list of our own.
    std::vector<WarpAccess*> retrying = std::move(retrying_);
    retrying.swap(withoutMshr_);
    for (WarpAccess* access : retrying) waker_.tryAgain(*access);
    retrying.clear();
    retrying_ = std::move(retrying);
  }

  bool lacksMshr(const WarpAccess& access) const {
    return std::find(withoutMshr_.begin(), withoutMshr_.end(), &access) != withoutMshr_.end();
  }
  void keepBytes(const L1Misses::Arrival& arrival) {
    for (SectorMask m = arrival.sectors; m != 0; m &= m - 1) {
      const std::uint32_t at = static_cast<std::uint32_t>(__builtin_ctz(m)) * kSectorBytes;
      std::memcpy(heldBytes(arrival.number) + at, arrival.bytes + at, kSectorBytes);
    }
  }
  std::uint8_t* heldBytes(L1Misses::Number number) {
    return heldBytes_.data() + std::size_t{number} * parts_.parameters.shape.lineBytes;
  }

  L1Parts& parts_;
  L1Misses& misses_;
  Waker& waker_;
  WarpOrder order_;
  std::vector<WarpAccess*> withoutMshr_;  ///< accesses that tried in vain to get an MSHR
  std::vector<WarpAccess*> retrying_;     ///< empty between calls; kept for its capacity
  std::vector<WarpAccess*> told_;         ///< likewise
  std::vector<std::uint8_t> heldBytes_;   ///< by MSHR, with `verify`: the bytes of its line
};

}  // namespace

std::unique_ptr<L1Divergence> makeL1Replay(L1Parts& parts, L1Divergence::Waker& waker) {
  return std::make_unique<L1Replay>(parts, waker);
}

}  // namespace fermata
