// Divergence::Wait: a try is taken whole. A line that no MSHR takes holds the path.
#include <fermata/models/memory/l1_divergence.h>

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

  void filled(L1Misses::Number number, const tlm::tlm_generic_payload& payload,
              Cycle now) override {
    const std::uint64_t line = LineRequester::of(payload).line;
    for (WarpAccess* access : parts_.misses.waiters(number)) {
      if (parts_.parameters.verify)
        parts_.check.compare(*access, lanesOn(*access, line), payload.get_data_ptr());
      waker_.arrived(*access, now + parts_.parameters.fillLatency);
    }
    parts_.misses.free(number);
  }

 private:
  /// Looks up line `i`, and requests it if it is absent. False: the try must wait.
  bool lookUp(L1Try& t, unsigned i) {
    const CacheArray::Frame frame = parts_.array.find(t.lines.line[i]);
    t.frame[i] = frame;
    if (frame != CacheArray::kNone) {
      parts_.array.touch(frame);
      t.hit |= t.lines.lanes[i];
      parts_.check.compare(*t.access, t.lines.lanes[i], parts_.array.data(frame));
      parts_.events.cached(CacheEvent::L1Hit, *t.access);
      return true;
    }
    if (!parts_.misses.request(t, i)) return false;
    parts_.events.cached(CacheEvent::L1Miss, *t.access);
    parts_.flights.sent(*t.access);
    return true;
  }

  LaneMask lanesOn(const WarpAccess& access, std::uint64_t line) const {
    TouchedLines lines;
    lines.gather(access, access.instruction.active, parts_.array);
    for (unsigned i = 0; i < lines.count; ++i) {
      if (lines.line[i] == line) return lines.lanes[i];
    }
    return 0;
  }

  L1Parts& parts_;
  Waker& waker_;
};

}  // namespace

std::unique_ptr<L1Divergence> makeL1Wait(L1Parts& parts, L1Divergence::Waker& waker) {
  return std::make_unique<L1Wait>(parts, waker);
}

}  // namespace fermata
