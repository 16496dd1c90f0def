// Runs the launches of a program, with time on the platform or without time on the executor alone,
// and writes their results.
#pragma once

#include <fermata/models/core/occupancy.h>
#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/cudart/launch_sequence.h>
#include <fermata/platforms/cudart/launch_summary.h>
#include <fermata/platforms/exec/launch_groups.h>
#include <fermata/platforms/exec/launch_spool.h>
#include <fermata/platforms/program/measurement.h>
#include <fermata/stimuli/ptx/compiled.h>
#include <fermata/stimuli/ptx/device_launches.h>
#include <fermata/stimuli/ptx/device_memory.h>
#include <fermata/stimuli/ptx/executor.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fermata::traces {
class TraceRecorder;
}

namespace fermata::cudart {

class TimedRuns;
class LaunchTables;
struct LaunchFacts;

/// A launch and its attributes.
struct LaunchRequest {
  ptx::Launch launch;
  bool cooperative = false;  ///< all CTAs must be resident at once
};

/// A launch that has waited for others to run beside it, or work of the host between launches.
struct WaitingWork {
  LaunchRequest request;
  std::function<void()> work{};   ///< empty: a launch
  int priority = 0;               ///< lower numbers go first
  bool programmatic = false;      ///< may begin when those in `early` let it (griddepcontrol)
  std::vector<unsigned> early{};  ///< works, as `after`
  std::vector<unsigned> after{};  ///< works, by their place in a list, that must be over before it
};

class Launcher {
 public:
  /// Throws InputError if something that the settings name does not exist.
  explicit Launcher(platforms::Measurement settings);
  ~Launcher();
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  ptx::DeviceMemory& memory() { return memory_; }
  ptx::Executor& executor() { return *executor_; }
  const platforms::PlatformParameters& platform() const { return configuration_.parameters(); }
  const std::string& platformName() const { return configuration_.name(); }
  OccupancyLimits limits() const;  ///< of an SM

  /// Runs a launch to its end, then what its kernel has launched. Throws what a kernel, the model
  /// or a table throws; no launch can follow then.
  void run(const LaunchRequest& request);
  /// True if launches that wait run side by side.
  bool runsSideBySide() const;
  /// Runs works, side by side where they need not follow each other. Returns the simulated seconds
  /// at which each is over. Throws as the function above.
  std::vector<double> run(std::vector<WaitingWork> works);
  /// Sets the check of launches that kernels make.
  void setCheck(ptx::DeviceLaunches::Check check) { check_ = std::move(check); }
  /// Frees all memory and gives variables of modules their first values again.
  void reset();
  /// True if a launch failed while it was timed. No further launch can be timed.
  bool hasFailedInTime() const { return failedInTime_; }
  /// Returns the CTAs of the launch that an SM holds at once; 0: the launch does not fit.
  unsigned residentCtas(const ptx::Launch& launch) const;
  /// Returns simulated seconds so far. A launch without time counts one cycle per warp instruction.
  double seconds() const;

  /// Completes tables and trace, which then appear. No launch can follow.
  void finish();
  /// Call if results cannot be written: removes unfinished files and tells `fermata exec`.
  void abandon() noexcept;

 private:
  void finishTrace();
  std::uint64_t takeNumber();
  void runOne(const LaunchRequest& request);
  void run(const LaunchRequest& request, std::uint64_t number);
  std::uint64_t runWithoutTime(const LaunchRequest& request, std::uint64_t number);
  void runInTime(const LaunchRequest& request, LaunchFacts& facts);
  void runSet(const std::vector<WaitingWork>& works, std::size_t first, std::size_t end,
              std::vector<double>& ends);
  double secondsAt(std::uint64_t cycle) const;
  TimedRuns& timed();
  bool isSampled(const LaunchRequest& request) const;
  exec::LaunchShape shapeOf(const LaunchRequest& request) const;
  void runSampled(const LaunchRequest& request, LaunchFacts& facts);
  void timeSample(const LaunchRequest& request, LaunchFacts& facts);
  void executeSample(const LaunchRequest& request, LaunchFacts& facts);
  bool records(std::uint64_t launch) const;
  Workload& workload(std::uint64_t launch);

  void makeExecutor();

  platforms::Measurement settings_;
  platforms::Configuration configuration_;
  /// Shared with `fermata exec`; nothing: not started by it.
  std::optional<exec::LaunchSpool> spool_;
  ptx::DeviceMemory memory_;
  ptx::DeviceLaunches::Check check_;
  std::shared_ptr<ptx::DeviceLaunches> launchesOfKernels_;
  std::unique_ptr<ptx::KernelCompiler> compiler_;
  std::unique_ptr<ptx::Executor> executor_;
  std::unique_ptr<LaunchSequence> sequence_;
  std::unique_ptr<traces::TraceRecorder> recorder_;  ///< wraps the sequence; null: no trace
  std::unique_ptr<TimedRuns> timed_;                 ///< made by the first timed launch
  std::unique_ptr<LaunchTables> tables_;
  exec::LaunchGroups groups_;  ///< of a sampled run
  LaunchSummary summary_;
  bool failedInTime_ = false;
  bool traceIsWhole_ = true;
  std::uint64_t recorded_ = 0;  ///< launches in the trace
  std::uint64_t launches_ = 0;  ///< launches of this process
  std::uint64_t cycles_ = 0;
};

}  // namespace fermata::cudart
