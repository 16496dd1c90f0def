// What tex, tld4, txq and surface instructions access: arrays in device memory, and how they are
// read.
#pragma once

#include <array>
#include <cstdint>

namespace fermata::ptx {

/// An array of texels, read by coordinates.
///
/// Coordinates: f32 ones are in texels or, normalised, run over [0, 1) along each axis; s32 ones
/// are texels, and only clamp and border apply to them. An axis that is not normalised clamps where
/// wrap or mirror is asked for, as CUDA has it. A layer is an integer, clamped.
///
/// Point sampling takes texel floor(x). Linear filtering weighs the texels around x - 0.5; weights
/// have 8 bits of fraction, rounded to nearest, so that 1.0 is one of them; sums are computed in
/// double and rounded once to f32.
struct Texture {
  enum class Element : std::uint8_t { U8, S8, U16, S16, U32, S32, F32, F16 };
  /// What lies beyond the edges.
  enum class Beyond : std::uint8_t { Clamp, Wrap, Mirror, Border };
  std::uint64_t address = 0;  ///< of texel (0, 0, 0) in device memory
  std::uint32_t width = 1, height = 1, depth = 1;
  std::uint64_t rowBytes = 0;  ///< 0: width * channels * element size; a slice has `height` rows
  Element element = Element::F32;
  unsigned channels = 1;               ///< 1, 2 or 4; missing ones read 0, 0, 1
  bool normalisedCoordinates = false;  ///< float coordinates run over [0, 1)
  std::uint32_t layers = 0;            ///< of a layered array, whose depth is 1; 0: it is none
  std::uint64_t sliceBytes = 0;        ///< of a slice or layer; 0: height * rowBytes
  std::array<Beyond, 3> beyond{};      ///< by axis
  std::array<float, 4> border{};       ///< of Beyond::Border; integers read its value as an integer
  bool linear = false;
  /// Integers of 8 and 16 bits read as f32 in [0, 1] or [-1, 1], whatever type the instruction
  /// names. An instruction that names .f32 reads them so in any case.
  bool normalisedReads = false;
};

/// An array that surface instructions load from and store to; x is a byte, y, z and layers count.
struct Surface {
  std::uint64_t address = 0;
  std::uint64_t widthBytes = 1;
  std::uint32_t height = 1, depth = 1;  ///< of a layered array: depth is the number of layers
  std::uint64_t rowBytes = 0;           ///< 0: widthBytes
  std::uint64_t sliceBytes = 0;         ///< 0: height * rowBytes
};

}  // namespace fermata::ptx
