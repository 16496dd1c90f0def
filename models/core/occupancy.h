// How many CTAs of a grid are resident at once, and what limits them.
#pragma once

#include <stdexcept>
#include <string>

#include "models/transaction/grid.h"

namespace fermata {

/// Limits of a streaming multiprocessor (CUDA C Programming Guide 4.2, table F-2, for Fermi's
/// figures).
struct OccupancyLimits {
  unsigned warps = 48;  ///< 1 to 64
  unsigned threads = 1536;
  unsigned ctas = 8;
  unsigned registers = 32768;  ///< 32-bit registers
  unsigned registerUnit = 64;  ///< registers of a warp are allocated in units of this many
  unsigned sharedBytes = 49152;
  unsigned sharedUnit = 128;  ///< bytes of a CTA are allocated in units of this many
};

enum class OccupancyLimiter { Ctas, Warps, Threads, Registers, Shared, Grid };
const char* name(OccupancyLimiter limiter);

struct Occupancy {
  unsigned ctas = 0;  ///< resident at once; 0: one CTA does not fit, `limiter` says why
  OccupancyLimiter limiter = OccupancyLimiter::Grid;
};

/// A grid of which not even one CTA fits.
class OccupancyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The smallest of all limits; at a tie the first of the enumeration.
Occupancy occupancy(const Grid& grid, const OccupancyLimits& limits);

/// Bytes of a CTA's window in the scratchpad: its shared bytes, rounded up to whole units.
std::uint64_t windowBytes(const Grid& grid, const OccupancyLimits& limits);

}  // namespace fermata
