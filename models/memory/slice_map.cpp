#include <fermata/models/memory/slice_map.h>

namespace fermata {

SliceMap::SliceMap(unsigned slices, std::uint32_t lineBytes, const std::string& text,
                   const Names& names)
    : slices_(slices),
      lineShift_(static_cast<unsigned>(__builtin_ctz(lineBytes))),
      windowShift_(32 - lineShift_),
      lineMask_((std::uint64_t{1} << 32 >> lineShift_) - 1) {
  if (text.empty()) return;
  const auto lines = static_cast<std::uint32_t>(lineMask_ + 1);
  indexer_ = indexing::build(text, indexing::Shape{slices, lines, lineBytes});
  const std::uint32_t banks = indexer_->shape().banks;
  if (banks != slices)
    throw indexing::IndexingError("'" + text + "' maps " + names.blocks + " onto " +
                                  std::to_string(banks) + " " + names.parts + ", " + names.memory +
                                  " has " + std::to_string(slices) + "; expected the same");
}

}  // namespace fermata
