#include <fermata/models/core/core_description.h>
#include <fermata/models/core/sm_core.h>
#include <fermata/models/vocabulary/grid_set.h>

namespace fermata {

namespace {

/// Returns the parameters. Reports a fatal error that names the impossible one, if any.
const CoreParameters& checked(const CoreParameters& p) {
  CoreParameters copy = p;
  RangeCheck ranges;
  describeCore(copy, ranges);
  describeFetch(copy.issue, ranges);
  if (!ranges.wrong().empty()) SC_REPORT_FATAL("fermata/core", ranges.wrong().c_str());
  if (p.issue.policy->make == nullptr && p.issue.basePolicy->make == nullptr)
    SC_REPORT_FATAL("fermata/core", "issue.basePolicy must pick warps itself");
  const bool single = p.issue.schedulers == 1 && p.issue.issueWidth == 1;
  const LoadStoreParameters& ways = p.issue.loadStore;
  if (ways.queue != 0 && ways.subcore.queue != 0)
    SC_REPORT_FATAL("fermata/core",
                    "loadStore.queue and loadStore.subcore.queue exclude each other");
  const bool queues = ways.queue != 0 || ways.subcore.queue != 0 || p.issue.reorderBuffer != 0 ||
                      ways.replay.capacity != 0;
  if (isStaged(p.issue.pipelines.organisation) && (!single || queues))
    SC_REPORT_FATAL(
        "fermata/core",
        "an in-order pipeline has one scheduler of width 1 and no memory queue, reorder "
        "buffer or replay buffer");
  return p;
}

}  // namespace

SmCore::SmCore(const sc_core::sc_module_name& name, ClockDomain& domain,
               const Parameters& parameters, Probe* probe)
    : sc_module(name),
      domain_(domain),
      parameters_(checked(parameters)),
      limits_(parameters.limits),
      probe_(probe),
      stage_(parameters.issue.schedulers, parameters.issue.issueWidth, probe),
      warps_(parameters.issue, parameters.limits.warps, domain, ctas_, stage_, probe),
      port(warps_.loadStore().port) {
  ReplayBuffer& replays = warps_.loadStore().replays();
  const bool newFirst = parameters.issue.loadStore.replay.priority == ReplayPriority::New;
  if (!newFirst) stage_.add(replays);
  stage_.add(warps_);
  if (newFirst) stage_.add(replays);
}

void SmCore::mayLeaveLanes(MemoryPath path) {
  if (isStaged(parameters_.issue.pipelines.organisation))
    SC_REPORT_FATAL("fermata/core", "an in-order pipeline takes no path that leaves lanes");
  warps_.loadStore().mayLeaveLanes(path);
}

CtaDispatcher& SmCore::own() {
  if (own_ == nullptr)
    own_ = std::make_unique<CtaDispatcher>(domain_, std::vector<SmCore*>{this}, probe_);
  return *own_;
}

void SmCore::begin(Workload& workload, unsigned firstSlot, Cycle now) {
  workload_ = &workload;
  grid_ = nullptr;
  set_ = nullptr;
  retired_.clear();
  firstSlot_ = firstSlot;
  started_ = now;
  next_ = now;
  warps_.start(workload, firstSlot, now);
  stage_.start(now);
}

void SmCore::end(Cycle now) {
  warps_.catchUp(now);
  stage_.settle(now);
  workload_ = nullptr;
  next_ = kNever;
  advanced_ = false;
}

Occupancy SmCore::beginGrid(const Grid& grid, std::uint64_t share, bool spread) {
  if (grid.clusterCtas > 1)
    warps_.requireClusters("kernel '" + grid.kernel + "': a launch with clusters");
  Grid here = grid;
  if (spread) here.clusterCtas = 1;
  Occupancy fits = requireOccupancy(here, limits_);
  if (share < fits.ctas) fits = {static_cast<unsigned>(share), OccupancyLimiter::Grid};
  const WindowPlacement windows = windowPlacement(here, limits_, fits.ctas);
  ctas_.configure(grid, here.clusterCtas, fits.ctas,
                  static_cast<std::uint32_t>(windows.stride));  // fits 32 bits
  grid_ = &grid;
  warps_.beginGrid(grid, spread);
  return fits;
}

void SmCore::placeCta(std::uint64_t number, Cycle now, std::shared_ptr<ResidentCluster> cluster) {
  const Cta& cta = ctas_.place(number);
  workload_->startCta(number, firstSlot_ + cta.first);
  startCta(cta, std::move(cluster), now);
}

void SmCore::startCta(const Cta& cta, std::shared_ptr<ResidentCluster> cluster, Cycle now) {
  if (parameters_.verify)
    port.clearWindow(cta.windowBase, (cta.grid->sharedBytesPerCta + 3) / 4 * 4);
  if (probe_ != nullptr) probe_->ctaStarted(cta.number, cta.warps, now - started_);
  warps_.startCta(cta, std::move(cluster), now);
}

void SmCore::beginSet(const GridSet& set) {
  grid_ = nullptr;
  set_ = &set;
  ctas_.mix(limits_);
  warps_.beginSet(set);
}

void SmCore::placeCtaOf(const GridSet& set, unsigned member, std::uint64_t number, Cycle now) {
  const Cta& cta = ctas_.placeOf(set.grid(member), member, number);
  workload_->startCtaOf(member, number, firstSlot_ + cta.first);
  startCta(cta, nullptr, now);
}

unsigned SmCore::retireCtas(Cycle now) {
  unsigned retired = 0;
  for (Cta& cta : ctas_.places()) {
    if (!cta.draining() || cta.retires > now) continue;
    workload_->endCta(firstSlot_ + cta.first);
    if (probe_ != nullptr) probe_->ctaEnded(cta.number, cta.warps, now - started_);
    if (set_ != nullptr) retired_.push_back({cta.member, now});
    ctas_.remove(cta, cta.retires + parameters_.ctaGap);
    ++retired;
  }
  return retired;
}

Cycle SmCore::nextUseful(Cycle from) const {
  Cycle next = stage_.next(from);
  if (next <= from) return next;
  next = std::min(next, warps_.due(from));
  if (ctas_.exited() == 0) return next;
  for (const Cta& cta : ctas_.places()) {
    if (cta.draining()) next = std::min(next, std::max(cta.retires, from));
  }
  return next;
}

std::string SmCore::describeWait() const {
  if (workload_ == nullptr) return "nothing: the workload has finished";
  std::string text = "kernel '" + (grid_ != nullptr ? grid_->kernel : std::string("?")) + "'";
  if (set_ != nullptr) text = std::to_string(set_->members.size()) + " kernels side by side";
  return text + warps_.describeWait() + warps_.loadStore().describeWait(started_);
}

}  // namespace fermata
