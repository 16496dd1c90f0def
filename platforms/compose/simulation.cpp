#include <fermata/platforms/compose/simulation.h>

#include <fermata/models/core/lock_loop.h>
#include <fermata/models/core/spin_loop.h>
#include <fermata/models/vocabulary/grid_set.h>
#include <fermata/platforms/compose/chip.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/compose/run_figures.h>

#include <algorithm>
#include <ctime>
#include <stdexcept>
#include <thread>
#include <typeinfo>

namespace fermata::platforms {

namespace {

/// Returns the CPU time of this thread in seconds, which other load on a shared machine does not
/// distort; if others simulate as well, the time of a clock.
double hostSeconds(bool alone) {
  timespec now{};
  clock_gettime(alone ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Connector& directly() {
  static Connector connector;
  return connector;
}

/// Returns a list for each multiprocessor that holds its own listener, if there is one.
std::vector<std::unique_ptr<ProbeList>> listsOf(const PlatformParameters& parameters,
                                                const std::vector<Probe*>& ofSms) {
  std::vector<std::unique_ptr<ProbeList>> lists;
  if (parameters.epoch == 0 && ofSms.empty()) return lists;
  for (unsigned i = 0; i < parameters.sms; ++i) {
    lists.push_back(std::make_unique<ProbeList>());
    if (!ofSms.empty()) lists.back()->add(*ofSms.at(i));
  }
  return lists;
}

std::vector<Probe*> pointers(const std::vector<std::unique_ptr<ProbeList>>& lists) {
  std::vector<Probe*> probes;
  for (const auto& list : lists) probes.push_back(list.get());
  return probes;
}

bool hasBlocks(const RtlParameters& rtl) {
  const auto model = rtl::Implementation::Model;
  return rtl.indexer != model || rtl.crossbar != model || rtl.scratchpad != model ||
         rtl.lock != model;
}

/// Cycles simulated between two reports of progress.
constexpr Cycle kProgressCycles = 1U << 17;

/// Detects that no warp gets on.
class StallWatch {
 public:
  /// `limit`: cycles; 0: none.
  StallWatch(Cycle limit, Cycle now) : limit_(limit), since_(now) {}

  /// Returns the cycles to simulate until `over` is called again.
  Cycle step() const {
    return limit_ == 0 ? kProgressCycles : std::min<Cycle>(kProgressCycles, limit_);
  }
  /// Returns whether no warp got on for `limit` cycles. `done`: instructions by which warps got on.
  /// A lost round of an atomic raises and then lowers it, so only a new maximum counts as progress.
  bool over(std::uint64_t done, Cycle now) {
    if (done > most_) {
      most_ = done;
      since_ = now;
    }
    return limit_ != 0 && now - since_ >= limit_;
  }

 private:
  Cycle limit_;
  Cycle since_;
  std::uint64_t most_ = 0;
};

}  // namespace

Simulation::Simulation(const Configuration& configuration)
    : Simulation(configuration, directly()) {}

Simulation::Simulation(const Configuration& configuration, Connector& connector, BuildOrder order,
                       rtl::Waves* waves, const std::vector<Probe*>& ofSms)
    : warpSlots_(configuration.parameters().core.limits.warps),
      stallLimit_(configuration.parameters().stallLimit),
      hashes_(configuration.instructionHashes()),
      conflictFree_(configuration.conflictFree()),
      ofSms_(listsOf(configuration.parameters(), ofSms)),
      oneThread_(!ofSms.empty() || waves != nullptr || hasBlocks(configuration.parameters().rtl) ||
                 !hashes_.empty() || !conflictFree_.empty()),
      plain_(typeid(connector) == typeid(Connector)),
      platform_(configuration.name()),
      staged_(isStaged(configuration.parameters().core.issue.pipelines.organisation)),
      chip_(std::make_unique<Chip>(configuration, &probes_, connector, order, waves,
                                   pointers(ofSms_))) {
  const PlatformParameters& p = configuration.parameters();
  if (p.crossbar.atomics->needs.forms)
    spins_.emplace(
        Spins{p.crossbar.atomicTable.loops,
              {configuration.buildIndexer(), p.scratchpad.bankBytes, p.crossbar.groups}});
  makeFigures(configuration);
}

// The dispatcher, not a multiprocessor, tells of grids.
void Simulation::makeFigures(const Configuration& configuration) {
  figures_ = std::make_unique<RunFigures>(configuration, *chip_);
  figuresOfGrid_ = std::make_unique<RunFigures>(configuration, *chip_);
  figures_->listen(probes_);
  if (sm().crossbar != nullptr) {
    conflictTimes_ = std::make_unique<ConflictTimes>();
    probes_.add(*conflictTimes_);
    for (unsigned i = 0; i < chip_->sms(); ++i)
      conflictTimes_->watch(sm(i).crossbar->conflictTime());
  }
  const bool apart = configuration.parameters().epoch != 0;
  for (const auto& list : ofSms_) {
    if (apart) {
      figuresOfSms_.push_back(std::make_unique<RunFigures>(configuration, *chip_));
      figuresOfSms_.back()->listen(probes_, Probe::Grids);
    }
    (apart ? *figuresOfSms_.back() : *figures_).listen(*list);
  }
}

Simulation::~Simulation() = default;

StreamingMultiprocessor& Simulation::sm(unsigned number) {
  return chip_->sm(number);
}

Cycle Simulation::now() const {
  return chip_->now();
}

MemorySystem* Simulation::memory() {
  return chip_->memory();
}

void Simulation::addProbe(Probe& probe) {
  probes_.add(probe);
  if (figuresOfSms_.empty() || probe.ofOne() == nullptr) {
    oneThread_ = true;
    for (const auto& list : ofSms_) list->add(probe);
    return;
  }
  Parts parts{probe, {}};
  for (const auto& list : ofSms_) {
    parts.ofSms.push_back(probe.ofOne());
    list->add(*parts.ofSms.back());
    probes_.add(*parts.ofSms.back(), Probe::Grids);
  }
  parts_.push_back(std::move(parts));
}

void Simulation::allowLead() {
  constexpr Cycle most = 1024;
  const std::shared_ptr<Agenda> agenda = Agenda::ofSimulation();
  if (plain_) {
    agenda->allowLead(chip_->domain.clock().ticks(most));
  } else {
    agenda->forbidLead();
  }
}

// A process of the user (a clock) may run for ever: only what can still happen to the cores counts.
bool Simulation::canGoOn() const {
  if (!chip_->domain.asleep()) return true;
  return chip_->waitsForMemory() && sc_core::sc_pending_activity();
}

RunOutcome Simulation::run(Workload& workload, const RunWatcher& progress) {
  if (failed_) throw std::logic_error("a simulation that has failed cannot run another workload");
  failed_ = true;  // stays true if anything below throws
  const GridSet* const set = workload.together();
  resetFigures(set == nullptr ? 0 : static_cast<unsigned>(set->members.size()));
  const bool alone = threads() == 1;
  const double began = hostSeconds(alone);
  const std::uint64_t comparedBefore = chip_->compared();
  nameInstructions(workload);
  if (figures_->locks != nullptr) {
    LockLoop loops(workload);
    simulate(loops, progress);
  } else if (spins_) {
    SpinLoop loops(workload, spins_->loops, spins_->banks);
    simulate(loops, progress);
  } else {
    simulate(workload, progress);
  }
  failed_ = false;
  joinFigures();
  RunOutcome all = outcome(*figures_);
  all.compared = chip_->compared() - comparedBefore;
  all.wallSeconds = hostSeconds(alone) - began;
  return all;
}

RunOutcome Simulation::outcome(const RunFigures& counted) {
  const MemorySystem* const memory = chip_->memory();
  const auto countsIf = [&](bool exists) { return exists ? counted.caches.get() : nullptr; };
  return {sm().indexer(),
          counted.counters.totals(),
          counted.profile,
          counted.banks,
          chip_->ctas().cycles(),
          chip_->ctas().bestOccupancy(),
          chip_->ctas().residentWarps(),
          warpSlots_,
          0,
          0,
          counted.replays.get(),
          countsIf(sm().l1 != nullptr),
          countsIf(memory != nullptr && memory->hasL2()),
          countsIf(memory != nullptr),
          counted.wire.get(),
          counted.locks.get(),
          staged_,
          counted.forecasts.get(),
          chip_->sms(),
          energies_.empty() ? nullptr : energies_.front(),
          conflictTimes_ == nullptr ? std::nullopt
                                    : std::optional<std::uint64_t>(conflictTimes_->cycles())};
}

bool Simulation::ranBeside() const {
  return chip_->ctas().queue() != nullptr;
}

Cycle Simulation::begun(unsigned member) const {
  return chip_->ctas().queue()->of(member).begun;
}

Cycle Simulation::ended(unsigned member) const {
  return chip_->ctas().queue()->of(member).ended;
}

RunOutcome Simulation::outcomeOf(const Grid& grid) {
  figuresOfGrid_->take(*figures_, grid);
  RunOutcome part = outcome(*figuresOfGrid_);
  part.cycles = ended(grid.program) - begun(grid.program);
  part.energy = nullptr;
  part.conflictTime.reset();
  part.beside = true;
  return part;
}

void Simulation::nameInstructions(const Workload& workload) {
  for (unsigned i = 0; i < chip_->sms(); ++i) {
    if (!hashes_.empty()) {
      chip_->sm(i).agu.setHashes([&](std::uint32_t program) {
        return HashedProgram{workload.kernelName(program), hashes_.resolve(workload, program)};
      });
    }
    if (!conflictFree_.empty() && chip_->sm(i).crossbar != nullptr) {
      chip_->sm(i).crossbar->setConflictFree(
          [&](std::uint32_t program) { return conflictFree_.resolve(workload, program); });
    }
  }
}

void Simulation::checkNamedInstructions() const {
  hashes_.checkUsed();
  conflictFree_.checkUsed();
}

void Simulation::resetFigures(unsigned programs) {
  figures_->reset();
  figures_->split(programs);
  for (const auto& ofSm : figuresOfSms_) {
    ofSm->reset();
    ofSm->split(programs);
  }
  if (conflictTimes_ != nullptr) conflictTimes_->reset();
}

void Simulation::joinFigures() {
  for (const auto& ofSm : figuresOfSms_) figures_->add(*ofSm);
  for (const Parts& parts : parts_) {
    for (const auto& one : parts.ofSms) parts.whole.join(*one);
  }
}

unsigned Simulation::threads() const {
  if (oneThread_) return 1;
  return workers_ != 0 ? workers_ : std::max(1U, std::thread::hardware_concurrency());
}

void Simulation::rethrow() {
  try {
    chip_->domain.rethrow();
  } catch (const MissingUnits& missing) {
    throw BadInput(missing.what() + (" on " + platform_) +
                   "; expected a platform that has such units");
  }
}

void Simulation::simulate(Workload& workload, const RunWatcher& progress) {
  chip_->setWorkers(threads());
  chip_->start(workload);
  for (EnergyAccount* energy : energies_) energy->begin(chip_->ctas().started());
  const Clock& clock = chip_->domain.clock();
  const std::string noWarp =
      "no warp gets on within " + std::to_string(stallLimit_) + " cycles (run.stall_limit)";
  StallWatch watch(stallLimit_, now());
  do {
    sc_core::sc_start(clock.time(watch.step()), sc_core::SC_RUN_TO_TIME);
    chip_->settle();
    rethrow();
    if (progress) progress({now() - chip_->ctas().started(), chip_->ctas().endedCtas()});
    if (chip_->ctas().finished()) break;
    for (const EnergyAccount* energy : energies_)
      energy->reach(clock.cycles(sc_core::sc_time_stamp()));
    if (watch.over(chip_->issued() - workload.idleInstructions(), now())) stalled(noWarp);
  } while (canGoOn());
  if (!chip_->ctas().finished()) stalled("deadlock");
  if (!chip_->finish(stallLimit_)) stalled("memory is not quiet within run.stall_limit");
  for (EnergyAccount* energy : energies_) energy->end(chip_->ctas().cycles());
}

void Simulation::stalled(const std::string& why) const {
  throw std::runtime_error("the simulation stops short (" + why + "): " + chip_->describeWait());
}

}  // namespace fermata::platforms
