// The launches of a program as one workload: one grid each, on one executor, in the program's
// memory.
#pragma once

#include <fermata/models/core/workload.h>
#include <fermata/stimuli/ptx/executor.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace fermata::cudart {

/// Returns the model's view of a launch, without its program number.
Grid gridOf(const ptx::Launch& launch);

/// A workload of all launches that push() brings; OneLaunch makes a workload of each.
class LaunchSequence : public Workload {
 public:
  /// `executor` must outlive the sequence. `slots`: warp slots of the executor.
  LaunchSequence(ptx::Executor& executor, unsigned slots) : executor_(&executor), slots_(slots) {}

  /// Replaces the executor from now on. Precondition: no launch is pending.
  void use(ptx::Executor& executor) { executor_ = &executor; }

  /// Sets the launch that nextGrid() starts next. Checks it (ptx::Executor::begin).
  void push(const ptx::Launch& launch);

  void setWarpSlots(unsigned slots) override;
  void setTime(const ModelTime* time) override { executor_->setTime(time); }
  const Grid* nextGrid() override;
  void startCta(std::uint64_t cta, unsigned firstSlot) override {
    executor_->startCta(cta, firstSlot);
  }
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
  void copyTarget(unsigned slot, std::uint64_t copy, WarpInstruction& out) const override {
    executor_->copyTarget(slot, copy, out);
  }
  void storeCopy(unsigned slot, std::uint64_t copy, WarpInstruction& out) override {
    executor_->storeCopy(slot, copy, out);
  }
  std::uint64_t copyGroups(unsigned slot) const override { return executor_->copyGroups(slot); }
  unsigned programCount() const override { return static_cast<unsigned>(kernels_.size()); }
  std::string kernelName(unsigned program) const override;
  std::uint32_t instructionCount(unsigned program) const override;
  InstructionText instructionText(unsigned program, std::uint32_t pc) const override;

 private:
  ptx::Executor* executor_;
  unsigned slots_;
  std::vector<const ptx::Kernel*> kernels_;  ///< by program
  std::unordered_map<const ptx::Kernel*, unsigned> programs_;
  Grid grid_;
  bool pending_ = false;
};

/// One launch of a sequence or of its recorder: a workload that ends after one grid.
class OneLaunch : public WorkloadDecorator {
 public:
  using WorkloadDecorator::WorkloadDecorator;
  const Grid* nextGrid() override {
    if (begun_) return nullptr;
    begun_ = true;
    return inner_.nextGrid();
  }

 private:
  bool begun_ = false;
};

}  // namespace fermata::cudart
