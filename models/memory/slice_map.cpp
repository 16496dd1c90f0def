#include <fermata/models/memory/slice_map.h>

#include <algorithm>

namespace fermata {

SliceMap::SliceMap(unsigned slices, std::uint32_t lineBytes, const std::string& text,
                   const Names& names, std::uint32_t granule)
    : slices_(slices), lineShift_(static_cast<unsigned>(__builtin_ctz(lineBytes))) {
  const std::uint32_t bytes = std::max(lineBytes, granule);
  granuleShift_ = static_cast<unsigned>(__builtin_ctz(bytes)) - lineShift_;
  windowShift_ = 32 - lineShift_ - granuleShift_;
  granuleMask_ = (std::uint64_t{1} << 32) / bytes - 1;
  if (text.empty()) return;
  const auto granules = static_cast<std::uint32_t>(granuleMask_ + 1);
  indexer_ = indexing::build(text, indexing::Shape{slices, granules, bytes});
  const std::uint32_t banks = indexer_->shape().banks;
  if (banks != slices)
    throw indexing::IndexingError("'" + text + "' maps " + names.blocks + " onto " +
                                  std::to_string(banks) + " " + names.parts + ", " + names.memory +
                                  " has " + std::to_string(slices) + "; expected the same");
}

}  // namespace fermata
