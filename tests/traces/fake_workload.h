// A workload with every kind of instruction, chosen by a seed, for tests of the traces.
#pragma once

#include <fermata/models/vocabulary/workload.h>

#include "tests/support/test.h"

namespace fermata::test {

/// Executes instructions that depend on grid, CTA and warp only, not on the order of execution.
class FakeWorkload : public Workload {
 public:
  struct Shape {
    std::uint64_t ctas = 5;
    std::uint32_t threads = 80;  ///< not a multiple of the warp size
    unsigned longest = 60;       ///< most instructions of a warp
    std::uint64_t seed = 1;
    bool loadsAlone = false;  ///< no store, atomic or copy; all threads alike
  };
  FakeWorkload() : FakeWorkload(Shape()) {}
  explicit FakeWorkload(const Shape& shape);

  void setWarpSlots(unsigned slots) override { warps_.assign(slots, Warp{}); }
  const Grid* nextGrid() override;
  void startCta(std::uint64_t cta, unsigned firstSlot) override;
  void endCta(unsigned) override {}
  const StaticInstruction* peek(unsigned slot) override;
  void execute(unsigned slot, WarpInstruction& out) override;
  void copyTarget(unsigned slot, std::uint64_t copy, WarpInstruction& out) const override;
  void storeCopy(unsigned slot, std::uint64_t copy, WarpInstruction& out) override;
  std::uint64_t sleep(unsigned slot) override { return warps_[slot].state % 0x1000000; }
  std::uint64_t copyGroups(unsigned slot) const override { return warps_[slot].groups; }
  unsigned programCount() const override { return 2; }
  std::string kernelName(unsigned program) const override;
  std::uint32_t instructionCount(unsigned program) const override;
  InstructionText instructionText(unsigned program, std::uint32_t pc) const override;

 private:
  struct Warp {
    std::uint64_t state = 0;
    unsigned left = 0;
    std::uint32_t pc = 0;
    LaneMask lanes = 0;
    std::map<std::uint64_t, WarpInstruction> copies;  ///< begun, not yet stored
    std::uint64_t begun = 7;                          ///< arbitrary start value
    std::uint64_t groups = 0;
  };
  void beginCopy(Warp& warp, WarpInstruction& out);
  static std::uint64_t random(Warp& warp);
  void choose(Warp& warp);
  void setAddresses(Warp& warp, const StaticInstruction& instruction, WarpInstruction& out);

  Shape shape_;
  std::vector<std::vector<StaticInstruction>> programs_;
  std::vector<Grid> grids_;
  std::size_t grid_ = 0;
  std::vector<Warp> warps_;
};

}  // namespace fermata::test
