// Runs warps of PTX kernels on an executor, for each workload that has such kernels.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fermata/models/vocabulary/workload.h>
#include <fermata/stimuli/ptx/executor.h>

namespace fermata::launch {

/// Returns the model's view of a launch that runs as `code`, without its program number.
Grid gridOf(const ptx::Launch& launch, const std::string& kernel, MachineLevel code);

/// Forwards the calls of a warp to an executor. A derived class says which launches run.
class ExecutorWorkload : public Workload {
 public:
  bool runApart(unsigned multiprocessors, unsigned slots) override {
    return executor_->runApart(multiprocessors, slots);
  }
  void exchange() override { executor_->exchange(); }
  void endCta(unsigned firstSlot) override { executor_->endCta(firstSlot); }
  const StaticInstruction* peek(unsigned slot) override { return executor_->peek(slot); }
  void execute(unsigned slot, WarpInstruction& out) override { executor_->execute(slot, out); }
  void beginAtomic(unsigned slot, WarpInstruction& out) override {
    executor_->beginAtomic(slot, out);
  }
  void updateAtomic(unsigned slot, LaneMask lanes, WarpInstruction& out) override {
    executor_->updateAtomic(slot, lanes, out);
  }
  void lostRound(unsigned slot) override { executor_->lostRound(slot); }
  std::uint64_t sleep(unsigned slot) override { return executor_->sleep(slot); }
  void copyTarget(unsigned slot, std::uint64_t copy, WarpInstruction& out) const override {
    executor_->copyTarget(slot, copy, out);
  }
  void storeCopy(unsigned slot, std::uint64_t copy, WarpInstruction& out) override {
    executor_->storeCopy(slot, copy, out);
  }
  std::uint64_t copyGroups(unsigned slot) const override { return executor_->copyGroups(slot); }

  unsigned programCount() const override { return static_cast<unsigned>(programs_.size()); }
  std::string kernelName(unsigned program) const override { return programs_.at(program).second; }
  std::uint32_t instructionCount(unsigned program) const override;
  InstructionText instructionText(unsigned program, std::uint32_t pc) const override;

  /// Returns true if a kernel reads a clock, so that its execution may depend on the timing.
  bool readsClock() const;

 protected:
  /// Lets CTAs of a launch that the executor has begun take clusters of `grid` that have not
  /// started: the grid then has fewer. It must outlive the launch.
  void giveClusters(Grid& grid);
  /// Starts the grid's next CTA.
  void startNext(unsigned firstSlot);
  explicit ExecutorWorkload(MachineLevel code) : code_(code) {}
  /// Makes a kernel a program, unless it is one. `name`: for tables.
  void addProgram(const ptx::Kernel& kernel, const std::string& name);
  /// Describes a launch of a kernel that is a program.
  Grid programGrid(const ptx::Launch& launch) const;

  ptx::Executor* executor_ = nullptr;  ///< set before the first CTA starts; not owned

 private:
  MachineLevel code_;
  std::vector<std::pair<const ptx::Kernel*, std::string>> programs_;  ///< kernels and their names
  std::unordered_map<const ptx::Kernel*, unsigned> numbers_;
  std::uint64_t started_ = 0;  ///< CTAs of the launch that have started
  std::uint64_t taken_ = 0;    ///< CTAs of the launch that others have taken, which do not start
};

}  // namespace fermata::launch
