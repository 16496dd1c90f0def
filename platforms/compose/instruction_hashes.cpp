#include <fermata/platforms/compose/instruction_hashes.h>

#include <fmt/format.h>

namespace fermata::platforms {

void InstructionHashes::check(const indexing::Indexer& indexer) const {
  const auto* regions = dynamic_cast<const indexing::RegionIndexer*>(&indexer);
  const std::uint32_t count = regions == nullptr ? 1 : regions->regions();
  for (const Entry& entry : entries()) {
    if (entry.mark < count) continue;
    if (regions == nullptr)
      fail(
          fmt::format("hashes 0 and {} could reach one word, for the indexer '{}' has no regions; "
                      "expected scratchpad.indexer='regions | MAPPING | MAPPING'",
                      entry.mark, indexer.text()));
    fail(
        fmt::format("hash {} of '{}' has no region; expected a hash from 0 to {}, for the indexer "
                    "has {} regions",
                    entry.mark, entry.text, count - 1, count));
  }
}

}  // namespace fermata::platforms
