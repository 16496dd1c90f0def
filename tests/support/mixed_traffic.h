// Random accesses of many warps to shared and global memory. Most wait for no earlier access.
#pragma once

#include "tests/support/scripted_workload.h"

namespace fermata::test {

/// Two CTAs whose warps execute one list, each with its own addresses. Uses `lines` of 128 bytes in
/// global memory, and 32 words per lane in shared memory.
struct MixedTraffic : ScriptedWorkload {
  std::uint64_t sharedAccesses = 0;
  std::uint64_t globalAccesses = 0;

  MixedTraffic(unsigned seed, unsigned lines, unsigned accesses, unsigned warps)
      : ScriptedWorkload(2, kWarpLanes * warps) {
    grid.sharedBytesPerCta = 4 * kWarpLanes * 32;
    std::mt19937 random(seed);
    for (unsigned a = 0; a < accesses; ++a) {
      const MemorySpace space = random() % 2 == 0 ? MemorySpace::Shared : MemorySpace::Global;
      addAccess(random, space, lines);
      (space == MemorySpace::Shared ? sharedAccesses : globalAccesses) += 2 * warps;
      if (random() % 16 == 0) add(InstructionClass::Integer).what.fence = true;
      if (random() % 16 == 0) add(InstructionClass::Barrier).barrierThreads = kWarpLanes * warps;
    }
  }

 private:
  void addAccess(std::mt19937& random, MemorySpace space, unsigned lines) {
    std::array<std::uint64_t, kWarpLanes> lanes{};
    const bool shared = space == MemorySpace::Shared;
    const unsigned stride = 1U << random() % 6;
    const std::uint64_t only = random() % lines;
    const bool scattered = random() % 4 == 0;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const std::uint64_t line = scattered ? random() % lines : only;
      lanes[lane] = shared ? 4 * stride * lane : 128 * line + random() % 32 * 4;
    }
    const std::uint64_t bytes = shared ? grid.sharedBytesPerCta : std::uint64_t{128} * lines;
    const bool store = random() % 4 == 0;
    const auto into = static_cast<RegisterId>(1 + random() % 24);
    const bool waits = random() % 8 == 0;
    addMemory(
        space, store ? MemoryOperation::Store : MemoryOperation::Load, 4,
        [=](std::uint64_t cta, unsigned warp, unsigned lane, unsigned) {
          const std::uint64_t own = (lanes[lane] + 128 * (cta + warp)) % bytes;
          return shared ? own : 0x10000000 + own;
        },
        store ? std::vector<RegisterId>{} : std::vector<RegisterId>{into},
        waits ? std::vector<RegisterId>{into} : std::vector<RegisterId>{});
  }
};

}  // namespace fermata::test
