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

void Epochs::join(const std::vector<std::vector<unsigned>>& groups) {
  order_.clear();
  std::vector<bool> joined(lanes_.size(), false);
  for (std::size_t unit = 0; unit < groups.size(); ++unit) {
    for (const unsigned number : groups[unit]) {
      order_.push_back(lanes_[number].get());
      order_.back()->unit = unit;
      joined[number] = true;
    }
  }
  for (const auto& lane : lanes_) {
    if (joined[lane->number]) continue;
    lane->unit = groups.size() + lane->number;
    order_.push_back(lane.get());
  }
}

void Epochs::begin(Cycle now) {
  join({});
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

// The core's own error comes first: memory runs on to the boundary, on what the core left
// unfinished.
void Epochs::Lane::run(Ticks end) {
  running_ = &domain;
  const auto keep = [this](auto step) {
    try {
      step();
    } catch (...) {
      error = std::current_exception();
    }
  };
  keep([&] { island->run(end); });
  keep([&] { domain.rethrow(); });
  running_ = nullptr;
}

// Finds the cores with something to do before `end`, unit by unit. Returns when the first of all
// has something to do.
Ticks Epochs::findDue(Ticks end) {
  Ticks first = Island::kNone;
  due_.clear();
  units_.clear();
  for (Lane* const lane : order_) {
    first = std::min(first, lane->island->due());
    if (lane->island->due() >= end) continue;
    if (due_.empty() || due_.back()->unit != lane->unit) units_.push_back(due_.size());
    due_.push_back(lane);
  }
  units_.push_back(due_.size());
  return first;
}

// Lets the multiprocessors run from `now` to the next boundary. Returns the boundary at which there
// is something to do next.
Cycle Epochs::run(Cycle now) {
  const Cycle end = now + length_;
  const Ticks time = chip_.clock().ticks(end);
  const Ticks first = findDue(time);
  if (due_.empty())
    return first == Island::kNone ? kNever : boundaryOf(chip_.clock().cycles(timeOf(first)));
  reached_ = end;
  ran_ = true;
  boundary_.set(timeOf(time));
  for (Lane* const lane : due_) lane->cores = ctas_->numbersByCycle() ? lanes_.size() : 0;
  const auto count = static_cast<unsigned>(units_.size() - 1);
  // Every other epoch begins with the SMs that ran last: they are in the host's cache.
  const bool back = ctas_->apart() && (now / length_) % 2 != 0;
  const auto work = [this, time, back, count](unsigned k) {
    const unsigned unit = back ? count - 1 - k : k;
    for (std::size_t i = units_[unit]; i < units_[unit + 1]; ++i) due_[i]->run(time);
  };
  if (crew_ != nullptr && count > 1 && ctas_->apart()) {
    crew_->begin(count, work);
    works_ = true;
  } else {
    for (unsigned i = 0; i < count; ++i) work(i);
  }
  return end;
}

}  // namespace fermata
