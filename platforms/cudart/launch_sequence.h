// The launches of a program as one workload: one grid each, on one executor, in the program's
// memory.
#pragma once

#include <fermata/stimuli/launch/executor_workload.h>

namespace fermata::cudart {

/// A workload of all launches that push() brings; OneLaunch makes a workload of each.
class LaunchSequence : public launch::ExecutorWorkload {
 public:
  /// `executor` must outlive the sequence. `slots`: warp slots of the executor.
  LaunchSequence(ptx::Executor& executor, unsigned slots)
      : ExecutorWorkload(executor.code()), slots_(slots) {
    use(executor);
  }

  /// Replaces the executor from now on. Precondition: no launch is pending.
  void use(ptx::Executor& executor) { executor_ = &executor; }

  /// Sets the launch that nextGrid() starts next. Checks it (ptx::Executor::begin).
  void push(const ptx::Launch& launch);

  void setWarpSlots(unsigned slots) override;
  void setModel(const ModelState* model) override { executor_->setModel(model); }
  std::uint64_t totalCtas() const override { return pending_ ? grid_.ctas : 0; }
  const Grid* nextGrid() override;
  void startCta(std::uint64_t /*cta*/, unsigned firstSlot) override { startNext(firstSlot); }

 private:
  unsigned slots_;
  Grid grid_;
  bool pending_ = false;
};

/// One launch of a sequence or of its recorder: a workload that ends after one grid.
class OneLaunch : public WorkloadDecorator {
 public:
  using WorkloadDecorator::WorkloadDecorator;
  bool runApart(unsigned multiprocessors, unsigned slots) override {
    return inner_.runApart(multiprocessors, slots);
  }
  const Grid* nextGrid() override {
    if (begun_) return nullptr;
    begun_ = true;
    return inner_.nextGrid();
  }

 private:
  bool begun_ = false;
};

}  // namespace fermata::cudart
