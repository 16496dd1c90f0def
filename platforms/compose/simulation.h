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
class RunFigures;
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

  /// Adds a listener beside the run's figures, to all multiprocessors and what they share. Call it
  /// before the first run.
  void addProbe(Probe& probe);
  /// Books the energy of each run from its start; call between runs.
  void addEnergy(EnergyAccount& account) {
    addProbe(account);
    energies_.push_back(&account);
  }

  /// Sets on how many threads the SMs may run from the next run on; 0: on as many as the machine
  /// has cores; 1 before the first call. They run on one if the platform has no epochs, has blocks
  /// of RTL or names instructions, or if a listener hears all of them (Probe::ofOne).
  void setWorkers(unsigned workers) { workers_ = workers; }

  /// Lets the model run ahead of SystemC's time, which is faster. Precondition: nothing of the
  /// simulation but this model and its own listeners looks at sc_time_stamp() or is traced; a
  /// connector's parts and other processes are seen without it.
  void allowLead();

  /// Runs the workload to its end. `progress`, if set, is called a few times per second. Throws
  /// what the workload throws, OccupancyError, and std::runtime_error for a simulation that stops
  /// short (a deadlock, or no warp gets on within run.stall_limit), saying what each warp and each
  /// access waits for. Afterwards sc_time_stamp() is the end of the work: the retirement of the
  /// last CTA, or later, when nothing is under way in caches and memory.
  RunOutcome run(Workload& workload, const RunWatcher& progress = {});

  /// True if the last run ran its grids side by side (Workload::together).
  bool ranBeside() const;
  /// Returns the results of one grid of the last run, from its begin to its end. References stay
  /// valid until the next call or run. Precondition: ranBeside(), and the grid's program is its
  /// number in the set.
  RunOutcome outcomeOf(const Grid& grid);
  /// Returns the cycles of the last run from its begin to that of one of its grids, and to its end.
  /// Precondition: ranBeside().
  Cycle begun(unsigned member) const;
  Cycle ended(unsigned member) const;

  StreamingMultiprocessor& sm(unsigned number = 0);
  /// Returns the cycle of the clock that is being simulated.
  Cycle now() const;
  /// Null with global.memory = "flat".
  MemorySystem* memory();
  /// Throws InputError if the platform names instructions that no workload so far had.
  void checkNamedInstructions() const;

 private:
  bool canGoOn() const;
  void makeFigures(const Configuration& configuration);
  void nameInstructions(const Workload& workload);
  void resetFigures(unsigned programs);
  RunOutcome outcome(const RunFigures& figures);
  void joinFigures();
  unsigned threads() const;
  void simulate(Workload& workload, const RunWatcher& progress);
  [[noreturn]] void stalled(const std::string& why) const;
  /// Throws the exception that a process of the chip has caught, if any.
  void rethrow();

  unsigned warpSlots_;
  Cycle stallLimit_;
  InstructionHashes hashes_;
  InstructionList conflictFree_;
  /// Listeners of what the multiprocessors share, and of these if they have no lists of their own.
  ProbeList probes_;
  /// Listeners of each multiprocessor by its number. Empty without epochs, unless a multiprocessor
  /// has a listener of its own.
  std::vector<std::unique_ptr<ProbeList>> ofSms_;
  /// Listeners from outside that have one for each multiprocessor.
  struct Parts {
    Probe& whole;
    std::vector<std::unique_ptr<Probe>> ofSms;
  };
  std::vector<Parts> parts_;
  bool oneThread_;  ///< something in the SMs is shared
  bool plain_;      ///< no part of the model comes from a user
  std::string platform_;
  struct Spins {
    AtomicForms loops;
    SpinLoop::Banks banks;
  };
  std::optional<Spins> spins_;  ///< atomics that are loops; none: no atomics by instruction
  bool staged_;                 ///< see RunOutcome::staged
  std::vector<EnergyAccount*> energies_;
  std::unique_ptr<Chip> chip_;
  unsigned workers_ = 1;
  /// Counts the chip; with epochs what the multiprocessors share, until the run is over.
  std::unique_ptr<RunFigures> figures_;
  std::unique_ptr<RunFigures> figuresOfGrid_;  ///< of outcomeOf()
  /// With epochs: counts each multiprocessor, by its number, so that none touches what another
  /// counts.
  std::vector<std::unique_ptr<RunFigures>> figuresOfSms_;
  std::unique_ptr<ConflictTimes> conflictTimes_;  ///< null if the SMs have no crossbar
  bool failed_ = false;
};

}  // namespace fermata::platforms
