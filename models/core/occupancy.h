// How many CTAs of a grid are resident at once, and what limits them.
#pragma once

#include <cstdint>

#include <fermata/models/error.h>
#include <fermata/models/transaction/grid.h>
#include <fermata/models/transaction/scratchpad_shape.h>

namespace fermata {

/// Limits of a streaming multiprocessor (CUDA C Programming Guide 4.2, table F-2, for Fermi's
/// figures).
struct OccupancyLimits {
  unsigned warps = 48;  ///< 1 to 64
  unsigned threads = 1536;
  unsigned ctas = 8;
  unsigned registers = 32768;  ///< 32-bit registers
  unsigned registerUnit = 64;  ///< registers of a warp are allocated in units of this many
  unsigned sharedBytes = ScratchpadShape{}.bytes;
  unsigned sharedUnit = 128;  ///< bytes of a CTA are allocated in units of this many
  /// Bytes that the system takes for each CTA, besides: 1 KB from compute capability 8.0 on.
  unsigned sharedReserved = 0;

  /// Bytes that a CTA can have.
  unsigned mostShared() const {
    return sharedBytes > sharedReserved ? sharedBytes - sharedReserved : 0;
  }
};

enum class OccupancyLimiter { Ctas, Warps, Threads, Registers, Shared, Grid };
const char* name(OccupancyLimiter limiter);

struct Occupancy {
  unsigned ctas = 0;  ///< resident at once; 0: one CTA does not fit, `limiter` says why
  OccupancyLimiter limiter = OccupancyLimiter::Grid;
};

/// A grid of which not even one CTA fits.
class OccupancyError : public BadInput {
 public:
  using BadInput::BadInput;
};

/// The smallest of all limits; at a tie the first of the enumeration.
Occupancy occupancy(const Grid& grid, const OccupancyLimits& limits);

/// The same. Throws OccupancyError when not even one CTA fits: what it needs, what there is, and
/// the parameters that would cure it.
Occupancy requireOccupancy(const Grid& grid, const OccupancyLimits& limits);

/// Bytes of a CTA's window in the scratchpad: its shared bytes, rounded up to whole units.
std::uint64_t windowBytes(const Grid& grid, const OccupancyLimits& limits);

/// Where the windows of the resident CTAs lie: the i-th starts at byte i * stride.
///
/// A mapping that XORs address bits treats the words of a window alike wherever it lies, up to a
/// renaming of the banks, only if no bit of the window's start is one of an offset in it. So, when
/// as many CTAs as are resident fit that way, windows start at multiples of the power of two that
/// covers their size: `aligned`, and such a mapping sees the conflicts of addresses relative to the
/// CTA. Otherwise they are packed one behind the other. Placement never costs a resident CTA.
struct WindowPlacement {
  std::uint64_t stride = 0;
  bool aligned = false;
};

/// `resident`: CTAs at once, as occupancy() says.
WindowPlacement windowPlacement(const Grid& grid, const OccupancyLimits& limits, unsigned resident);

}  // namespace fermata
