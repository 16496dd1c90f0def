#include <fermata/models/probe/traced_signals.h>

#include <fermata/models/transaction/warp_access.h>

namespace fermata {

TracedSignals::TracedSignals(const Clock& clock)
    : clock_(clock), alarm_(Turn::Memory, [this] { apply(); }) {
  Agenda::ofSimulation()->forbidLead();  // a trace file looks at SystemC's time
}

void TracedSignals::ctaStarted(std::uint64_t, unsigned, Cycle at) {
  change(start_ + at, &TracedSignals::ctas, 1, true);
}

void TracedSignals::ctaEnded(std::uint64_t, unsigned, Cycle at) {
  change(start_ + at, &TracedSignals::ctas, ~std::uint32_t{0}, true);
}

void TracedSignals::issued(const IssueEvent& event) {
  const Cycle at = start_ + event.cycle;
  countDuring(at, at + 1, &TracedSignals::issues);
  change(at, &TracedSignals::warp, event.slot, false);
  change(at, &TracedSignals::pc, event.instruction.pc, false);
}

void TracedSignals::sharedTry(const WarpAccess& access) {
  const Cycle from = access.firstPass;
  countDuring(from, from + access.passes, &TracedSignals::holding);
  if (access.passes > access.freePasses)
    countDuring(from + access.freePasses, from + access.passes, &TracedSignals::conflicting);
}

void TracedSignals::countDuring(Cycle from, Cycle until, Signal signal) {
  change(from, signal, 1, true);
  change(until, signal, ~std::uint32_t{0}, true);
}

// The core runs ahead of SystemC's time, but not beyond an alarm.
void TracedSignals::change(Cycle at, Signal signal, std::uint32_t value, bool adds) {
  due_.push({at, changes_++, signal, value, adds});
  alarm_.set(clock_.time(due_.top().at));
}

void TracedSignals::apply() {
  const sc_core::sc_time& now = alarm_.stamp();
  while (!due_.empty() && clock_.time(due_.top().at) <= now) {
    const Change& change = due_.top();
    std::uint32_t& signal = this->*change.signal;
    signal = change.adds ? signal + change.value : change.value;
    due_.pop();
  }
  if (!due_.empty()) alarm_.set(clock_.time(due_.top().at));
}

}  // namespace fermata
