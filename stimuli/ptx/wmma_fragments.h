// The fragments of wmma, made of those of mma.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <fermata/stimuli/ptx/matrix_ops.h>
#include <fermata/stimuli/ptx/types.h>

namespace fermata::ptx {

/// A shape of wmma: products of mma, m by 8 by k.
struct WmmaShape {
  std::string_view name;
  std::uint8_t m, k;
  std::uint8_t products;
  bool splitsA, splitsB;  ///< each product has a part of that factor of mma of its own
  bool transposed;        ///< mma's a is the transpose of b, and its b that of a
};
const std::vector<WmmaShape>& wmmaShapes();
bool isOf(const WmmaShape& shape, Factor factor);

/// Where lanes have the elements of a fragment: lane l, register r and element e of it are at
/// x = l / 4 + places[r].x, y = l % 4 * step + places[r].y + e.
struct Fragment {
  struct Place {
    std::uint32_t x, y;
  };
  enum class Rows : std::uint8_t { Lanes, Elements };  ///< the rows of the matrix are x, or y
  Rows rows = Rows::Lanes;
  std::vector<Place> places;  ///< of the registers that mma needs
  unsigned registers = 0;     ///< of the instruction: a multiple of them, the others are copies
  unsigned step = 2;
  unsigned elementBits = 16;
  Type type = Type::B32;  ///< of a register
  bool isSum = false;
  std::uint32_t extentX = 0, extentY = 0;

  unsigned perRegister() const { return 8 * bytesOf(type) / elementBits; }
  /// What the stride is where none is given: elements from one row or column to the next.
  std::uint32_t extent(bool together) const { return together ? extentY : extentX; }
};
/// role: "a", "b", "c" or "d"; type: as the instruction names it. Nothing: there is no such one.
std::optional<Fragment> fragmentOf(const WmmaShape& shape, std::string_view role,
                                   std::string_view type);
/// Of "a" or "b".
unsigned registersOf(const WmmaShape& shape, std::string_view role, const MatrixForm& form);

std::uint8_t swappedSigns(std::uint8_t flags);

}  // namespace fermata::ptx
