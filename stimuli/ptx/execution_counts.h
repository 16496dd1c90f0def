// Counts of an execution without time: cheap to take, and enough to tell launches apart.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::ptx {

class Executor;
struct Launch;

struct ExecutionCounts {
  std::array<std::uint64_t, kInstructionClasses> byClass{};  ///< warp instructions
  std::uint64_t lanes = 0;                                   ///< active, summed over instructions
  std::array<std::uint64_t, 3> shared{};                     ///< accesses, by MemoryOperation
  std::uint64_t global = 0;                                  ///< accesses of other memory
  std::uint64_t banks = 0;    ///< 4-byte banks of 32 that the shared accesses touch, summed
  std::uint64_t sectors = 0;  ///< changes of the 32-byte sector from lane to lane, summed

  std::uint64_t instructions() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : byClass) sum += count;
    return sum;
  }
  /// Adds an instruction of class `its` that has executed.
  void add(InstructionClass its, const WarpInstruction& execution) {
    ++byClass[static_cast<unsigned>(its)];
    lanes += laneCount(execution.active);
    if (its != InstructionClass::Memory || execution.active == 0) return;
    if (execution.space == MemorySpace::Shared) {
      ++shared[static_cast<unsigned>(execution.operation)];
      banks += banksOf(execution);
    } else {
      ++global;
      sectors += sectorsOf(execution);
    }
  }
  /// Adds what another thread of the same execution has counted.
  void add(const ExecutionCounts& other) {
    const auto sum = [](auto& to, const auto& from) {
      for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
    };
    sum(byClass, other.byClass);
    sum(shared, other.shared);
    lanes += other.lanes;
    global += other.global;
    banks += other.banks;
    sectors += other.sectors;
  }
  /// Lists the counts that two launches of one group have in common; the lanes last.
  std::vector<std::uint64_t> list() const {
    std::vector<std::uint64_t> all(byClass.begin(), byClass.end());
    all.insert(all.end(), shared.begin(), shared.end());
    all.insert(all.end(), {global, banks, sectors, lanes});
    return all;
  }

 private:
  static unsigned banksOf(const WarpInstruction& execution) {
    LaneMask banks = 0;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const LaneMask its = execution.active >> lane & 1;
      banks |= its << (execution.address[lane] / 4 % kWarpLanes);
    }
    return laneCount(banks);
  }
  static unsigned sectorsOf(const WarpInstruction& execution) {
    unsigned changes = 0;
    for (unsigned lane = 1; lane < kWarpLanes; ++lane) {
      const bool both = (execution.active >> (lane - 1) & 3) == 3;
      const std::uint64_t differing = execution.address[lane] ^ execution.address[lane - 1];
      changes += both && differing / 32 != 0 ? 1 : 0;
    }
    return changes;
  }
};

/// Runs a launch as runFunctionally() does, and adds what executes to `counts`.
void runCounted(Executor& executor, const Launch& launch, ExecutionCounts& counts);
/// Runs the CTAs from `firstCta` on of the launch that the executor has begun. The CTAs before have
/// ended.
void runRest(Executor& executor, std::uint64_t firstCta, ExecutionCounts& counts);

}  // namespace fermata::ptx
