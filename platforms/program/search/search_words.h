// A mapping in the notations that kernel authors use: CuTe, Triton, a TMA descriptor, C.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fermata/models/indexing/indexer.h>

namespace fermata::platforms {

/// Swizzle<bits, base, shift>: bits base to base+bits-1 of a byte address are XORed with the bits
/// `shift` above them.
struct SwizzleForm {
  unsigned bits = 0;
  unsigned base = 0;
  unsigned shift = 0;
};

/// Parses "swizzle b=B m=M s=S" and "tma N". Returns nothing for other mappings.
std::optional<SwizzleForm> swizzleForm(const std::string& mapping);

/// Returns lines, each with a line end; empty for a mapping that a kernel's index cannot compute.
/// Offsets and rows are in elements of `elementBytes` bytes.
std::string kernelWords(const std::string& mapping, const indexing::Shape& shape,
                        std::uint32_t elementBytes);

}  // namespace fermata::platforms
