// Replaces any line of the set. The numbers come from a fixed seed (xorshift, Marsaglia 2003).
#include <fermata/models/memory/replacement.h>

#include <algorithm>

namespace fermata {

namespace {

class Random final : public ReplacementPolicy {
 public:
  std::uint32_t victim(const CacheLine* set, std::uint32_t ways, bool anyReserved) override {
    if (!anyReserved) return ways < 2 ? 0 : static_cast<std::uint32_t>(next() % ways);
    const auto candidates = static_cast<std::uint64_t>(
        std::count_if(set, set + ways, [](const CacheLine& line) { return !line.reserved; }));
    std::uint64_t skip = candidates < 2 ? 0 : next() % candidates;
    std::uint32_t way = 0;
    while (set[way].reserved || skip-- != 0) ++way;
    return way;
  }

 private:
  std::uint64_t next() {
    dice_ ^= dice_ << 13;
    dice_ ^= dice_ >> 7;
    dice_ ^= dice_ << 17;
    return dice_;
  }

  std::uint64_t dice_ = 0x9e3779b97f4a7c15U;
};

}  // namespace

extern const Descriptor<ReplacementPolicy> kRandom{"random", makePolicy<ReplacementPolicy, Random>};

}  // namespace fermata
