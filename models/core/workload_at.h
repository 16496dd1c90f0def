// A workload whose device memory is moved to other addresses. Every launch begins at the same
// addresses, but two workloads that run at once and share an L2 or a memory behind it must not meet
// there.
#pragma once

#include <fermata/models/vocabulary/warp_instruction.h>
#include <fermata/models/vocabulary/workload.h>

namespace fermata {

/// The workload `inner` with every address outside of shared memory `base` bytes higher. Distances
/// between lanes do not change, so results and coalescing stay. Sets of a cache and channels of a
/// DRAM may change.
///
/// A launch lies below 2^32, except for managed memory: multiples of 2^32 keep launches apart.
class WorkloadAt final : public WorkloadDecorator {
 public:
  static constexpr std::uint64_t kAlignment = 4096;

  /// Throws BadInput if `base` is no multiple of kAlignment.
  WorkloadAt(Workload& inner, std::uint64_t base);

  bool runApart(unsigned multiprocessors, unsigned slots) override {
    return inner_.runApart(multiprocessors, slots);
  }
  void execute(unsigned slot, WarpInstruction& out) override;
  void beginAtomic(unsigned slot, WarpInstruction& out) override;
  void updateAtomic(unsigned slot, LaneMask lanes, WarpInstruction& out) override;
  std::vector<DeviceBytes> deviceMemory() const override;

 private:
  static void move(WarpInstruction& out, std::uint64_t by);

  std::uint64_t base_;
};

}  // namespace fermata
