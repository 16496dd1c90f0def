// A mapping in the words of who writes the kernel: CuTe, Triton, a TMA descriptor, C.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fermata/models/indexing/indexer.h>

namespace fermata::platforms {

/// Swizzle<bits, base, shift>: bits base to base+bits-1 of a byte's address XOR those `shift`
/// above.
struct SwizzleForm {
  unsigned bits = 0;
  unsigned base = 0;
  unsigned shift = 0;
};

/// Of "swizzle b=B m=M s=S" and "tma N"; nothing of other mappings.
std::optional<SwizzleForm> swizzleForm(const std::string& mapping);

/// Lines, each ended; empty for a mapping that a kernel's index cannot do. Offsets and rows are in
/// elements of so many bytes.
std::string kernelWords(const std::string& mapping, const indexing::Shape& shape,
                        std::uint32_t elementBytes);

}  // namespace fermata::platforms
