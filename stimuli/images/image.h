// A grey image in memory.
#pragma once

#include <cstdint>
#include <vector>

namespace fermata::images {

/// Levels are 0 (black) to `largest`; pixels lie row by row from the top.
struct Image {
  std::uint32_t width = 0;   ///< pixels of a row
  std::uint32_t height = 0;  ///< rows
  std::uint32_t largest = 255;
  std::vector<std::uint16_t> pixels;

  std::uint32_t at(std::uint32_t x, std::uint32_t y) const {
    return pixels[std::size_t{y} * width + x];
  }
  /// Returns the bits of a level: the fewest that hold `largest`.
  unsigned bits() const {
    unsigned bits = 1;
    while (largest >> bits != 0) ++bits;
    return bits;
  }
};

}  // namespace fermata::images
