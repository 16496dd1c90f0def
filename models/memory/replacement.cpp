#include <fermata/models/memory/replacement.h>

namespace fermata {

extern const Descriptor<ReplacementPolicy> kLru, kFifo, kRandom;

template <>
const std::vector<const Descriptor<ReplacementPolicy>*>& Descriptor<ReplacementPolicy>::table() {
  static const std::vector<const Descriptor*> policies{&kLru, &kFifo, &kRandom};
  return policies;
}

std::uint32_t ReplacementPolicy::victim(const CacheLine* set, std::uint32_t ways,
                                        bool /*anyReserved*/) {
  std::uint32_t lowest = 0;
  while (set[lowest].reserved) ++lowest;
  for (std::uint32_t way = lowest + 1; way < ways; ++way) {
    if (!set[way].reserved && set[way].rank < set[lowest].rank) lowest = way;
  }
  return lowest;
}

}  // namespace fermata
