// Arrays in device memory that tex, tld4, txq and surface instructions access, and how they are
// read.
#pragma once

#include <array>
#include <cstdint>

namespace fermata::ptx {

/// An array of texels, read by coordinates.
///
/// Coordinates: f32 ones count texels or, normalised, run over [0, 1) along each axis. s32 ones
/// count texels, and only clamp and border apply to them. An axis that is not normalised clamps if
/// wrap or mirror is asked for, as in CUDA. A layer is an integer, clamped.
///
/// A cube has six layers per cube, its faces: +x, -x, +y, -y, +z, -z. A direction (x, y, z), of f32,
/// chooses the face of its largest part; the others, divided by it, run over [-1, 1] on the face.
///
/// Point sampling takes texel floor(x). Linear filtering weighs the texels around x - 0.5. Weights
/// have 8 bits of fraction, rounded to nearest, so that 1.0 is a weight. Sums are computed in
/// double and rounded once to f32.
struct Texture {
  enum class Element : std::uint8_t { U8, S8, U16, S16, U32, S32, F32, F16 };
  /// Reading of coordinates beyond the edges.
  enum class Beyond : std::uint8_t { Clamp, Wrap, Mirror, Border };
  std::uint64_t address = 0;  ///< address of texel (0, 0, 0) in device memory
  std::uint32_t width = 1, height = 1, depth = 1;
  std::uint64_t rowBytes = 0;  ///< 0: width * channels * element size; a slice has `height` rows
  Element element = Element::F32;
  unsigned channels = 1;               ///< 1, 2 or 4; missing channels read 0, 0, 1
  bool normalisedCoordinates = false;  ///< float coordinates run over [0, 1)
  std::uint32_t layers = 0;            ///< number of layers; 0: not layered. Layered: depth is 1
  bool cube = false;                   ///< the layers are faces of cubes
  std::uint64_t sliceBytes = 0;        ///< bytes per slice or layer; 0: height * rowBytes
  std::array<Beyond, 3> beyond{};      ///< by axis
  std::array<float, 4> border{};       ///< value at Beyond::Border; integer reads convert it
  bool linear = false;
  /// Integers of 8 and 16 bits read as f32 in [0, 1] or [-1, 1], even if the instruction names an
  /// integer type. An instruction that names .f32 reads them so in any case.
  bool normalisedReads = false;
};

/// An array that surface instructions load from and store to. x counts bytes; y, z and layers count
/// rows, slices and layers.
struct Surface {
  std::uint64_t address = 0;
  std::uint64_t widthBytes = 1;
  std::uint32_t height = 1, depth = 1;  ///< depth: layers, if layered
  std::uint64_t rowBytes = 0;           ///< 0: widthBytes
  std::uint64_t sliceBytes = 0;         ///< 0: height * rowBytes
};

}  // namespace fermata::ptx
