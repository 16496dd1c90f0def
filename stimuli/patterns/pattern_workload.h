// The workload that runs an address pattern (patterns.h shows its kernel).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fermata/models/vocabulary/workload.h>
#include <fermata/stimuli/patterns/address_pattern.h>
#include <fermata/stimuli/patterns/pattern_program.h>

namespace fermata::patterns {

struct PatternLaunch {
  std::string name;
  PatternShape shape;
  std::uint64_t repeat = 1;  ///< accesses per warp
  std::uint32_t threads = 32;
  std::uint64_t ctas = 1;
};

/// With setCarriesData(true) and fill, accesses carry lane data: the fill stores element e in array
/// element e, a store of the loop brings a value that depends on element and iteration, and an
/// atomic adds 1. Loads then return what the order of execution of the warps left there. Without
/// the fill the array is never initialised, and accesses carry no data.
class PatternWorkload : public Workload {
 public:
  PatternWorkload(const PatternLaunch& launch, std::unique_ptr<AddressPattern> pattern);

  void setWarpSlots(unsigned slots) override;
  void setCarriesData(bool carries) override;
  std::uint64_t totalCtas() const override { return launch_.ctas; }
  const Grid* nextGrid() override;
  void startCta(std::uint64_t cta, unsigned firstSlot) override;
  void endCta(unsigned firstSlot) override;
  const StaticInstruction* peek(unsigned slot) override {
    const Warp& warp = warps_[slot];
    return warp.running ? &program_[warp.pc] : nullptr;
  }
  void execute(unsigned slot, WarpInstruction& out) override;
  unsigned programCount() const override { return 1; }
  std::string kernelName(unsigned) const override { return launch_.name; }
  std::uint32_t instructionCount(unsigned) const override { return program_.size(); }
  InstructionText instructionText(unsigned program, std::uint32_t pc) const override;

 private:
  using Memory = std::vector<std::uint32_t>;  ///< shared memory of a CTA, in 4-byte words
  struct Warp {
    AccessPoint at;
    LaneMask lanes = 0;
    std::uint32_t pc = 0;
    std::uint32_t filled = 0;  ///< rounds of the fill done
    bool running = false;
    std::shared_ptr<Memory> memory;  ///< nullptr: no data is carried
  };

  void advance(Warp& warp);
  void access(const Warp& warp, const StaticInstruction& instruction, WarpInstruction& out);
  void move(const Warp& warp, const LaneElements& element, bool filling, WarpInstruction& out);

  PatternLaunch launch_;
  PatternProgram program_;
  std::unique_ptr<AddressPattern> pattern_;
  Grid grid_;
  std::uint32_t fillRounds_ = 0;
  std::uint32_t bytes_ = 0;  ///< of the array
  std::uint64_t base_ = 0;   ///< first byte of the array
  bool carriesData_ = false;
  bool launched_ = false;
  std::vector<Warp> warps_;
};

}  // namespace fermata::patterns
