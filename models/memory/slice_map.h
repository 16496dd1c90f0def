// Maps the blocks of an address space onto parts of a memory: lines onto slices of an L2, larger
// blocks onto channels of a DRAM. An indexer does it, as another maps words onto banks; without
// one, block i is in part i mod parts. Example with 12 slices: line 30 is in slice 6, row 2; lines
// 0, 12, 24, ... are the rows 0, 1, 2, ... of slice 0.
//
// A slice makes the set of a line from its row, so that the lines of one slice use all sets. This
// is GPGPU-Sim's partition address: the address without the bits that choose the slice.
#pragma once

#include <fermata/models/indexing/indexer.h>

#include <cstdint>
#include <memory>
#include <string>

namespace fermata {

class SliceMap {
 public:
  /// Maps every line onto one slice.
  SliceMap() = default;
  /// The names of blocks, parts and memory in messages.
  struct Names {
    const char* blocks = "lines";
    const char* parts = "slices";
    const char* memory = "the L2";
  };
  struct Place {
    unsigned slice;
    std::uint64_t row;
  };

  /// `text`: a mapping of indexer.h from lines to slices; empty: the line modulo the slices. It
  /// sees the line's place within 2^32 bytes; a further such window has further rows. `lineBytes`:
  /// a power of two. Throws IndexingError if the text is no mapping onto `slices` slices.
  SliceMap(unsigned slices, std::uint32_t lineBytes, const std::string& text)
      : SliceMap(slices, lineBytes, text, Names()) {}
  SliceMap(unsigned slices, std::uint32_t lineBytes, const std::string& text, const Names& names);

  unsigned slices() const { return slices_; }
  std::uint32_t lineBytes() const { return std::uint32_t{1} << lineShift_; }
  unsigned ofAddress(std::uint64_t address) const { return of(address >> lineShift_); }
  unsigned of(std::uint64_t line) const {
    if (!indexer_) return static_cast<unsigned>(line % slices_);
    return indexer_->location(static_cast<std::uint32_t>(line & lineMask_)).bank;
  }
  /// Returns the line's number among those of its slice.
  std::uint64_t rowOf(std::uint64_t line) const { return place(line).row; }
  Place place(std::uint64_t line) const {
    if (!indexer_) return {static_cast<unsigned>(line % slices_), line / slices_};
    const auto at = indexer_->location(static_cast<std::uint32_t>(line & lineMask_));
    return {at.bank, (line >> windowShift_) * indexer_->rows() + at.row};
  }

 private:
  unsigned slices_ = 1;
  unsigned lineShift_ = 7;
  unsigned windowShift_ = 25;                         ///< lines of 2^32 bytes, as a power of two
  std::uint64_t lineMask_ = 0;                        ///< lines within 2^32 bytes, minus one
  std::shared_ptr<const indexing::Indexer> indexer_;  ///< null: modulo
};

}  // namespace fermata
