// The tag stage of an L1: the lines of a try are looked up in arrays of tags, one per array and
// cycle.
//
// Either each array has the tags of all lines, or a line's tag is in one of them. Example of the
// second kind, with four arrays: a try of five lines whose tags lie in arrays 0, 1, 2, 2 and 2
// takes three cycles. Its data come two cycles later than those of a try of one line, while other
// tries use the data array (measured on an H100: results/silicon/l1.csv).
#pragma once

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/warp_instruction.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace fermata {

class L1Tags {
 public:
  /// `arrays`: 1 to 32. `banks`: maps a line, by its place within 2^32 bytes, onto the array with
  /// its tag; null: each array has the tags of all lines.
  L1Tags(unsigned arrays, std::uint32_t lineBytes, std::shared_ptr<const indexing::Indexer> banks)
      : arrays_(arrays), lines_((std::uint64_t{1} << 32) / lineBytes), banks_(std::move(banks)) {}

  /// Begins a try.
  void begin() {
    lookups_ = 0;
    if (banks_ == nullptr) return;
    perArray_.fill(0);
    most_ = 0;
  }
  /// Counts the lookup of a line.
  void lookUp(std::uint64_t line) {
    ++lookups_;
    if (banks_ != nullptr) most_ = std::max<unsigned>(most_, ++perArray_[arrayOf(line)]);
  }
  /// Returns the cycles, counted from the first lookup of the try, that earlier lookups take before
  /// the line's. The last `uncounted` of them take no time.
  Cycle turn(std::uint64_t line, unsigned uncounted = 0) const {
    const unsigned all = banks_ == nullptr ? lookups_ : perArray_[arrayOf(line)];
    const unsigned earlier = all < uncounted ? 0 : all - uncounted;
    return banks_ == nullptr ? earlier / arrays_ : earlier;
  }
  /// True if the line cannot be looked up in the first cycle of the try.
  bool taken(std::uint64_t line) const {
    return banks_ == nullptr ? lookups_ == arrays_ : perArray_[arrayOf(line)] != 0;
  }
  /// Lines looked up by the try so far.
  unsigned lookups() const { return lookups_; }
  /// Cycles that the lookups of the try take: at least 1.
  Cycle cycles() const {
    return std::max(1U, banks_ == nullptr ? (lookups_ + arrays_ - 1) / arrays_ : most_);
  }

  /// Cycles by which the lookups of the try delay its data, where a line's tag is in one array.
  Cycle delay() const { return banks_ == nullptr || most_ == 0 ? 0 : most_ - 1; }

 private:
  std::uint32_t arrayOf(std::uint64_t line) const {
    return banks_->location(static_cast<std::uint32_t>(line & (lines_ - 1))).bank;
  }

  unsigned arrays_;
  std::uint64_t lines_;  ///< lines within 2^32 bytes: a power of two
  std::shared_ptr<const indexing::Indexer> banks_;
  unsigned lookups_ = 0;
  unsigned most_ = 0;  ///< lookups in the array that has most of them
  std::array<std::uint8_t, kWarpLanes> perArray_{};
};

}  // namespace fermata
