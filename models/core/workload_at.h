// A workload whose device memory lies elsewhere: two that run at once and share an L2 or a memory
// behind it must not meet at the same addresses, and every launch begins at the same ones.
#pragma once

#include <fermata/models/core/workload.h>
#include <fermata/models/transaction/warp_instruction.h>

namespace fermata {

/// The workload `inner` with every address outside of shared memory `base` bytes higher. Lanes meet
/// as before: results and coalescing stay, sets of a cache and channels of a DRAM may be others.
///
/// A launch lies below 2^32, but for managed memory: multiples of 2^32 keep launches apart.
class WorkloadAt final : public WorkloadDecorator {
 public:
  static constexpr std::uint64_t kAlignment = 4096;

  /// Throws BadInput where `base` is no multiple of kAlignment.
  WorkloadAt(Workload& inner, std::uint64_t base);

  void execute(unsigned slot, WarpInstruction& out) override;
  void beginAtomic(unsigned slot, WarpInstruction& out) override;
  void updateAtomic(unsigned slot, LaneMask lanes, WarpInstruction& out) override;
  std::vector<DeviceBytes> deviceMemory() const override;

 private:
  static void move(WarpInstruction& out, std::uint64_t by);

  std::uint64_t base_;
};

}  // namespace fermata
