#include <fermata/models/search/best_modulus.h>

namespace fermata::search {

BestModulus bestModulus(const ConflictCount& count, const indexing::Shape& shape,
                        std::uint32_t maxBanks) {
  constexpr std::uint32_t kMostBanks = 4096;
  if (maxBanks < 1 || maxBanks > kMostBanks) {
    throw indexing::IndexingError("moduli up to " + std::to_string(maxBanks) + "; expected 1 to " +
                                  std::to_string(kMostBanks));
  }
  BestModulus best;
  for (std::uint32_t banks = 1; banks <= maxBanks; ++banks) {
    const std::string text = "ami " + std::to_string(banks);
    std::unique_ptr<indexing::Indexer> indexer;
    try {
      indexer = indexing::build(text, shape);
    } catch (const indexing::IndexingError&) {
      continue;
    }
    ++best.candidates;
    if (!best.text.empty() && best.conflicts == 0) continue;
    const std::uint64_t limit = best.text.empty() ? ConflictCount::kNoLimit : best.conflicts - 1;
    const std::uint64_t conflicts = count.mapped(*indexer, limit);
    if (conflicts <= limit) best = {text, banks, conflicts, best.candidates};
  }
  return best;
}

}  // namespace fermata::search
