// Which element each thread accesses: the closed forms of the patterns.
//
// Source of GenIndex, stride and block: van den Braak et al., "Configurable XOR Hash Functions for
// Banked Scratchpad Memories in GPUs", sections 2 and 3 (equations 1 and 4 to 8).
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include <fermata/models/transaction/warp_instruction.h>
#include <fermata/stimuli/patterns/parameters.h>

namespace fermata::patterns {

using LaneElements = std::array<std::uint32_t, kWarpLanes>;

/// Which warp accesses for the how manieth time.
struct AccessPoint {
  std::uint64_t cta = 0;
  std::uint32_t warp = 0;  ///< within the CTA
  std::uint64_t iteration = 0;
};

class AddressPattern {
 public:
  virtual ~AddressPattern() = default;
  /// The element of each of the 32 lanes; those of lanes without a thread mean nothing.
  virtual void elements(const AccessPoint& at, LaneElements& element) const = 0;
  /// Elements the array needs: every element of a thread is below.
  virtual std::uint32_t size() const = 0;
};

/// The pattern of this name. `threads`: of a CTA. Throws InputError.
std::unique_ptr<AddressPattern> makeAddressPattern(const std::string& name, const Parameters& from,
                                                   std::uint32_t threads);

}  // namespace fermata::patterns
