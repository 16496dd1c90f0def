// Occupancy: the number of CTAs of a grid that are resident at once, and what limits it.
#pragma once

#include <cstdint>

#include <fermata/models/transaction/scratchpad_shape.h>
#include <fermata/models/vocabulary/error.h>
#include <fermata/models/vocabulary/grid.h>

namespace fermata {

/// Limits of a streaming multiprocessor (CUDA C Programming Guide 4.2, table F-2, for Fermi's
/// figures).
struct OccupancyLimits {
  unsigned warps = 48;  ///< 1 to 64
  unsigned threads = 1536;
  unsigned ctas = 8;
  unsigned registers = 32768;  ///< 32-bit registers
  unsigned registerUnit = 64;  ///< allocation unit of a warp's registers
  unsigned sharedBytes = ScratchpadShape{}.bytes;
  unsigned sharedUnit = 128;  ///< allocation unit of a CTA's shared memory, in bytes
  /// Bytes that the system takes for each CTA in addition: 1 KB from compute capability 8.0 on.
  unsigned sharedReserved = 0;

  /// Returns the bytes of shared memory that one CTA can have.
  unsigned mostShared() const {
    return sharedBytes > sharedReserved ? sharedBytes - sharedReserved : 0;
  }
};

enum class OccupancyLimiter { Ctas, Warps, Threads, Registers, Shared, Grid };
const char* name(OccupancyLimiter limiter);

struct Occupancy {
  unsigned ctas = 0;  ///< CTAs resident at once; 0: none fits, or no cluster; `limiter` says why
  OccupancyLimiter limiter = OccupancyLimiter::Grid;
};

/// Thrown if not even one CTA or cluster of a grid fits.
class OccupancyError : public BadInput {
 public:
  using BadInput::BadInput;
};

/// Returns the occupancy by the smallest of all limits; at a tie the first of the enumeration. With
/// clusters, the CTAs of as many whole clusters as fit.
Occupancy occupancy(const Grid& grid, const OccupancyLimits& limits);

/// Returns the bytes of shared memory that the CTAs resident at once hold, with what the system
/// takes for each, if the grid has enough CTAs.
std::uint64_t residentShared(const Grid& grid, const OccupancyLimits& limits);

/// Returns occupancy(grid, limits). Throws OccupancyError if not even one CTA, or cluster, fits;
/// its text says what the CTA needs, what there is, and the parameters that would cure it.
Occupancy requireOccupancy(const Grid& grid, const OccupancyLimits& limits);

/// Returns the registers that a CTA takes, of 32 bits, in whole allocation units of its warps.
std::uint64_t registersOfCta(const Grid& grid, const OccupancyLimits& limits);

/// Returns the bytes of a CTA's window in the scratchpad: its shared bytes, rounded up to whole
/// allocation units.
std::uint64_t windowBytes(const Grid& grid, const OccupancyLimits& limits);

/// Placement of the windows of the resident CTAs: window i starts at byte i * stride.
///
/// If the resident CTAs fit that way, windows start at multiples of the power of two that covers
/// their size (`aligned`). Otherwise windows are packed one behind the other. Placement never costs
/// a resident CTA.
///
/// Alignment matters to a mapping that XORs address bits. No bit of an aligned start is a bit of an
/// offset in the window. The mapping then treats the words of every window alike, up to a renaming
/// of the banks, and sees the conflicts of addresses relative to the CTA.
struct WindowPlacement {
  std::uint64_t stride = 0;
  bool aligned = false;
};

/// Returns the placement for `resident` CTAs at once, as occupancy() says.
WindowPlacement windowPlacement(const Grid& grid, const OccupancyLimits& limits, unsigned resident);

}  // namespace fermata
