#include <fermata/models/core/epochs.h>
#include <fermata/models/core/sm_core.h>

#include <algorithm>

namespace fermata {

Epochs::Epochs(ClockDomain& chip, Cycle length) : chip_(chip), length_(length) {
  if (length == 0) SC_REPORT_FATAL("fermata/core", "an epoch has 1 cycle or more");
  chip.add(*this);
}

Epochs::Lane::Lane(std::shared_ptr<Island> home, ClockDomain& clock, SmCore& sm)
    : island(std::move(home)), domain(clock), core(sm) {
  domain.add(*this);
}

// A core without CTAs does nothing: its account ends with its last CTA, so that it can end there
// with the workload.
Cycle Epochs::Lane::tick(Cycle now) {
  if (!core.empty() && !core.advanced()) {
    if (core.due() > now) return core.due();
    const unsigned over = core.advance(now);
    retired += over;
    if (over != 0) last = now;
  }
  if (core.empty()) {
    core.rest();
    return kNever;
  }
  core.issue(now);
  return core.due();
}

void Epochs::add(std::shared_ptr<Island> island, ClockDomain& domain, SmCore& core) {
  lanes_.push_back(std::make_unique<Lane>(std::move(island), domain, core));
}

void Epochs::begin(Cycle now) {
  origin_ = reached_ = now;
  for (const auto& lane : lanes_) {
    lane->island->begin(chip_.clock().ticks(now));
    lane->last = now;
  }
  chip_.wake(now);
}

void Epochs::wake(Ticks at) {
  chip_.wake(boundaryOf(chip_.clock().cycles(timeOf(at))));
}

bool Epochs::quiet() const {
  return std::all_of(lanes_.begin(), lanes_.end(),
                     [](const auto& lane) { return lane->island->idle(); });
}

Cycle Epochs::tick(Cycle now) {
  hand(now);
  run(now + length_);
  if (exchange_) exchange_();
  return next(now + length_);
}

// Hands CTAs to the cores, which have run to `now`.
void Epochs::hand(Cycle now) {
  unsigned retired = 0;
  Cycle last = 0;
  for (const auto& lane : lanes_) {
    retired += std::exchange(lane->retired, 0);
    last = std::max(last, lane->last);
  }
  ctas_->boundary(retired, last, now);
  for (const auto& lane : lanes_) {
    if (lane->core.advanced()) lane->domain.wake(now);
  }
}

void Epochs::run(Cycle end) {
  reached_ = end;
  for (const auto& lane : lanes_) {
    running_ = &lane->domain;
    lane->island->run(chip_.clock().ticks(end));
  }
  running_ = nullptr;
  for (const auto& lane : lanes_) lane->domain.rethrow();
}

// The boundary before the first thing that happens on an island, from `end` on; `end` itself if the
// dispatcher has something to do.
Cycle Epochs::next(Cycle end) const {
  Ticks first = Island::kNone;
  for (const auto& lane : lanes_) {
    if (lane->retired != 0) return end;
    first = std::min(first, lane->island->due());
  }
  if (first == Island::kNone) return kNever;
  return std::max(end, boundaryOf(chip_.clock().cycles(timeOf(first))));
}

}  // namespace fermata
