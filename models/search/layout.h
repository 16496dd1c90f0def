// Layouts in CuTe's notation shape:stride (NVIDIA CUTLASS documentation, CuTe layouts).
//
// "(8,4):(16,128)" has 32 elements; the first mode is the fastest: element i lies at (i mod 8) * 16
// + (i div 8) * 128. Modes nest: "((2,4),8):((1,64),8)".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace fermata::search {

class Layout {
 public:
  static constexpr std::uint64_t kMostElements = std::uint64_t{1} << 20;

  /// Throws indexing::IndexingError with the column of the error.
  static Layout parse(std::string_view text);

  /// 1 to kMostElements.
  std::uint64_t size() const { return size_; }
  /// Offset of an element, in elements.
  std::uint64_t offset(std::uint64_t element) const;
  /// Coordinates of an element, one per outermost mode. Element 11 of "(8,4):(64,8)" is at (3,1).
  std::vector<std::uint64_t> coordinates(std::uint64_t element) const;

  /// Strides of the modes of two elements or more, rising, each once; without 0.
  std::vector<std::uint64_t> strides() const;
  /// Returns whether `stride` is a leading dimension: the larger strides are multiples of it, and
  /// the other modes, whose elements each take `together` places, stay below it. Behind each
  /// `stride` elements there may then be unused ones: all that changes is the leading dimension.
  bool leads(std::uint64_t stride, std::uint64_t together) const;

 private:
  struct Mode {
    std::uint64_t shape = 1;
    std::uint64_t stride = 0;
  };
  std::vector<Mode> modes_;
  std::vector<std::uint64_t> outer_;  ///< elements of each outermost mode
  std::uint64_t size_ = 1;
};

}  // namespace fermata::search
