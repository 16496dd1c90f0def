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

  void filled(L1Misses::Number number, const tlm::tlm_generic_payload& payload, Cycle) override {
    const std::vector<WarpAccess*>& waiters = misses_.waiters(number);
    // An access that lost a line once must not lose it again: hold the line in the MSHR.
    const bool holds = misses_.isOverwritten(number) ||
                       std::any_of(waiters.begin(), waiters.end(),
                                   [](const WarpAccess* access) { return access->evicted != 0; });
    misses_.hold(number);
    for (WarpAccess* access : waiters) waker_.tryAgain(*access);
    if (!holds) return free(number);
    if (!heldBytes_.empty())
      std::memcpy(heldBytes(number), payload.get_data_ptr(), parts_.parameters.shape.lineBytes);
  }

 private:
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
      const L1Misses::Number number = misses_.find(before.line[i]);
      const bool held =
          number != L1Misses::kNone && misses_.isHeld(number) && misses_.waits(number, *t.access);
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
    const L1Misses::Number number = misses_.find(t.lines.line[i]);
    const bool awaited = number != L1Misses::kNone && misses_.waits(number, access);
    if (awaited && !misses_.isHeld(number)) return leaveAbsent(access, lanes);
    if (parts_.tags.taken(t.lines.line[i])) return access.outcome.leave(lanes, LeftCause::Tag);
    parts_.tags.lookUp(t.lines.line[i]);
    const CacheArray::Frame frame = parts_.array.find(t.lines.line[i]);
    if (frame == CacheArray::kNone && !awaited) return miss(t, i);
    if (frame != CacheArray::kNone) parts_.array.touch(frame);
    t.frame[i] = frame != CacheArray::kNone ? frame : L1Try::kInMshr;
    t.hit |= lanes;
    if ((access.requested & lanes) == 0) parts_.events.cached(CacheEvent::L1Hit, access);
    access.requested |= lanes;  // if a lane loses its bank, its next try counts no second access
  }

  void miss(L1Try& t, unsigned i) {
    WarpAccess& access = *t.access;
    const LaneMask lanes = t.lines.lanes[i];
    if ((access.requested & lanes) != 0) {
      access.evicted |= lanes;
      parts_.events.cached(CacheEvent::L1SetConflict, access);
    } else {
      parts_.events.cached(CacheEvent::L1Miss, access);
      access.requested |= lanes;
    }
    if (!misses_.request(t, i) && !lacksMshr(access)) withoutMshr_.push_back(&access);
    leaveAbsent(access, lanes);
  }

  static void leaveAbsent(WarpAccess& access, LaneMask lanes) {
    access.outcome.leave(lanes & access.evicted, LeftCause::Set);
    access.outcome.leave(lanes & ~access.evicted, LeftCause::Absent);
  }

  void compareHits(const L1Try& t, LaneMask lost) {
    for (unsigned i = 0; i < t.lines.count; ++i) {
      if (t.frame[i] == CacheArray::kNone || t.frame[i] == L1Try::kInMshr) continue;
      parts_.check.compare(*t.access, t.lines.lanes[i] & ~lost, parts_.array.data(t.frame[i]));
    }
  }

  /// Takes the access off the waiters of each held line whose lanes have all been served. `lost`:
  /// lanes that lost their bank.
  void releaseHeld(const L1Try& t, LaneMask lost) {
    for (unsigned i = 0; i < t.lines.count; ++i) {
      if ((t.lines.lanes[i] & t.hit) == 0 || (t.lines.lanes[i] & lost) != 0) continue;
      const L1Misses::Number number = misses_.find(t.lines.line[i]);
      if (number == L1Misses::kNone || !misses_.isHeld(number)) continue;
      std::vector<WarpAccess*>& waiters = misses_.waiters(number);
      const auto own = std::find(waiters.begin(), waiters.end(), t.access);
      if (own == waiters.end()) continue;
      if (t.frame[i] == L1Try::kInMshr && !heldBytes_.empty())
        parts_.check.compare(*t.access, t.lines.lanes[i], heldBytes(number));
      waiters.erase(own);
      if (waiters.empty()) free(number);
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
  std::uint8_t* heldBytes(L1Misses::Number number) {
    return heldBytes_.data() + std::size_t{number} * parts_.parameters.shape.lineBytes;
  }

  L1Parts& parts_;
  L1Misses& misses_;
  Waker& waker_;
  WarpOrder order_;
  std::vector<WarpAccess*> withoutMshr_;  ///< accesses that tried in vain to get an MSHR
  std::vector<WarpAccess*> retrying_;     ///< empty between calls; kept for its capacity
  std::vector<std::uint8_t> heldBytes_;   ///< by MSHR, with `verify`: the bytes of its line
};

}  // namespace

std::unique_ptr<L1Divergence> makeL1Replay(L1Parts& parts, L1Divergence::Waker& waker) {
  return std::make_unique<L1Replay>(parts, waker);
}

}  // namespace fermata
