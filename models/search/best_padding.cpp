#include <fermata/models/search/best_padding.h>

#include <set>

namespace fermata::search {

std::vector<Padding> paddings(const indexing::Shape& shape) {
  constexpr std::uint32_t kLongest = 4096;
  constexpr std::uint32_t kMostTimes = 32;
  std::set<std::uint32_t> rows;
  for (std::uint32_t row = 2; row <= kLongest; row *= 2) rows.insert(row);
  for (std::uint32_t times = 1; times <= kMostTimes; ++times) {
    if (shape.banks * times <= kLongest) rows.insert(shape.banks * times);
  }
  std::vector<Padding> all = {{shape.banks, 0}};
  for (const std::uint32_t row : rows) {
    if (row >= shape.words) break;
    for (std::uint32_t words = 1; words < shape.banks; ++words) all.push_back({row, words});
  }
  return all;
}

BestPadding bestPadding(const ConflictCount& count, const indexing::Shape& shape) {
  const std::vector<Padding> all = paddings(shape);
  BestPadding best;
  best.candidates = all.size();
  for (const Padding& padding : all) {
    const std::uint64_t added = std::uint64_t{(shape.words - 1) / padding.row} * padding.words;
    const bool first = best.text.empty();
    const bool less = !first && added < best.added;
    if (!first && best.conflicts == 0 && !less) continue;
    const std::uint64_t limit = first  ? ConflictCount::kNoLimit
                                : less ? best.conflicts
                                       : best.conflicts - 1;
    const std::string text =
        "pad row=" + std::to_string(padding.row) + " words=" + std::to_string(padding.words);
    std::unique_ptr<indexing::Indexer> indexer;
    try {
      indexer = indexing::build(text, shape);
    } catch (const indexing::IndexingError&) {
      continue;  // a memory that the padding makes too large
    }
    const std::uint64_t conflicts = count.mapped(*indexer, limit);
    if (conflicts > limit) continue;
    best.text = text;
    best.added = added;
    best.conflicts = conflicts;
  }
  return best;
}

}  // namespace fermata::search
