// Finds the swizzle that leaves the fewest conflicts, as the index of a modern kernel applies it to
// its addresses: Swizzle<B,M,S> of NVIDIA CUTLASS (cute/swizzle.hpp), on byte addresses, and the
// three swizzles built into the tensor memory accelerator (CUDA driver API, CUtensorMapSwizzle).
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

/// Returns the best of all swizzles that keep vectors of `vectorBytes` whole (a power of two, a
/// word or more): fewest conflicts, then fewest bits, then the shortest shift, then the lowest bit.
/// Swizzles that differ only above the bank's bits count as one. Throws indexing::IndexingError if
/// the number of banks is no power of two.
BestSwizzle bestSwizzle(const ConflictCount& count, const indexing::Shape& shape,
                        std::uint32_t vectorBytes);
/// Returns the best of no swizzle and the accelerator's three; at a tie the narrowest.
BestSwizzle bestTma(const ConflictCount& count, const indexing::Shape& shape);

}  // namespace fermata::search
