#include <fermata/models/core/epochs.h>
#include <fermata/models/core/sm_core.h>

#include <algorithm>

namespace fermata {

thread_local const ClockDomain* Epochs::running_ = nullptr;

Epochs::Epochs(ClockDomain& chip, Cycle length)
    : chip_(chip), length_(length), boundary_(Turn::Boundary, [this] { exchange(); }) {
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
  if (cores != 0) core.port.numberFrom((now * cores + number) * kNumbersPerCycle);
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
  lanes_.back()->number = lanes_.size() - 1;
}

void Epochs::begin(Cycle now) {
  origin_ = reached_ = now;
  for (const auto& lane : lanes_) {
    lane->island->begin(chip_.clock().ticks(now));
    lane->last = now;
  }
  chip_.wake(now);
}

void Epochs::wake() {
  const Cycle now = chip_.clock().now();
  const Cycle last = boundaryOf(now);
  chip_.wake(last == now && ticked_ != now ? now : last + length_);
}

bool Epochs::quiet() const {
  return std::all_of(lanes_.begin(), lanes_.end(),
                     [](const auto& lane) { return lane->island->idle(); });
}

Cycle Epochs::tick(Cycle now) {
  ticked_ = now;
  exchange();
  for (const auto& lane : lanes_) {
    if (lane->error) std::rethrow_exception(std::exchange(lane->error, nullptr));
  }
  if (deliver_) deliver_();
  hand(now);
  return run(now);
}

void Epochs::settle() {
  if (std::exchange(works_, false)) crew_->finish();
}

void Epochs::exchange() {
  settle();
  if (!std::exchange(ran_, false)) return;
  ctas_->exchange();
  if (exchange_) exchange_();
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

void Epochs::Lane::run(Ticks end) {
  running_ = &domain;
  try {
    island->run(end);
    domain.rethrow();
  } catch (...) {
    error = std::current_exception();
  }
  running_ = nullptr;
}

// Lets the multiprocessors run from `now` to the next boundary. Returns the boundary at which there
// is something to do next.
Cycle Epochs::run(Cycle now) {
  const Cycle end = now + length_;
  const Ticks time = chip_.clock().ticks(end);
  Ticks first = Island::kNone;
  due_.clear();
  for (const auto& lane : lanes_) {
    first = std::min(first, lane->island->due());
    if (lane->island->due() < time) due_.push_back(lane.get());
  }
  if (due_.empty())
    return first == Island::kNone ? kNever : boundaryOf(chip_.clock().cycles(timeOf(first)));
  reached_ = end;
  ran_ = true;
  boundary_.set(timeOf(time));
  // A multiprocessor's state leaves the host's cache while many others run.
  const bool many = lanes_.size() >= kMany;
  for (Lane* const lane : due_) lane->cores = ctas_->numbersByCycle() ? lanes_.size() : 0;
  const auto work = [this, time, many](unsigned i) {
    if (many) due_[i]->core.prefetch();
    due_[i]->run(time);
  };
  const auto count = static_cast<unsigned>(due_.size());
  if (crew_ != nullptr && count > 1 && ctas_->apart()) {
    crew_->begin(count, work);
    works_ = true;
  } else {
    for (unsigned i = 0; i < count; ++i) work(i);
  }
  return end;
}

}  // namespace fermata
