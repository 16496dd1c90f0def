// The swizzle that leaves the fewest conflicts: what the index of a kernel of today does to its
// addresses. Swizzle<B,M,S> of NVIDIA CUTLASS (cute/swizzle.hpp), on byte addresses, and the three
// that the tensor memory accelerator has built in (CUDA driver API, CUtensorMapSwizzle).
#pragma once

#include <cstdint>
#include <string>

#include <fermata/models/search/conflict_count.h>

namespace fermata::search {

struct BestSwizzle {
  /// "swizzle b=B m=M s=S" or "tma 32|64|128"; "swizzle b=0 ..." changes nothing.
  std::string text;
  std::uint64_t conflicts = 0;
  std::uint64_t candidates = 0;
};

/// Of all swizzles that keep vectors of so many bytes whole (a power of two, a word or more):
/// fewest conflicts, then fewest bits, then the shortest shift, then the lowest bit. Those that
/// differ only above the bank's bits are one. Throws indexing::IndexingError where banks are no
/// power of two.
BestSwizzle bestSwizzle(const ConflictCount& count, const indexing::Shape& shape,
                        std::uint32_t vectorBytes);
/// Of no swizzle and the accelerator's three; of equals the narrowest.
BestSwizzle bestTma(const ConflictCount& count, const indexing::Shape& shape);

}  // namespace fermata::search
