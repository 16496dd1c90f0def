// Runs a launch file as a workload: its buffers in device memory, its launches one after another on
// the PTX executor, and the check of the results.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/results/files/output_set.h>
#include <fermata/stimuli/cuda/references.h>
#include <fermata/stimuli/launch/check.h>
#include <fermata/stimuli/launch/command_launch.h>
#include <fermata/stimuli/launch/description.h>
#include <fermata/stimuli/launch/executor_workload.h>
#include <fermata/stimuli/launch/launch_set.h>
#include <fermata/stimuli/launch/plan.h>
#include <fermata/stimuli/ptx/device_memory.h>
#include <fermata/stimuli/ptx/module.h>
#include <fermata/stimuli/software_hash/software_hash.h>

namespace fermata::launch {

struct WorkloadOptions {
  MachineLevel code = MachineLevel::Ptx;  ///< as ExecutorOptions::code
  /// Reads of memory that was never written are errors (costs time and memory).
  bool checkUninitialised = false;
  /// Loads outside every buffer return zeros and are counted (see strayReads()).
  bool allowStrayReads = false;
  std::uint64_t bufferGap = ptx::DeviceMemory::kAlignment;  ///< bytes free behind each buffer
  unsigned capability = 0;                                  ///< as ExecutorOptions::capability
  std::uint64_t instructionBudget = ptx::ExecutorOptions().instructionBudget;
  /// Receives what kernels print, like ExecutorOptions::print; empty: the output is dropped.
  std::function<void(std::string_view)> print;
  /// Mapping to build into the kernels' own accesses of the scratchpad (software_hash/rewrite.h).
  /// Dynamic shared memory grows by the bytes that the hash needs.
  std::optional<software_hash::HashRequest> softwareHash;
  /// Launch of a kernel file, or buffers of a launch file, by the command line.
  CommandLaunch launch;
};

class LaunchWorkload : public ExecutorWorkload {
 public:
  /// Evaluates the description with the chosen parameters (see planLaunches), loads the kernels,
  /// fills the buffers, and checks every launch against its kernel. Throws InputError.
  LaunchWorkload(LaunchDescription description,
                 const std::map<std::string, std::string>& parameters,
                 WorkloadOptions options = {});
  ~LaunchWorkload() override;

  // Workload.
  void setWarpSlots(unsigned slots) override { warpSlots_ = slots; }
  void setCarriesData(bool carries) override { carriesData_ = carries; }
  void setModel(const ModelState* model) override;
  std::uint64_t totalCtas() const override;
  const Grid* nextGrid() override;
  bool runApart(unsigned multiprocessors, unsigned slots) override;
  void startCta(std::uint64_t cta, unsigned firstSlot) override;
  std::vector<DeviceBytes> deviceMemory() const override;

  /// Returns the launches as a workload that runs those of several streams side by side, to be run
  /// in the place of this one; null: there is one stream. The workload owns it.
  Workload* sideBySide(unsigned warpSlots);
  /// Runs every launch without timing, up to the end of the workload. Returns the number of warp
  /// instructions.
  std::uint64_t runFunctionally();

  /// Adds the files that the launch file dumps to the set, below `folder`. Call it before anything
  /// runs, so that a file that cannot be written is found at once. Throws InputError.
  void openDumps(files::OutputSet& outputs, const std::string& folder);

  // Call these after the last launch.
  /// Throws CheckError at the first buffer that differs from its reference or file. Returns the
  /// number of buffers checked.
  std::size_t checkResults() const;
  /// Writes the dumped buffers into the files of openDumps(), which appear with their set.
  void dump();

  /// Returns the loads outside every buffer so far, if those are allowed.
  ptx::StrayReads strayReads() const {
    return executor_ ? executor_->strayReads() : ptx::StrayReads();
  }
  const LaunchDescription& description() const { return description_; }
  const Plan& plan() const { return plan_; }
  /// Returns the module that runs: after a software hash, the rewritten one.
  const ptx::Module& module() const { return *module_; }
  /// Returns the value of each parameter, as a user writes it.
  std::map<std::string, std::string> parameters() const;
  /// Returns the contents of a buffer now, little endian. Throws InputError for an unknown name.
  std::vector<std::uint8_t> contents(const std::string& buffer) const;

 private:
  struct DumpFile {
    files::OutputFile* file = nullptr;
    std::string buffer;
    bool numpy = false;  ///< with the header of an array of NumPy
  };

  void findEntries();
  void hashKernels();
  void loadBuffers();
  void bindTextures();
  void prepareLaunches();
  ptx::Launch launchOf(std::size_t index) const;
  Grid gridOf(const PlannedLaunch& planned, const ptx::Launch& launch) const;
  void beginLaunch();
  void ensureExecutor();
  cuda::ReferenceInput referenceInput() const;
  std::vector<std::uint8_t> expected(const Check& check, const cuda::ReferenceInput& input) const;
  static std::vector<std::uint8_t> computed(const std::string& reference,
                                            const cuda::ReferenceInput& input,
                                            const PlannedBuffer& buffer,
                                            const SourceLocation& where);

  LaunchDescription description_;
  WorkloadOptions options_;
  Plan plan_;
  std::shared_ptr<const ptx::Module> module_;
  ptx::DeviceMemory memory_;
  std::vector<std::uint64_t> addresses_;                     ///< device address of each buffer
  std::map<std::string, std::vector<std::uint8_t>> filled_;  ///< initial contents, for references
  std::unique_ptr<ptx::Executor> ownExecutor_;               ///< made by the first grid
  std::unique_ptr<LaunchSet> sideBySide_;
  unsigned warpSlots_ = 32;
  const ModelState* model_ = nullptr;
  bool carriesData_ = false;
  std::size_t nextLaunch_ = 0;
  std::vector<DumpFile> dumpFiles_;
  bool begun_ = true;  ///< the executor has begun the launch of the last grid
  Grid grid_;
};

}  // namespace fermata::launch
