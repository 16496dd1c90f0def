#include <fermata/platforms/compose/simulation.h>

#include <ctime>
#include <stdexcept>

namespace fermata::platforms {

namespace {

/// CPU time of this thread: the simulation is single-threaded, and a shared machine does not
/// distort it.
double threadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Connector& directly() {
  static Connector connector;
  return connector;
}

/// Cycles simulated between two reports of progress.
constexpr Cycle kProgressCycles = 1U << 17;

}  // namespace

Simulation::Simulation(const Configuration& configuration)
    : Simulation(configuration, directly()) {}

Simulation::Simulation(const Configuration& configuration, Connector& connector)
    : warpSlots_(configuration.parameters().core.limits.warps),
      hashes_(configuration.instructionHashes()) {
  sm_ = std::make_unique<StreamingMultiprocessor>("sm", configuration, &probes_, connector);
  banks_ = std::make_unique<BankHistogram>(sm_->indexer().shape().banks);
  probes_.add(counters_);
  probes_.add(profile_);
  probes_.add(*banks_);
  if (sm_->leavesLanes()) {
    replays_ = std::make_unique<ReplayCounters>();
    probes_.add(*replays_);
  }
  const PlatformParameters& parameters = configuration.parameters();
  if (parameters.wire) {
    wire_ = std::make_unique<WireCounter>();
    probes_.add(*wire_);
  }
  if (parameters.globalMemory == GlobalMemory::Caches) addMemory(parameters, connector);
}

void Simulation::addMemory(const PlatformParameters& parameters, Connector& connector) {
  caches_ = std::make_unique<CacheCounters>();
  probes_.add(*caches_);
  memory_ = std::make_unique<MemorySystem>("memory", sm_->domain.clock(), parameters, 1, &probes_,
                                           connector);
  connector.joinLine(sm_->l1->out, memory_->interconnect.in());
  sm_->core.betweenGrids([this](const Workload& workload) {
    sm_->l1->invalidate();
    memory_->betweenGrids(workload);
  });
}

// Other processes may run for ever (a clock); what counts is whether anything can still happen to
// the core.
bool Simulation::canGoOn() const {
  if (!sm_->domain.asleep()) return true;
  return sm_->core.waitsForMemory() && sc_core::sc_pending_activity();
}

RunOutcome Simulation::run(Workload& workload, const std::function<void(std::uint64_t)>& progress) {
  if (failed_) throw std::logic_error("a simulation that has failed cannot run another workload");
  failed_ = true;  // until it has not
  counters_.reset();
  profile_.reset();
  banks_->reset();
  if (replays_ != nullptr) replays_->reset();
  if (caches_ != nullptr) caches_->reset();
  if (wire_ != nullptr) wire_->reset();
  if (memory_ != nullptr) beginMemory();
  const double began = threadSeconds();
  const std::uint64_t comparedBefore = compared();
  if (!hashes_.empty()) {
    sm_->agu.setHashes([&](std::uint32_t program) { return hashes_.resolve(workload, program); });
  }
  sm_->core.start(workload);
  const Clock& clock = sm_->domain.clock();
  do {
    sc_core::sc_start(clock.time(kProgressCycles), sc_core::SC_RUN_TO_TIME);
    sm_->domain.rethrow();
    if (progress) progress(sm_->core.issued());
  } while (!sm_->core.finished() && canGoOn());
  if (!sm_->core.finished()) {
    throw std::runtime_error("the simulation stops short (deadlock): " + sm_->core.describeWait());
  }
  failed_ = false;
  return {sm_->indexer(),
          counters_.totals(),
          profile_,
          *banks_,
          sm_->core.cycles(),
          sm_->core.bestOccupancy(),
          sm_->core.residentWarps(),
          warpSlots_,
          compared() - comparedBefore,
          threadSeconds() - began,
          replays_.get(),
          caches_.get(),
          wire_.get()};
}

// A run must not hang on what ran before it: memory is quiet and forgets, and the run begins when
// the clocks stand to each other as at the start.
void Simulation::beginMemory() {
  const sc_core::sc_time step = sm_->domain.clock().time(64);
  while (!memory_->quiet()) sc_core::sc_start(step, sc_core::SC_RUN_TO_TIME);
  memory_->begin();
  const Clock& clock = sm_->domain.clock();
  const auto begins = std::max(sc_core::sc_time_stamp(), clock.time(sm_->domain.nextCycle()));
  const auto period = memory_->phase().value();
  const auto aligned =
      sc_core::sc_time::from_value((begins.value() + period - 1) / period * period);
  if (aligned > sc_core::sc_time_stamp())
    sc_core::sc_start(aligned - sc_core::sc_time_stamp(), sc_core::SC_RUN_TO_TIME);
}

std::uint64_t Simulation::compared() const {
  return sm_->scratchpad.compared() + (sm_->l1 == nullptr ? 0 : sm_->l1->compared());
}

}  // namespace fermata::platforms
