#include <fermata/platforms/compose/chip.h>

#include <fermata/platforms/compose/carveouts.h>
#include <fermata/platforms/compose/chip_share.h>
#include <fermata/platforms/compose/parameters.h>

#include <algorithm>

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

std::string nameOf(unsigned number, unsigned sms) {
  return sms == 1 ? "sm" : "sm" + std::to_string(number);
}

}  // namespace

Chip::Chip(const Configuration& configuration, Probe* probe, Connector& connector, BuildOrder order,
           rtl::Waves* waves, const std::vector<Probe*>& ofSms)
    : domain("domain", checkedClock(configuration)), sms_(configuration.parameters().sms) {
  for (unsigned turn = 0; turn < sms(); ++turn) {
    const unsigned number = order == BuildOrder::Rising ? turn : sms() - 1 - turn;
    sms_[number] = std::make_unique<StreamingMultiprocessor>(
        nameOf(number, sms()).c_str(), configuration, domain,
        ofSms.empty() ? probe : ofSms.at(number), connector, waves);
  }
  if (waves != nullptr) waves->setNow([this] { return domain.now(); });
  std::vector<SmCore*> cores;
  for (const auto& sm : sms_) cores.push_back(&sm->core);
  ctas_ = std::make_unique<CtaDispatcher>(domain, std::move(cores), probe);
  ctas_->whenFinished([] { sc_core::sc_pause(); });
  for (const auto& sm : sms_) {
    if (sm->scratchpad != nullptr) sm->scratchpad->judgeLater();
  }
  const GlobalMemory kind = configuration.parameters().globalMemory;
  if (kind == GlobalMemory::L1) {
    ctas_->betweenGrids([this](const Workload&) {
      for (const auto& sm : sms_) sm->l1->invalidate();
    });
  }
  if (hasL1(kind)) splitArrays(configuration.parameters());
  if (!isFlat(kind)) share(configuration.parameters(), probe, connector);
}

/// Splits the array of scratchpad and L1 before each grid.
void Chip::splitArrays(const PlatformParameters& parameters) {
  if (parameters.l1.carveouts.empty()) return;
  ctas_->beforeGrid(
      [this, p = parameters, carveouts = Carveouts(parameters.l1.carveouts)](const Grid& grid) {
        const std::uint64_t shared = residentShared(grid, occupancyLimits(p));
        const std::uint32_t ways = waysBeside(carveouts.holding(shared), p);
        for (const auto& sm : sms_) sm->l1->setWays(ways);
      });
}

void Chip::share(const PlatformParameters& parameters, Probe* probe, Connector& connector) {
  memory_ = std::make_unique<MemorySystem>("memory", domain.clock(), shareOf(parameters), sms(),
                                           probe, connector);
  for (unsigned i = 0; i < sms(); ++i) {
    connector.joinLine(sms_[i]->toMemory(), memory_->interconnect.in(i));
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
  if (memory_ != nullptr) {
    alignClocks();
    memory_->begin();
  }
  ctas_->start(workload);
}

bool Chip::finish(Cycle limit) {
  const Clock& clock = domain.clock();
  const sc_core::sc_time end = clock.time(ctas_->started() + ctas_->cycles());
  while (end > sc_core::sc_time_stamp())  // a user's process may pause it too
    sc_core::sc_start(end - sc_core::sc_time_stamp(), sc_core::SC_RUN_TO_TIME);
  constexpr Cycle step = 64;
  for (Cycle passed = 0; memory_ != nullptr && !memory_->quiet(); passed += step) {
    if (limit != 0 && passed >= limit) return false;
    sc_core::sc_start(clock.time(step), sc_core::SC_RUN_TO_TIME);
  }
  for (const auto& sm : sms_) {
    if (sm->scratchpad != nullptr) sm->scratchpad->judge();
  }
  return true;
}

// Waits until the clocks have the phase of time 0: a run must not depend on earlier runs.
void Chip::alignClocks() {
  const Clock& clock = domain.clock();
  const auto begins = std::max(sc_core::sc_time_stamp(), clock.time(domain.nextCycle())).value();
  const auto period = memory_->phase().value();
  const auto aligned = sc_core::sc_time::from_value((begins + period - 1) / period * period);
  while (aligned > sc_core::sc_time_stamp())
    sc_core::sc_start(aligned - sc_core::sc_time_stamp(), sc_core::SC_RUN_TO_TIME);
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
  std::string text;
  for (unsigned i = 0; i < sms(); ++i)
    text += (i == 0 ? "" : "; ") + nameOf(i, sms()) + ": " + sm(i).core.describeWait();
  return text;
}

}  // namespace fermata::platforms
