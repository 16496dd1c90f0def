#include <fermata/models/timing/clock_domain.h>

#include <utility>

namespace fermata {

ClockDomain::ClockDomain(const sc_core::sc_module_name& name, const Clock& clock, Cycle most)
    : sc_module(name),
      agenda_(Agenda::here()),
      clock_(agenda_->island() ? clock.of(*agenda_) : clock),
      most_(most),
      alarm_(Turn::Clock, [this] { run(); }) {}

void ClockDomain::wake(Cycle cycle) {
  cycle = std::max(cycle, earliest_);
  if (cycle >= next_) return;
  next_ = cycle;
  if (ticking_) return;  // run() reads next_ after its parts were ticked
  if (cycle > clock_.lastCycle())
    SC_REPORT_FATAL("fermata/clock", "the simulation runs beyond the time that sc_time can hold");
  alarm_.set(std::max(clock_.time(cycle), agenda_->stamp()));
}

void ClockDomain::run() {
  if (error_) return;  // the parts are left as they were when one threw
  ticking_ = true;
  stamp_ = agenda_->stamp();
  try {
    tickUntilOthersAct(clock_.now());
  } catch (...) {
    error_ = std::current_exception();
    if (!agenda_->island()) agenda_->pause();
  }
  ticking_ = false;
  if (const Cycle next = std::exchange(next_, kNever); next != kNever && !error_) wake(next);
}

void ClockDomain::tickUntilOthersAct(Cycle now) {
  const Cycle last = std::min(now + most_, clock_.lastCycle());
  now = std::max(now, earliest_);
  do {
    next_ = kNever;
    earliest_ = now + 1;
    Cycle next = kNever;
    for (Ticked* part : parts_) next = std::min(next, part->tick(now));
    next_ = std::min(next_, next == kNever ? kNever : std::max(next, earliest_));
    now = next_;
  } while (mayGoOnTo(now, last));
}

// Other activity in the same instant goes first: the domain then returns, and rings again there as
// an alarm of Turn::Clock.
bool ClockDomain::mayGoOnTo(Cycle cycle, Cycle last) {
  return cycle <= last && agenda_->quietUntil(clock_.ticks(cycle), stamp_.value());
}

void ClockDomain::rethrow() {
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace fermata
