// Runs the launches of a program: on the platform, with time, or on the executor alone; and writes
// what they did.
#pragma once

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/cudart/launch_sequence.h>
#include <fermata/platforms/cudart/launch_summary.h>
#include <fermata/platforms/exec/launch_spool.h>
#include <fermata/platforms/exec/settings.h>
#include <fermata/stimuli/ptx/device_memory.h>
#include <fermata/stimuli/ptx/executor.h>

#include <memory>
#include <optional>
#include <string>

namespace fermata::traces {
class TraceRecorder;
}

namespace fermata::cudart {

class TimedRuns;
class LaunchTables;

/// What a launch was asked for with.
struct LaunchRequest {
  ptx::Launch launch;
  bool cooperative = false;  ///< its CTAs are all resident at once
};

class Launcher {
 public:
  /// Throws InputError for what the settings name and is not there.
  explicit Launcher(exec::Settings settings);
  ~Launcher();
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  ptx::DeviceMemory& memory() { return memory_; }
  ptx::Executor& executor() { return *executor_; }
  const platforms::PlatformParameters& platform() const { return configuration_.parameters(); }

  /// To its end. Throws what the kernel, the model or a table throws; no other can follow then.
  void run(const LaunchRequest& request);
  /// All memory is free, variables of modules have their first values again.
  void reset();
  /// Did a launch fail while it was timed? No other can be.
  bool hasFailedInTime() const { return failedInTime_; }
  /// CTAs of the launch that an SM holds at once; 0: none.
  unsigned residentCtas(const ptx::Launch& launch) const;
  /// Simulated time so far; what was executed without time counts a cycle a warp instruction.
  double seconds() const;

  /// Tables and trace appear. Nothing can be run any more.
  void finish();
  /// Results cannot be written: takes back what is half done, and tells `fermata exec`.
  void abandon() noexcept;

 private:
  void finishTrace();
  std::uint64_t takeNumber();
  void run(const LaunchRequest& request, std::uint64_t number);
  std::uint64_t runWithoutTime(const LaunchRequest& request, std::uint64_t number);
  bool records(std::uint64_t launch) const;
  Workload& workload(std::uint64_t launch);

  void makeExecutor();

  exec::Settings settings_;
  platforms::Configuration configuration_;
  std::optional<exec::LaunchSpool> spool_;  ///< of `fermata exec`; none: it has not started this
  ptx::DeviceMemory memory_;
  std::unique_ptr<ptx::Executor> executor_;
  std::unique_ptr<LaunchSequence> sequence_;
  std::unique_ptr<traces::TraceRecorder> recorder_;  ///< around the sequence; null: none
  std::unique_ptr<TimedRuns> timed_;                 ///< from the first launch that is timed
  std::unique_ptr<LaunchTables> tables_;
  LaunchSummary summary_;
  bool failedInTime_ = false;
  bool traceIsWhole_ = true;
  std::uint64_t recorded_ = 0;  ///< launches
  std::uint64_t launches_ = 0;  ///< of this process
  std::uint64_t cycles_ = 0;
};

}  // namespace fermata::cudart
