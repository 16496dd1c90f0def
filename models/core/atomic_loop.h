// Base of the loops that stand for atomics on shared memory: a machine without an instruction for
// an atomic runs several in its place, round after round until every lane is served.
//
// A loop stands between the core and a workload: to the core its steps are like any other
// instruction. Each takes an issue slot and the units of its class, and begins when the previous
// step has ended.
#pragma once

#include <fermata/models/vocabulary/warp_instruction.h>
#include <fermata/models/vocabulary/workload.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace fermata {

/// The workload `inner` with some of its atomics replaced by loops.
class AtomicLoop : public WorkloadDecorator {
 public:
  using WorkloadDecorator::WorkloadDecorator;

  const Grid* nextGrid() override;
  bool runApart(unsigned multiprocessors, unsigned slots) override {
    return inner_.runApart(multiprocessors, slots);
  }
  void endCta(unsigned firstSlot) override;
  std::uint64_t idleInstructions() const override { return idle_ + inner_.idleInstructions(); }

 protected:
  /// The steps as the core sees them. The first one stands for an access whose space may not be
  /// known yet.
  using Steps = std::vector<StaticInstruction>;

  /// Holds what the steps of a warp access.
  struct Request {
    LaneMask left = 0;  ///< lanes whose word has not been updated
    std::uint32_t pc = 0;
    std::uint8_t bytesPerLane = 0;
    std::array<std::uint64_t, kWarpLanes> address;
  };

  static bool mayBeShared(const StaticInstruction& next) {
    return next.operation == MemoryOperation::Atomic &&
           (next.space == MemorySpace::Shared || next.space == MemorySpace::Generic);
  }
  const Grid& grid() const { return grid_; }
  /// Returns a grid as the core sees it: with a register that links the steps of a loop, the last.
  static Grid withLink(const Grid& grid);
  static RegisterId linkOf(const Grid& grid) {
    return static_cast<RegisterId>(grid.registerCount - 1);
  }
  /// Makes room for the steps of the grid's program.
  void prepare(const Grid& grid);
  /// Returns the steps for an atomic of `grid`, which has been prepared.
  const Steps& stepsOf(const StaticInstruction& atomic, const Grid& grid);
  virtual Steps makeSteps(const StaticInstruction& atomic, RegisterId link) const = 0;
  /// Returns a memory step. It keeps the atomic's operands and results, so the results are there
  /// before the loop ends.
  static StaticInstruction memoryStep(const StaticInstruction& atomic, MemoryOperation operation,
                                      RegisterId link);
  static StaticInstruction otherStep(const StaticInstruction& atomic, InstructionClass kind,
                                     RegisterId link);

  /// Begins the warp's atomic. Returns false if it has no lane in shared memory: it is then over.
  bool begin(unsigned slot, Request& request, WarpInstruction& out);
  static void access(const Request& request, LaneMask lanes, MemoryOperation operation,
                     WarpInstruction& out);
  /// Counts the steps of a round that served no lane.
  void lost(unsigned slot, unsigned steps);

 private:
  static void chain(StaticInstruction& step, RegisterId link);

  const Grid* told_ = nullptr;  ///< the grid without the loops; null: none, or a set
  Grid grid_;
  std::atomic<std::uint64_t> idle_ = 0;
  /// [program][pc]: made when first met, by the multiprocessor that meets it.
  struct Made {
    std::once_flag once;
    Steps steps;
  };
  std::vector<std::vector<std::unique_ptr<Made>>> steps_;
};

}  // namespace fermata
