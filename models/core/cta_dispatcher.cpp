#include <fermata/models/core/cta_dispatcher.h>
#include <fermata/models/core/epochs.h>
#include <fermata/models/core/sm_core.h>

#include <algorithm>

namespace fermata {

CtaDispatcher::CtaDispatcher(ClockDomain& domain, std::vector<SmCore*> cores, Probe* probe)
    : domain_(domain), cores_(std::move(cores)), probe_(probe) {
  domain.add(*this);
  for (SmCore* core : cores_) core->port.number(sequence_);
}

CtaDispatcher::CtaDispatcher(ClockDomain& domain, std::vector<SmCore*> cores, Probe* probe,
                             Epochs& epochs)
    : domain_(domain), epochs_(&epochs), cores_(std::move(cores)), probe_(probe) {
  epochs.serve(*this);
}

void CtaDispatcher::start(Workload& workload) {
  if (!finished()) SC_REPORT_FATAL("fermata/core", "a workload is still running");
  if (!workload.claim())
    SC_REPORT_FATAL("fermata/core", "the workload has been run before; expected a new one");
  unsigned slots = 0;
  verify_ = false;
  for (const SmCore* core : cores_) {
    slots += core->parameters().limits.warps;
    verify_ = verify_ || core->parameters().verify;
  }
  workload.setWarpSlots(slots);
  workload.setCarriesData(verify_);
  workload.setModel(&state_);
  workload_ = &workload;
  grid_ = nullptr;
  set_ = nullptr;
  grouped_ = false;
  queue_.reset();
  nextCta_ = running_ = before_ = 0;
  best_ = {};
  bestWarps_ = 0;
  started_ = ended_ = domain_.nextCycle();
  if (probe_ != nullptr) probe_->runStarted(started_);
  unsigned first = 0;
  for (SmCore* core : cores_) {
    core->begin(workload, first, started_);
    first += core->parameters().limits.warps;
  }
  const GridSet* const set = workload.together();
  if (set != nullptr && mayMix(*set)) beginSet(*set);
  if (epochs_ != nullptr) return epochs_->begin(started_);
  domain_.wake(started_);
}

Cycle CtaDispatcher::tick(Cycle now) {
  if (workload_ == nullptr) return kNever;
  unsigned retired = 0;
  for (SmCore* core : cores_) {
    if (core->due() <= now) retired += core->advance(now);
  }
  if ((retired != 0 || grid_ == nullptr || awaits()) && !fill(retired, now)) return kNever;
  Cycle next = kNever;
  for (SmCore* core : cores_) {
    if (core->advanced()) core->issue(now);
    next = std::min(next, core->due());
  }
  return next;
}

void CtaDispatcher::boundary(unsigned retired, Cycle last, Cycle now) {
  if (workload_ == nullptr) return;
  if (set_ != nullptr) {
    (void)fillSet(now);
    return;
  }
  running_ -= retired;
  for (;;) {
    if (gridIsOver()) {
      if (!beginGrid(last, now)) return;
    } else if (const unsigned more = advanceToPlace(now); more != 0) {
      running_ -= more;
      last = now;
    } else {
      return placeCtas(now);
    }
  }
}

/// Brings cores that have a place up to `now`. Returns how many CTAs have retired in that cycle.
unsigned CtaDispatcher::advanceToPlace(Cycle now) {
  unsigned retired = 0;
  for (SmCore* core : cores_) {
    if (nextCta_ != grid_->ctas && core->hasPlace() && !core->advanced())
      retired += core->advance(now);
  }
  return retired;
}

// Fills places after `retired` CTAs have left. Returns false after the last grid.
bool CtaDispatcher::fill(unsigned retired, Cycle now) {
  if (set_ != nullptr) return fillSet(now);
  running_ -= retired;
  while (gridIsOver()) {
    if (!beginGrid(now, now)) return false;
  }
  placeCtas(now);
  return true;
}

// Ends the present grid, whose last CTA retired in cycle `last`, and begins the next one. Returns
// false after the last grid.
bool CtaDispatcher::beginGrid(Cycle last, Cycle now) {
  if (grid_ != nullptr && probe_ != nullptr) probe_->gridEnded(*grid_, last - started_);
  apart_ = false;
  grid_ = workload_->nextGrid();
  if (betweenGrids_) betweenGrids_(*workload_);
  if (grid_ == nullptr) {
    end(last);
    return false;
  }
  if (beforeGrid_) beforeGrid_(*grid_);
  for (SmCore* core : cores_) {
    if (!core->advanced()) core->advance(now);
  }
  before_ += nextCta_;
  nextCta_ = 0;
  running_ = 0;
  spread_ = grid_->clusterCtas > 1 && cores_.size() >= grid_->clusterCtas && !verify_;
  if (spread_) spreadClusters();
  if (!gpcs_.none()) turns_.emplace(gpcs_);
  const std::uint64_t share = shareOfOne();
  atOnce_ = ctasAtOnce();
  for (SmCore* core : cores_) {
    const Occupancy fits = core->beginGrid(*grid_, share, spread_);
    const unsigned warps = fits.ctas * grid_->warpsPerCta();
    if (warps <= bestWarps_) continue;
    best_ = fits;
    bestWarps_ = warps;
  }
  apart_ = epochs_ != nullptr && cores_.size() > 1 && runApart();
  if (epochs_ != nullptr && verify_) numberAccesses();
  if (probe_ != nullptr) probe_->gridStarted(*grid_, now - started_);
  return true;
}

// Numbers accesses in the order in which the workload executes them. Cores that execute apart are
// numbered as their stores are exchanged: by cycle, then by core (Epochs::Lane).
void CtaDispatcher::numberAccesses() {
  for (SmCore* core : cores_) {
    if (apart_)
      core->port.numberAlone();
    else
      core->port.number(sequence_);
  }
}

void CtaDispatcher::end(Cycle now) {
  for (SmCore* core : cores_) core->end(now);
  workload_->setModel(nullptr);
  workload_ = nullptr;
  ended_ = now;
  if (whenFinished_) whenFinished_();
}

std::uint64_t CtaDispatcher::State::cycles() const {
  return dispatcher_.running().now() - dispatcher_.started_;
}

const ClockDomain& CtaDispatcher::running() const {
  return epochs_ != nullptr ? epochs_->running() : domain_;
}

std::uint64_t CtaDispatcher::State::nanoseconds() const {
  const sc_core::sc_time time = dispatcher_.domain_.clock().time(cycles());
  return static_cast<std::uint64_t>(time / sc_core::sc_time(1, sc_core::SC_NS));
}

unsigned CtaDispatcher::State::multiprocessors() const {
  return static_cast<unsigned>(dispatcher_.cores_.size());
}

// All multiprocessors have as many slots.
unsigned CtaDispatcher::State::multiprocessorOf(unsigned slot) const {
  const unsigned block = slot / dispatcher_.cores_.front()->parameters().limits.warps;
  return dispatcher_.grouped_ ? dispatcher_.coreOf_[block] : block;
}

// CTAs of successive multiprocessors follow one another, then the next ones of each (GPGPU-Sim 4.2,
// gpgpu_local_mem_map). Grids side by side share their slots by number.
LocalPlace CtaDispatcher::State::localPlace(unsigned slot) const {
  const CoreParameters& core = dispatcher_.cores_.front()->parameters();
  if (core.localLayout == LocalLayout::Warp) return {};
  const std::uint64_t sms = multiprocessors();
  const unsigned slots = core.limits.warps;
  if (dispatcher_.set_ != nullptr) return {slot, slots * sms};
  const unsigned ofCta = dispatcher_.grid_->warpsPerCta();
  const unsigned own = slot % slots;
  const std::uint64_t cta = own / ofCta * sms + multiprocessorOf(slot);
  return {cta * ofCta + own % ofCta, dispatcher_.atOnce_ * sms * ofCta};
}

/// Returns the CTAs of the grid that a multiprocessor has at once, if all have as many.
std::uint64_t CtaDispatcher::ctasAtOnce() const {
  const std::uint64_t fit = occupancy(*grid_, cores_.front()->limits()).ctas;
  return std::min<std::uint64_t>(fit, (grid_->ctas + cores_.size() - 1) / cores_.size());
}

// Skips multiprocessors that have not advanced in this cycle: no CTA has left them, so they have no
// new place.
void CtaDispatcher::placeCtas(Cycle now) {
  if (spread_) return placeClusters(now);
  if (turns_) return placeInTurns(now);
  for (bool placed = nextCta_ < grid_->ctas; placed;) {
    placed = false;
    for (SmCore* core : cores_) {
      if (!core->advanced() || !core->hasPlace()) continue;
      if (nextCta_ == grid_->ctas) return;
      for (unsigned rank = 0; rank < grid_->clusterCtas; ++rank) core->placeCta(nextCta_++, now);
      running_ += grid_->clusterCtas;
      placed = true;
    }
  }
}

}  // namespace fermata
