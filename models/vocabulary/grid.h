// The shape of a kernel launch, as the timing model sees it. No SystemC, no file format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata {

/// Value of Grid::carveout of a program that asks for nothing.
inline constexpr std::int32_t kNoCarveout = -1;

/// One kernel launch: a grid of CTAs (cooperative thread arrays) of one shape.
struct Grid {
  std::string kernel;      ///< entry name, for reports
  std::string where;       ///< "file:line" of the launch, for errors; or empty
  unsigned program = 0;    ///< static program; equal for all launches of one kernel
  std::uint64_t ctas = 0;  ///< CTAs in the grid, > 0
  /// CTAs of a cluster (cluster.h), which are resident together; `ctas` is a multiple. The CTAs of
  /// a cluster have consecutive numbers, by their rank.
  unsigned clusterCtas = 1;
  /// Program whose instructions lie at the same addresses, if there is one with a lower number: two
  /// grids of a set (grid_set.h) that run one kernel.
  std::optional<unsigned> codeOf{};
  std::uint32_t threadsPerCta = 0;       ///< 1 to 1024
  std::uint32_t registersPerThread = 0;  ///< 32-bit registers, for occupancy
  std::uint32_t sharedBytesPerCta = 0;   ///< static and dynamic, for occupancy
  /// Share of the largest carve-out that the program asks to keep for shared memory, in percent;
  /// kNoCarveout: as much as the CTAs that fit need. Matters where scratchpad and L1 share an
  /// array.
  std::int32_t carveout = kNoCarveout;
  std::uint32_t instructionCount = 0;    ///< PCs of the program: 0 <= pc < instructionCount
  std::uint32_t instructionsBefore = 0;  ///< of the module, before those of the program
  std::uint32_t registerCount = 0;       ///< scoreboard registers of a warp

  std::uint32_t warpsPerCta() const { return (threadsPerCta + kWarpLanes - 1) / kWarpLanes; }
};

}  // namespace fermata
