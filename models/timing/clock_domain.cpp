#include <fermata/models/timing/clock_domain.h>

#include <algorithm>
#include <utility>

namespace fermata {

ClockDomain::ClockDomain(const sc_core::sc_module_name& name, const Clock& clock)
    : sc_module(name), clock_(clock) {
  SC_METHOD(run);
  sensitive << wake_;
  dont_initialize();
}

void ClockDomain::wake(Cycle cycle) {
  cycle = std::max(cycle, earliest_);
  if (cycle >= next_) return;
  next_ = cycle;
  wake_.notify(clock_.time(cycle) - sc_core::sc_time_stamp());  // replaces a later notification
}

void ClockDomain::run() {
  const Cycle now = clock_.now();
  next_ = kNever;
  earliest_ = now + 1;
  Cycle next = kNever;
  try {
    for (Ticked* part : parts_) next = std::min(next, part->tick(now));
  } catch (...) {
    error_ = std::current_exception();
    sc_core::sc_pause();
    return;
  }
  if (next != kNever) wake(next);
}

void ClockDomain::rethrow() {
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace fermata
