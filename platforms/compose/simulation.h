// Runs workloads, one after another, on the streaming multiprocessors of a platform and gathers
// what they did.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fermata/models/core/spin_loop.h>
#include <fermata/models/power/energy_account.h>
#include <fermata/models/probe/probe_list.h>
#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/conflict_times.h>
#include <fermata/platforms/compose/connector.h>
#include <fermata/platforms/compose/run_outcome.h>

namespace fermata::platforms {

class Chip;
class MemorySystem;
class StreamingMultiprocessor;

/// Progress of a run.
struct RunSoFar {
  Cycle cycles = 0;
  std::uint64_t endedCtas = 0;
};
using RunWatcher = std::function<void(const RunSoFar&)>;

/// SystemC allows one elaboration per process: make one Simulation and run any number of workloads
/// on it.
class Simulation {
 public:
  /// The configuration has been checked. Throws InputError for a block of RTL that does not exist.
  explicit Simulation(const Configuration& configuration);
  /// `ofSms`: one listener for each multiprocessor alone, by its number; empty: none.
  Simulation(const Configuration& configuration, Connector& connector,
             BuildOrder order = BuildOrder::Rising, rtl::Waves* waves = nullptr,
             const std::vector<Probe*>& ofSms = {});
  ~Simulation();

  /// Adds a listener beside the figures below; call before the first run.
  void addProbe(Probe& probe);
  /// Books the energy of each run from its start; call between runs.
  void addEnergy(EnergyAccount& account) {
    addProbe(account);
    energies_.push_back(&account);
  }

  /// Runs the workload to its end. `progress`, if set, is called a few times per second. Throws
  /// what the workload throws, OccupancyError, and std::runtime_error for a simulation that stops
  /// short (a deadlock, or no warp gets on within run.stall_limit), saying what each warp and each
  /// access waits for. Afterwards sc_time_stamp() is the end of the work: the retirement of the
  /// last CTA, or later, when nothing is under way in caches and memory.
  RunOutcome run(Workload& workload, const RunWatcher& progress = {});

  StreamingMultiprocessor& sm(unsigned number = 0);
  /// Returns the cycle of the clock that is being simulated.
  Cycle now() const;
  /// Null with global.memory = "flat".
  MemorySystem* memory();
  /// Throws InputError if the platform names instructions that no workload so far had.
  void checkNamedInstructions() const;

 private:
  bool canGoOn() const;
  void nameInstructions(const Workload& workload);
  void resetCounters();
  void simulate(Workload& workload, const RunWatcher& progress);
  [[noreturn]] void stalled(const std::string& why) const;
  /// Throws the exception that a process of the chip has caught, if any.
  void rethrow();

  unsigned warpSlots_;
  Cycle stallLimit_;
  InstructionHashes hashes_;
  InstructionList conflictFree_;
  ProbeList probes_;
  /// Listeners of each multiprocessor by its number: `probes_` and its own; empty: no own ones.
  std::vector<std::unique_ptr<ProbeList>> ofSms_;
  Counters counters_;
  PcProfile profile_;
  std::unique_ptr<BankHistogram> banks_;
  std::unique_ptr<ReplayCounters> replays_;       ///< null if nothing is replayed
  std::unique_ptr<CacheCounters> caches_;         ///< null: neither L1 nor DRAM
  std::unique_ptr<WireCounter> wire_;             ///< null if wire is not counted
  std::unique_ptr<LockCounters> locks_;           ///< null if the platform has none
  std::unique_ptr<ConflictTimes> conflictTimes_;  ///< null if some SM has no crossbar
  std::string platform_;
  struct Spins {
    AtomicForms loops;
    SpinLoop::Banks banks;
  };
  std::optional<Spins> spins_;  ///< atomics that are loops; none: no atomics by instruction
  bool staged_;                 ///< see RunOutcome::staged
  std::unique_ptr<ForecastCounters> forecasts_;  ///< null if there is no conflict history
  std::vector<EnergyAccount*> energies_;
  std::unique_ptr<Chip> chip_;
  bool failed_ = false;
};

}  // namespace fermata::platforms
