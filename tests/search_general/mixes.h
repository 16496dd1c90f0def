// Seeded random mixes of access patterns, like several kernels that share one memory.
#pragma once

#include <fermata/models/search/access_sets.h>

#include "tests/support/test.h"

namespace fermata::search::test {

using Word = std::uint32_t;
using Random = std::mt19937_64;  // equal on every machine, unlike distributions

inline Word below(Random& random, std::uint64_t end) {
  return static_cast<Word>(random() % end);
}

constexpr Word kLanes = 32;

struct Mix {
  unsigned addressBits = 0;
  AccessSets sets;
};

/// Adds warps whose lanes access word base + place(lane), modulo the memory.
template <typename Place>
void addWarps(Mix& mix, Word warps, Word base, Word warpStep, Place place) {
  const std::uint32_t instruction = mix.sets.addInstruction({});
  for (Word warp = 0; warp < warps; ++warp) {
    std::vector<Word> words;
    for (Word lane = 0; lane < kLanes; ++lane) {
      words.push_back((base + warp * warpStep + place(lane)) % (Word{1} << mix.addressBits));
    }
    mix.sets.add(instruction, words.data(), kLanes);
  }
}

/// Adds one access: a stride of 1 to 64 or a power of two, a block, a column walk, or random words.
inline void addAccess(Mix& mix, Random& random) {
  const Word words = Word{1} << mix.addressBits;
  const Word base = below(random, words);
  const Word warps = 1 + below(random, 4);
  switch (below(random, 6)) {
    case 0:
    case 1: {
      const Word stride = 1 + below(random, 64);
      return addWarps(mix, warps, base, kLanes * stride, [=](Word lane) { return lane * stride; });
    }
    case 2: {
      const Word stride = Word{1} << below(random, mix.addressBits - 4);
      return addWarps(mix, warps, base, 1 + below(random, 8),
                      [=](Word lane) { return lane * stride; });
    }
    case 3: {
      const Word width = Word{4} << below(random, 3);
      const Word pitch = width + below(random, 80);
      return addWarps(mix, warps, base, width,
                      [=](Word lane) { return lane / width * pitch + lane % width; });
    }
    case 4: {
      const Word pitch = 4 * (4 + below(random, 40)) + below(random, 2);
      return addWarps(mix, warps, base, 1, [=](Word lane) { return lane * pitch; });
    }
    default:
      return addWarps(mix, 1 + below(random, 2), base, 1,
                      [&](Word) { return below(random, words); });
  }
}

/// Returns 2 to 6 accesses on a memory of 2^10 to 2^14 words.
inline Mix makeMix(std::uint64_t seed) {
  Random random(seed * 0x9e3779b97f4a7c15U + 1);
  Mix mix;
  mix.addressBits = 10 + below(random, 5);
  const Word accesses = 2 + below(random, 5);
  for (Word i = 0; i < accesses; ++i) addAccess(mix, random);
  return mix;
}

}  // namespace fermata::search::test
