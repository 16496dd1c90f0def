// Tensor maps: 128 bytes that describe a tensor in global memory and the box of it that one copy
// moves (PTX ISA, "Tensors"). NVIDIA does not document the bytes of its object, and programs cannot
// see them; the layout is ours. Plain C++, without PTX.
//
// A box of 2 x 8 elements of 64 bytes, swizzled in 64 bytes, lies so in shared memory (chunks of 16
// bytes, named by row and column):
//
//     00 01 02 03 10 11 12 13
//     21 20 23 22 31 30 33 32
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace fermata::ptx {

/// Types of elements, in the order of CUtensorMapDataType.
enum class TensorType : std::uint8_t {
  U8,
  U16,
  U32,
  S32,
  U64,
  S64,
  F16,
  F32,
  F64,
  Bf16,
  F32Ftz,   ///< a copy leaves denormals alone, as of F32
  Tf32,     ///< a copy into shared memory rounds (tf32Rounded)
  Tf32Ftz,  ///< as Tf32
  // Types that sm_90 does not have. 16 elements are 8 or 12 bytes of the tensor.
  PackedU4,  ///< shared memory holds them as the tensor does
  PaddedU4,  ///< 16 elements take 16 bytes of shared memory, with a gap behind
  PaddedU6,
};
/// Slices of 16 or 32 bytes in which the tensor's memory has the elements of dimension 0, channels.
/// Example: Slices16 of 20 f16 channels, dims {20, w, h, n}, is an array [n][3][h][w][8]. A box of
/// it is such an array, too, in mode im2col [slice][pixel][8].
enum class TensorInterleave : std::uint8_t { None, Slices16, Slices32 };
/// Order of chunks in shared memory. Atom: bytes that stay together, 16 if not named.
enum class TensorSwizzle : std::uint8_t {
  None,
  Span32,
  Span64,
  Span128,
  Span128Atom32,
  Span128Atom32Flip8,  ///< in odd rows of 128 bytes the halves of 16 bytes change places, too
  Span128Atom64,
};
/// Bytes that L2 fetches: it changes nothing here.
enum class TensorPromotion : std::uint8_t { None, Bytes64, Bytes128, Bytes256 };

/// Pixels that a copy of mode im2col takes (PTX ISA, "im2col mode").
struct TensorPixels {
  std::array<std::int16_t, 3> lower{}, upper{};  ///< corners, by dimension from 1 on
  std::uint32_t channels = 0;
  std::uint32_t pixels = 0;

  bool operator==(const TensorPixels& other) const {
    return lower == other.lower && upper == other.upper && channels == other.channels &&
           pixels == other.pixels;
  }
};

struct TensorMap {
  static constexpr unsigned kMostRank = 5;
  static constexpr std::uint64_t kMostElements = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kMostStride = std::uint64_t{1} << 40;
  using Bytes = std::array<std::uint8_t, 128>;

  TensorType type = TensorType::U8;
  unsigned rank = 1;
  std::uint64_t address = 0;
  std::array<std::uint64_t, kMostRank> dims{1, 1, 1, 1, 1};   ///< elements, innermost first
  std::array<std::uint64_t, kMostRank - 1> strides{};         ///< bytes, from dimension 1 on
  std::array<std::uint32_t, kMostRank> box{1, 1, 1, 1, 1};    ///< elements that a box spans
  std::array<std::uint32_t, kMostRank> steps{1, 1, 1, 1, 1};  ///< elements from one to the next
  TensorInterleave interleave = TensorInterleave::None;
  TensorSwizzle swizzle = TensorSwizzle::None;
  TensorPromotion promotion = TensorPromotion::None;
  bool fillsNan = false;  ///< elements outside of the tensor are NaN; false: 0
  std::optional<TensorPixels> im2col;

  /// Returns the bytes of an element; of the packed types, 1.
  unsigned elementBytes() const;
  unsigned elementBits() const;
  bool isPacked() const { return type >= TensorType::PackedU4; }
  bool isPadded() const { return type >= TensorType::PaddedU4; }
  /// Returns the elements in 16 bytes of shared memory, and their bytes in the tensor.
  unsigned chunkElements() const;
  unsigned chunkBytes() const { return chunkElements() * elementBits() / 8; }
  /// Returns the bytes of a slice of channels, 0 without an interleave; and its elements.
  unsigned sliceBytes() const { return 16 * static_cast<unsigned>(interleave); }
  unsigned sliceElements() const { return sliceBytes() / elementBytes(); }
  /// Returns the bytes from one slice to the next. That slices lie densely is an assumption: the
  /// strides of a map do not say it.
  std::uint64_t slicePitch() const { return strides[rank - 3] * dims[rank - 2]; }
  /// Returns the multiple that coordinates along dimension 0 must be. A box begins at a multiple of
  /// 16 bytes (PTX ISA, "Bounding Box"); of a packed type the ISA has a rule of its own.
  unsigned coordinateStep() const {
    if (interleave != TensorInterleave::None) return sliceElements();
    return isPadded() ? 128 : isPacked() ? 2 : 16 / elementBytes();
  }
  /// Returns what is wrong with the map, and what would be right; empty: nothing.
  std::string refusal() const;
  Bytes encode() const;
  /// Returns the map, or nothing if the bytes are none.
  static std::optional<TensorMap> decode(const Bytes& bytes);
  /// Returns an element outside of the tensor, its bytes in little-endian order. A NaN has 0x7ff7
  /// in each 16 bits (measured by others: tensor-maps.md).
  std::uint64_t fill() const;
};

/// Returns the bits of a float as a copy of Tf32 leaves them: rounded to 10 bits of fraction, ties
/// to even.
std::uint32_t tf32Rounded(std::uint32_t bits);

/// Returns where the byte of an unswizzled box lies in shared memory. `address`: the byte's, with
/// the start of the box; patterns are anchored at multiples of 1024 bytes.
std::uint32_t swizzled(TensorSwizzle swizzle, std::uint32_t address);

/// A box of a tensor, cut into chunks of 16 bytes in the order in which shared memory holds them
/// before the swizzle.
class TensorBox {
 public:
  static constexpr unsigned kChunk = 16;

  /// A chunk of the box. Bytes [first, end) lie in the tensor, at `address` + first and on; the
  /// others are fill.
  struct Chunk {
    std::uint64_t address = 0;
    unsigned first = 0, end = 0;
  };

  using Coordinates = std::array<std::int32_t, TensorMap::kMostRank>;

  /// `at`: coordinates of the first element. `offsets`: what mode im2col adds to the coordinates of
  /// each pixel, from dimension 1 on. Precondition: map.refusal() is empty, and at[0] a multiple of
  /// map.coordinateStep().
  TensorBox(const TensorMap& map, const Coordinates& at,
            const std::array<std::uint16_t, 3>& offsets = {});

  std::uint32_t bytes() const { return chunks_ * kChunk; }
  std::uint32_t chunks() const { return chunks_; }
  /// Returns chunk k, 0 <= k < chunks().
  Chunk chunk(std::uint32_t k) const;
  /// A chunk and those behind it in its row: `chunks` together, all whole, map.chunkBytes() apart.
  struct Run {
    Chunk first;
    std::uint32_t chunks = 0;
  };
  /// Returns the run that begins with chunk k. It is a run of one if that chunk is not whole.
  Run run(std::uint32_t k) const;

 private:
  /// Returns the coordinate along dimension d, the `index`-th of the box.
  std::int64_t coordinate(unsigned d, std::uint64_t index) const;
  /// Returns the chunk whose first element has coordinate x, `place` in the box's other dimensions
  /// and, there at 0, address `address`.
  Chunk chunkAt(std::int64_t x, std::uint64_t address, std::uint64_t place) const;
  Chunk chunkOfSlice(std::uint32_t k) const;

  const TensorMap& map_;
  Coordinates at_;
  std::array<std::uint16_t, 3> offsets_;
  /// By dimension: chunks or elements, before the next dimension counts on.
  std::array<std::uint64_t, TensorMap::kMostRank> counts_{};
  /// By dimension: elements to skip. Mode im2col begins within a row of pixels.
  std::array<std::uint64_t, TensorMap::kMostRank> begun_{};
  std::uint32_t chunks_ = 1;
  /// With an interleave: slices, and the places that each has before the next.
  std::uint32_t slices_ = 1, placesOfSlice_ = 1;
};

}  // namespace fermata::ptx
