// Divergence::Wait: a try is taken whole. A line that no MSHR takes holds the path.
#include <fermata/models/memory/l1_divergence.h>

#include <algorithm>
#include <vector>

namespace fermata {

namespace {

class L1Wait : public L1Divergence {
 public:
  L1Wait(L1Parts& parts, Waker& waker) : parts_(parts), waker_(waker) {}

  Result serve(L1Try& t) override {
    for (; t.next < t.lines.count; ++t.next) {
      if (!t.loads()) {
        parts_.writes.send(t, t.next);
      } else if (!lookUp(t, t.next)) {
        return Result::Stalled;
      }
      parts_.tags.lookUp(t.lines.line[t.next]);
    }
    parts_.banks.pass(t);
    return parts_.flights.taken(*t.access, t.data) ? Result::Served : Result::Pending;
  }

  void filled(const L1Misses::Arrival& arrival, Cycle now) override {
    std::vector<L1Misses::Waiter>& waiters = parts_.misses.waiters(arrival.number);
    for (const L1Misses::Waiter& w : waiters) {
      if (parts_.parameters.verify) {
        const LaneMask come = parts_.sectors.lanesIn(*w.access, w.lanes, arrival.sectors);
        parts_.check.compare(*w.access, come, arrival.bytes);
      }
      if (w.sectors == 0) waker_.arrived(*w.access, now + parts_.parameters.fillLatency);
    }
    waiters.erase(std::remove_if(waiters.begin(), waiters.end(),
                                 [](const L1Misses::Waiter& w) { return w.sectors == 0; }),
                  waiters.end());
    if (parts_.misses.isOver(arrival.number)) parts_.misses.free(arrival.number);
  }

 private:
  /// Looks up line `i`, and requests what is absent. False: the try must wait.
  bool lookUp(L1Try& t, unsigned i) {
    const LaneMask lanes = t.lines.lanes[i];
    const CacheArray::Frame frame = parts_.array.findPresent(t.lines.line[i]);
    const Absent absent = parts_.sectors.absent(frame, *t.access, lanes);
    if (absent.lanes != 0 && !parts_.misses.request(t, i, absent)) return false;
    t.frame[i] = frame;
    if (const LaneMask hit = lanes & ~absent.lanes; hit != 0) {
      parts_.array.touch(frame);
      t.hit |= hit;
      parts_.check.compare(*t.access, hit, parts_.array.data(frame));
    }
    parts_.events.cached(absent.lanes == 0 ? CacheEvent::L1Hit : CacheEvent::L1Miss, *t.access);
    if (absent.lanes != 0) parts_.flights.sent(*t.access);
    return true;
  }

  L1Parts& parts_;
  Waker& waker_;
};

}  // namespace

std::unique_ptr<L1Divergence> makeL1Wait(L1Parts& parts, L1Divergence::Waker& waker) {
  return std::make_unique<L1Wait>(parts, waker);
}

}  // namespace fermata
