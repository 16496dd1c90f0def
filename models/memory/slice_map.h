// Maps the blocks of an address space onto parts of a memory: lines onto slices of an L2, larger
// blocks onto channels of a DRAM. An indexer does it, as another maps words onto banks; without
// one, block i is in part i mod parts. Example with 12 slices: line 30 is in slice 6, row 2; lines
// 0, 12, 24, ... are the rows 0, 1, 2, ... of slice 0.
//
// With `granule` = 256 and lines of 128 bytes, two lines lie side by side in a slice, as the rows 0
// and 1, 2 and 3, and so on: the mapping then is one of granules.
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
  /// a power of two. `granule`: consecutive bytes in one slice, a power of two; a line at least.
  /// Throws IndexingError if the text is no mapping onto `slices` slices.
  SliceMap(unsigned slices, std::uint32_t lineBytes, const std::string& text,
           std::uint32_t granule = 0)
      : SliceMap(slices, lineBytes, text, Names(), granule) {}
  SliceMap(unsigned slices, std::uint32_t lineBytes, const std::string& text, const Names& names,
           std::uint32_t granule = 0);

  unsigned slices() const { return slices_; }
  std::uint32_t lineBytes() const { return std::uint32_t{1} << lineShift_; }
  unsigned ofAddress(std::uint64_t address) const { return of(address >> lineShift_); }
  unsigned of(std::uint64_t line) const {
    const std::uint64_t granule = line >> granuleShift_;
    if (!indexer_) return static_cast<unsigned>(granule % slices_);
    return indexer_->location(static_cast<std::uint32_t>(granule & granuleMask_)).bank;
  }
  /// Returns the line's number among those of its slice.
  std::uint64_t rowOf(std::uint64_t line) const { return place(line).row; }
  Place place(std::uint64_t line) const {
    const std::uint64_t granule = line >> granuleShift_;
    const std::uint64_t within = line & ((std::uint64_t{1} << granuleShift_) - 1);
    if (!indexer_) {
      return {static_cast<unsigned>(granule % slices_),
              (granule / slices_) << granuleShift_ | within};
    }
    const auto at = indexer_->location(static_cast<std::uint32_t>(granule & granuleMask_));
    const std::uint64_t row = (granule >> windowShift_) * indexer_->rows() + at.row;
    return {at.bank, row << granuleShift_ | within};
  }

 private:
  unsigned slices_ = 1;
  unsigned lineShift_ = 7;
  unsigned granuleShift_ = 0;                         ///< log2 of the lines of a granule
  unsigned windowShift_ = 25;                         ///< granules of 2^32 bytes, as a power of two
  std::uint64_t granuleMask_ = 0;                     ///< granules within 2^32 bytes, minus one
  std::shared_ptr<const indexing::Indexer> indexer_;  ///< null: modulo
};

}  // namespace fermata
