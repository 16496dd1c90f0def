// Fragments of wmma, made of fragments of mma.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <fermata/stimuli/ptx/matrix_ops.h>
#include <fermata/stimuli/ptx/types.h>

namespace fermata::ptx {

/// A shape of wmma: `products` products of mma, each m by 8 by k.
struct WmmaShape {
  std::string_view name;
  std::uint8_t m, k;
  std::uint8_t products;
  bool splitsA, splitsB;  ///< each product has its own part of mma's a, or b
  bool transposed;        ///< mma's a is the transpose of b, its b that of a
  std::uint8_t factors;   ///< bit k: a and b may be of Factor k
  std::uint8_t sums;      ///< bit k: c and d may be of Sum k
};
const std::vector<WmmaShape>& wmmaShapes();
bool isOf(const WmmaShape& shape, Factor factor);

/// Places of a fragment's elements in lanes: lane l, register r and element e of the register hold
/// x = l / 4 + places[r].x, y = l % 4 * step + places[r].y + e.
struct Fragment {
  struct Place {
    std::uint32_t x, y;
  };
  enum class Rows : std::uint8_t { Lanes, Elements };  ///< the matrix's rows are x, or y
  Rows rows = Rows::Lanes;
  std::vector<Place> places;  ///< by register that mma needs
  unsigned registers = 0;     ///< registers of the instruction: mma's, then their copies
  unsigned step = 2;
  unsigned elementBits = 16;
  Type type = Type::B32;  ///< type of a register
  bool isSum = false;
  std::uint32_t extentX = 0, extentY = 0;

  unsigned perRegister() const { return 8 * bytesOf(type) / elementBits; }
  /// Default stride: elements from one row or column to the next.
  std::uint32_t extent(bool together) const { return together ? extentY : extentX; }
};
/// Returns the fragment of a role ("a", "b", "c" or "d") and a type as the instruction names it, or
/// nothing if there is no such fragment.
std::optional<Fragment> fragmentOf(const WmmaShape& shape, std::string_view role,
                                   std::string_view type);
/// Returns the registers that the instruction has for role "a" or "b".
unsigned registersOf(const WmmaShape& shape, std::string_view role, const MatrixForm& form);

std::uint8_t swappedSigns(std::uint8_t flags);

}  // namespace fermata::ptx
