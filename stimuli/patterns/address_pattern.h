// Closed forms of the patterns: the element that each thread accesses.
//
// Source of GenIndex, stride and block: van den Braak et al., "Configurable XOR Hash Functions for
// Banked Scratchpad Memories in GPUs", sections 2 and 3 (equations 1 and 4 to 8).
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include <fermata/models/vocabulary/warp_instruction.h>
#include <fermata/stimuli/patterns/parameters.h>

namespace fermata::patterns {

using LaneElements = std::array<std::uint32_t, kWarpLanes>;

/// One access of a warp: which warp, and how many it made before.
struct AccessPoint {
  std::uint64_t cta = 0;
  std::uint32_t warp = 0;  ///< within the CTA
  std::uint64_t iteration = 0;
};

class AddressPattern {
 public:
  virtual ~AddressPattern() = default;
  /// Sets the element of each of the 32 lanes; elements of lanes without a thread are unspecified.
  virtual void elements(const AccessPoint& at, LaneElements& element) const = 0;
  /// Returns the number of elements in the array; every element that a thread accesses is below.
  virtual std::uint32_t size() const = 0;
};

struct GridShape {
  std::uint32_t threads = 32;  ///< per CTA
  std::uint64_t ctas = 1;
};

/// Returns the pattern of this name. Throws InputError.
std::unique_ptr<AddressPattern> makeAddressPattern(const std::string& name, const Parameters& from,
                                                   const GridShape& grid);

}  // namespace fermata::patterns
