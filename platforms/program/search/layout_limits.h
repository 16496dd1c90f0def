// Demands that the layouts of a search make of paddings and swizzles, and the words for them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <fermata/platforms/program/search/search_job.h>

namespace fermata::platforms {

struct LayoutLimits {
  /// Bytes that a swizzle or a padding keeps whole: an element, and what a lane of an atom reads at
  /// once. 0 without layouts.
  std::uint32_t vectorBytes = 0;
  /// Strides of the layouts in words; those that are no whole words are left out. Empty if anything
  /// else is searched, too: its rows are not known.
  std::optional<std::vector<std::uint64_t>> rows;
};

/// Reads the layouts of a request, which must be valid.
LayoutLimits layoutLimits(const SearchRequest& request, std::uint32_t wordBytes);

/// Returns whether `row` elements are a leading dimension in each layout that has this stride, and
/// one has it.
bool isLeadingDimension(const SearchRequest& request, std::uint64_t row);

/// Returns the text of the atom of layout `i`.
const std::string& atomOf(const SearchRequest& request, std::size_t i);

}  // namespace fermata::platforms
