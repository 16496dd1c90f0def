#include <fermata/platforms/compose/chip.h>

#include <fermata/models/vocabulary/grid_set.h>
#include <fermata/platforms/compose/carveouts.h>
#include <fermata/platforms/compose/chip_share.h>
#include <fermata/platforms/compose/gpc_text.h>
#include <fermata/platforms/compose/parameters.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace fermata::platforms {

namespace {

/// Returns the issue clock. Throws InputError if SystemC's time resolution, which is fixed from
/// here on, cannot represent the platform's clocks.
Clock checkedClock(const Configuration& configuration) {
  const PlatformParameters& p = configuration.parameters();
  const auto check = [&](const char* path, double megahertz) {
    if (const std::string text = Clock::wrong(megahertz); !text.empty())
      throw InputError(configuration.place(path), path + (": " + text));
  };
  check("clock.frequency_mhz", p.clock.frequencyMhz);
  if (!isFlat(p.globalMemory)) check("dram.frequency_mhz", p.dramFrequencyMhz);
  return Clock::fromMegahertz(p.clock.frequencyMhz);
}

/// Throws InputError if the module or one inside it has a process of SystemC.
void requireNoProcess(const sc_core::sc_object& object, const Configuration& configuration) {
  if (const auto* process = dynamic_cast<const sc_core::sc_process_b*>(&object))
    throw InputError(configuration.place("chip.epoch"),
                     "chip.epoch = " + std::to_string(configuration.parameters().epoch) + ": " +
                         process->name() +
                         " is a process of SystemC, which no SM that runs alone can have; expected "
                         "chip.epoch = 0");
  for (const sc_core::sc_object* child : object.get_child_objects())
    requireNoProcess(*child, configuration);
}

std::string nameOf(unsigned number, unsigned sms) {
  return sms == 1 ? "sm" : "sm" + std::to_string(number);
}

}  // namespace

Chip::Chip(const Configuration& configuration, Probe* probe, Connector& connector, BuildOrder order,
           rtl::Waves* waves, const std::vector<Probe*>& ofSms)
    : domain("domain", checkedClock(configuration)), sms_(configuration.parameters().sms) {
  composeSms(configuration, probe, connector, order, waves, ofSms);
  if (waves != nullptr) waves->setNow([this] { return now(); });
  dispatch(probe, gpcsOf(configuration.parameters()));
  for (const auto& sm : sms_) {
    if (sm->scratchpad != nullptr) sm->scratchpad->judgeLater();
  }
  const GlobalMemory kind = configuration.parameters().globalMemory;
  if (kind == GlobalMemory::L1) {
    ctas_->betweenGrids([this](const Workload&) {
      for (const auto& sm : sms_) sm->l1->invalidate();
    });
  }
  if (hasL1(kind)) {
    splitArrays(configuration.parameters());
    ctas_->beforeMember([this] { clearIdle(); });
  }
  if (!isFlat(kind)) share(configuration.parameters(), probe, connector);
}

/// Splits the array of scratchpad and L1 before each grid.
void Chip::splitArrays(const PlatformParameters& parameters) {
  if (parameters.l1.carveouts.empty()) return;
  ctas_->beforeGrid(
      [this, p = parameters, carveouts = Carveouts(parameters.l1.carveouts)](const Grid& grid) {
        const std::uint32_t ways = waysBeside(carveouts.of(grid, occupancyLimits(p)), p);
        const std::uint32_t shared = limitsOf(grid, p).sharedBytes;
        for (const auto& sm : sms_) {
          sm->l1->setWays(ways);
          sm->core.limitShared(shared);
        }
      });
  ctas_->beforeSet(
      [this, p = parameters, carveouts = Carveouts(parameters.l1.carveouts)](const GridSet& set) {
        std::uint32_t most = 0;
        for (const GridSet::Member& member : set.members) {
          if (member.grid.ctas != 0)
            most = std::max(most, carveouts.of(member.grid, occupancyLimits(p)));
        }
        for (const auto& sm : sms_) {
          sm->l1->setWays(waysBeside(most, p));
          sm->core.limitShared(most);
        }
      });
}

/// Empties the L1 of each SM that does nothing, for a grid that begins beside others.
void Chip::clearIdle() {
  for (const auto& sm : sms_) {
    if (sm->core.empty() && !sm->core.waitsForMemory() && sm->quiet()) sm->l1->invalidate();
  }
}

void Chip::composeSms(const Configuration& configuration, Probe* probe, Connector& connector,
                      BuildOrder order, rtl::Waves* waves, const std::vector<Probe*>& ofSms) {
  const PlatformParameters& parameters = configuration.parameters();
  if (parameters.epoch != 0) {
    epochs_ = std::make_unique<Epochs>(domain, parameters.epoch);
    islands_.resize(sms());
    domains_.resize(sms());
  }
  for (unsigned turn = 0; turn < sms(); ++turn) {
    const unsigned number = order == BuildOrder::Rising ? turn : sms() - 1 - turn;
    std::optional<Island::Construction> alone;
    if (epochs_ != nullptr) {
      islands_[number] = std::make_shared<Island>();
      alone.emplace(islands_[number]);
      domains_[number] = std::make_unique<ClockDomain>(("domain" + std::to_string(number)).c_str(),
                                                       domain.clock());
    }
    sms_[number] = std::make_unique<StreamingMultiprocessor>(
        nameOf(number, sms()).c_str(), configuration, domainOf(number),
        ofSms.empty() ? probe : ofSms.at(number), connector, waves);
    if (epochs_ != nullptr) requireNoProcess(*sms_[number], configuration);
  }
}

void Chip::dispatch(Probe* probe, const Gpcs& gpcs) {
  std::vector<SmCore*> cores;
  for (const auto& sm : sms_) cores.push_back(&sm->core);
  if (epochs_ != nullptr) {
    for (unsigned i = 0; i < sms(); ++i) epochs_->add(islands_[i], domainOf(i), *cores[i]);
    ctas_ = std::make_unique<CtaDispatcher>(domain, std::move(cores), probe, *epochs_);
  } else {
    ctas_ = std::make_unique<CtaDispatcher>(domain, std::move(cores), probe);
  }
  ctas_->setGpcs(gpcs);
  ctas_->whenFinished([] { Agenda::ofSimulation()->pause(); });
}

void Chip::setWorkers(unsigned workers) {
  workers = std::min(workers, sms());
  if (epochs_ == nullptr || workers == (pool_ == nullptr ? 1 : pool_->workers())) return;
  epochs_->setCrew(nullptr);
  pool_ = workers > 1 ? std::make_unique<WorkerPool>(workers) : nullptr;
  epochs_->setCrew(pool_.get());
}

// Answers of memory may be on their way to islands on which nothing else is planned.
bool Chip::quiet() {
  settle();
  return std::all_of(sms_.begin(), sms_.end(), [](const auto& sm) { return sm->quiet(); }) &&
         (memory_ == nullptr || memory_->quiet()) && (epochs_ == nullptr || epochs_->quiet());
}

void Chip::share(const PlatformParameters& parameters, Probe* probe, Connector& connector) {
  memory_ = std::make_unique<MemorySystem>("memory", domain.clock(), shareOf(parameters), sms(),
                                           probe, connector, islands_);
  if (epochs_ != nullptr) {
    Interconnect& net = memory_->interconnect;
    net.whenWaiting([this] { epochs_->wake(); });
    epochs_->atBoundary([&net] { net.exchange(); }, [&net] { net.deliver(); });
  }
  for (unsigned i = 0; i < sms(); ++i) {
    connector.joinLine(sms_[i]->toMemory(), memory_->data(i));
    if (sms_[i]->instructions != nullptr)
      connector.joinLine(sms_[i]->instructions->out(), memory_->instructions(i));
    if (sms_[i]->l1 != nullptr) sms_[i]->l1->judgeLater();
  }
  if (!memory_->hasL2()) return;
  ctas_->betweenGrids([this](const Workload& workload) {
    const WriteOrder& writes = memory_->writes();
    for (const auto& sm : sms_) {
      sm->l1->judge(writes);
      sm->l1->invalidate();
    }
    memory_->betweenGrids(workload);
  });
}

void Chip::start(Workload& workload) {
  if (epochs_ != nullptr) runTo(domain.clock().time(epochs_->reached()));
  if (memory_ != nullptr) {
    alignClocks();
    memory_->begin();
  }
  ctas_->start(workload);
}

bool Chip::finish(Cycle limit) {
  const Clock& clock = domain.clock();
  runTo(clock.time(ctas_->started() + ctas_->cycles()));
  constexpr Cycle step = 64;
  for (Cycle passed = 0; !quiet(); passed += step) {
    if (limit != 0 && passed >= limit) return false;
    sc_core::sc_start(clock.time(step), sc_core::SC_RUN_TO_TIME);
  }
  for (const auto& sm : sms_) {
    if (sm->scratchpad != nullptr) sm->scratchpad->judge();
  }
  return true;
}

void Chip::runTo(const sc_core::sc_time& time) {
  while (time > sc_core::sc_time_stamp())  // a user's process may pause it
    sc_core::sc_start(time - sc_core::sc_time_stamp(), sc_core::SC_RUN_TO_TIME);
}

// Waits until the clocks have the phase of time 0: a run must not depend on earlier runs.
void Chip::alignClocks() {
  const Clock& clock = domain.clock();
  const auto begins = std::max(sc_core::sc_time_stamp(), clock.time(domain.nextCycle())).value();
  const auto period = memory_->phase().value();
  runTo(timeOf((begins + period - 1) / period * period));
}

bool Chip::waitsForMemory() const {
  return std::any_of(sms_.begin(), sms_.end(),
                     [](const auto& sm) { return sm->core.waitsForMemory(); });
}

std::uint64_t Chip::issued() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms_) sum += sm->core.issued();
  return sum;
}

std::uint64_t Chip::compared() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms_) sum += sm->compared();
  return sum;
}

std::string Chip::describeWait() const {
  if (sms() == 1) return sm().core.describeWait();
  constexpr unsigned kNamed = 4;
  std::string text;
  unsigned wait = 0;
  for (unsigned i = 0; i < sms(); ++i) {
    const SmCore& core = sm(i).core;
    if ((core.empty() && !core.waitsForMemory()) || ++wait > kNamed) continue;
    text += (wait == 1 ? "" : "; ") + nameOf(i, sms()) + ": " + core.describeWait();
  }
  if (wait == 0) return "no multiprocessor has a CTA";
  return wait <= kNamed ? text : text + fmt::format("; {} more multiprocessors", wait - kNamed);
}

}  // namespace fermata::platforms
