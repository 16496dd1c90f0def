// Runs workloads, one after another, on the streaming multiprocessors of a platform and gathers
// what they did.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fermata/models/power/energy_account.h>
#include <fermata/platforms/compose/chip.h>
#include <fermata/platforms/compose/run_outcome.h>

namespace fermata::platforms {

/// SystemC allows one elaboration a process: make one Simulation, run any number of workloads on
/// it.
class Simulation {
 public:
  /// The configuration has been checked. Throws InputError for a block of RTL that there is not.
  explicit Simulation(const Configuration& configuration);
  /// `ofSms`: by the number of a multiprocessor, what listens to it alone; empty: nothing does.
  Simulation(const Configuration& configuration, Connector& connector,
             BuildOrder order = BuildOrder::Rising, rtl::Waves* waves = nullptr,
             const std::vector<Probe*>& ofSms = {});

  /// Listens in addition to the figures below; call before the first run.
  void addProbe(Probe& probe);
  /// Books the energy of each run from its start; call between runs.
  void addEnergy(EnergyAccount& account) {
    addProbe(account);
    energies_.push_back(&account);
  }

  /// Runs the workload to its end. `progress`, when set, is told the warp instructions issued so
  /// far, a few times a second. Throws what the workload throws, OccupancyError, and
  /// std::runtime_error for a simulation that stops short (a deadlock, or no warp gets on within
  /// run.stall_limit), saying what each warp and each access waits for. Afterwards
  /// sc_time_stamp() is the end of the work: the retirement of the last CTA, or when caches and
  /// memory behind them have nothing under way any more.
  RunOutcome run(Workload& workload, const std::function<void(std::uint64_t)>& progress = {});

  StreamingMultiprocessor& sm(unsigned number = 0) { return chip_.sm(number); }
  /// The cycle of the clock that is being simulated.
  Cycle now() const { return chip_.domain.now(); }
  /// Null with global.memory = "flat".
  MemorySystem* memory() { return chip_.memory(); }
  /// Throws InputError where the platform names instructions that no workload so far had.
  void checkNamedInstructions() const;

 private:
  bool canGoOn() const;
  void nameInstructions(const Workload& workload);
  void resetCounters();
  void simulate(Workload& workload, const std::function<void(std::uint64_t)>& progress);
  [[noreturn]] void stalled(const std::string& why) const;
  /// What a process of the chip has thrown.
  void rethrow();

  unsigned warpSlots_;
  Cycle stallLimit_;
  InstructionHashes hashes_;
  InstructionList conflictFree_;
  ProbeList probes_;
  /// Those and what listens to a multiprocessor alone, by its number; empty: nothing does.
  std::vector<std::unique_ptr<ProbeList>> ofSms_;
  Counters counters_;
  PcProfile profile_;
  std::unique_ptr<BankHistogram> banks_;
  std::unique_ptr<ReplayCounters> replays_;  ///< where something may be replayed
  std::unique_ptr<CacheCounters> caches_;    ///< where there are some
  std::unique_ptr<WireCounter> wire_;        ///< where it is counted
  std::unique_ptr<LockCounters> locks_;      ///< where there are some
  std::string platform_;
  bool staged_;                                  ///< the units are not decoupled
  std::unique_ptr<ForecastCounters> forecasts_;  ///< where there is a conflict history
  std::vector<EnergyAccount*> energies_;
  Chip chip_;
  bool failed_ = false;
};

}  // namespace fermata::platforms
