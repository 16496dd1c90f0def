#include <fermata/models/core/sm_core.h>

#include <algorithm>

namespace fermata {

namespace {

/// The parameters, or a fatal report that says which of them is impossible.
const SmCore::Parameters& checked(const SmCore::Parameters& p) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) SC_REPORT_FATAL("fermata/core", what);
  };
  require(p.issue.policy != nullptr, "issue.policy must be a function");
  require(p.issue.schedulers >= 1 && p.issue.schedulers <= kMaxWarpSlots,
          "issue.schedulers must be 1 to 64");
  require(p.issue.issueWidth >= 1, "issue.issueWidth must be 1 or more");
  require(p.limits.warps >= 1 && p.limits.warps <= kMaxWarpSlots, "limits.warps must be 1 to 64");
  require(p.limits.ctas >= 1, "limits.ctas must be 1 or more");
  require(p.limits.registerUnit >= 1, "limits.registerUnit must be 1 or more");
  require(p.limits.sharedUnit >= 16,
          "limits.sharedUnit must be 16 or more: a CTA's window holds aligned lanes");
  return p;
}

}  // namespace

SmCore::SmCore(const sc_core::sc_module_name& name, ClockDomain& domain,
               const Parameters& parameters, Probe* probe)
    : sc_module(name),
      domain_(domain),
      parameters_(checked(parameters)),
      probe_(probe),
      stage_(parameters.issue.schedulers, parameters.issue.issueWidth, probe),
      warps_(parameters.issue, parameters.limits.warps, domain, ctas_, stage_, probe),
      port(warps_.loadStore().port) {
  ReplayBuffer& replays = warps_.loadStore().replays();
  const bool newFirst = parameters.issue.loadStore.replay.priority == ReplayPriority::New;
  if (!newFirst) stage_.add(replays);
  stage_.add(warps_);
  if (newFirst) stage_.add(replays);
  domain.add(*this);
}

void SmCore::start(Workload& workload) {
  if (!finished()) SC_REPORT_FATAL("fermata/core", "a workload is still running");
  if (!workload.claim()) {
    SC_REPORT_FATAL("fermata/core", "the workload has been run before; expected a new one");
  }
  workload.setWarpSlots(parameters_.limits.warps);
  workload.setCarriesData(parameters_.verify);
  workload_ = &workload;
  grid_ = nullptr;
  best_ = {};
  bestWarps_ = 0;
  started_ = ended_ = domain_.nextCycle();
  warps_.start(workload, started_);
  stage_.start(started_);
  domain_.wake(started_);
}

Cycle SmCore::tick(Cycle now) {
  if (workload_ == nullptr) return kNever;
  stage_.settle(now);
  warps_.advance(now);
  warps_.loadStore().tick(now);
  if (ctas_.exited() != 0) retireCtas(now);
  while (grid_ == nullptr || (nextCta_ == grid_->ctas && ctas_.resident() == 0)) {
    if (!beginGrid(now)) return kNever;
  }
  if (nextCta_ < grid_->ctas && ctas_.hasPlace()) placeCtas(now);
  stage_.cycle(now);
  warps_.loadStore().tick(now);
  return nextUseful(now + 1);
}

// Returns false after the last grid.
bool SmCore::beginGrid(Cycle now) {
  if (grid_ != nullptr) endGrid(now);
  grid_ = workload_->nextGrid();
  if (betweenGrids_) betweenGrids_(*workload_);
  if (grid_ == nullptr) {
    workload_ = nullptr;
    ended_ = now;
    return false;
  }
  const Occupancy fits = requireOccupancy(*grid_, parameters_.limits);
  const WindowPlacement windows = windowPlacement(*grid_, parameters_.limits, fits.ctas);
  ctas_.configure(*grid_, fits.ctas, static_cast<std::uint32_t>(windows.stride));  // they fit
  noteOccupancy(fits);
  warps_.beginGrid(*grid_);
  nextCta_ = 0;
  if (probe_ != nullptr) probe_->gridStarted(*grid_, now - started_);
  return true;
}

void SmCore::noteOccupancy(const Occupancy& fits) {
  const unsigned warps = fits.ctas * grid_->warpsPerCta();
  if (warps <= bestWarps_) return;
  best_ = fits;
  bestWarps_ = warps;
}

void SmCore::endGrid(Cycle now) {
  if (probe_ != nullptr) probe_->gridEnded(*grid_, now - started_);
}

void SmCore::placeCtas(Cycle now) {
  while (nextCta_ < grid_->ctas && ctas_.hasPlace()) {
    const Cta& cta = ctas_.place(nextCta_++);
    if (parameters_.verify)
      port.clearWindow(cta.windowBase, (grid_->sharedBytesPerCta + 3) / 4 * 4);
    workload_->startCta(cta.number, cta.first);
    if (probe_ != nullptr) probe_->ctaStarted(cta.number, ctas_.warpsPerCta(), now - started_);
    warps_.startCta(cta, now);
  }
}

void SmCore::retireCtas(Cycle now) {
  for (Cta& cta : ctas_.places()) {
    if (!cta.draining() || cta.retires > now) continue;
    workload_->endCta(cta.first);
    if (probe_ != nullptr) probe_->ctaEnded(cta.number, ctas_.warpsPerCta(), now - started_);
    ctas_.remove(cta);
  }
}

Cycle SmCore::nextUseful(Cycle from) const {
  Cycle next = std::min(stage_.next(from), warps_.loadStore().next(from));
  if (ctas_.exited() == 0) return next;
  for (const Cta& cta : ctas_.places()) {
    if (cta.draining()) next = std::min(next, std::max(cta.retires, from));
  }
  return next;
}

std::string SmCore::describeWait() const {
  if (finished()) return "nothing: the workload has finished";
  std::string text = "kernel '" + (grid_ != nullptr ? grid_->kernel : std::string("?")) + "'";
  if (port.inFlight() != 0) {
    text += "; " + std::to_string(port.inFlight()) + " accesses without a response";
  }
  return text + warps_.describeWait();
}

}  // namespace fermata
