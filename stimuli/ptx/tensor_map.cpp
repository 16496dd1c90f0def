#include <fermata/stimuli/ptx/tensor_map.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace fermata::ptx {
namespace {

constexpr unsigned kElementBits[] = {8, 16, 32, 32, 64, 64, 16, 32, 64, 16, 32, 32, 32, 4, 4, 6};
constexpr unsigned kTypes = 16;
constexpr unsigned kMostBox = 256, kMostStep = 8, kMostPixels = 1024;
constexpr char kMark[] = "fmtmap1";  ///< the first 8 bytes of a map

bool isFloatingPoint(TensorType type) {
  return type >= TensorType::F16 && type <= TensorType::Tf32Ftz;
}

unsigned spanOf(TensorSwizzle swizzle) {
  constexpr unsigned kSpans[] = {0, 32, 64, 128, 128, 128, 128};
  return kSpans[static_cast<unsigned>(swizzle)];
}

std::string of(std::string_view what, unsigned k) {
  return fmt::format("{}[{}]", what, k);
}

/// Checks a map of 4- or 6-bit elements (CUDA driver API, cuTensorMapEncodeTiled).
std::string refusalOfPacked(const TensorMap& map) {
  const unsigned step = map.coordinateStep();
  if (map.dims[0] % step != 0)
    return fmt::format("dims[0] = {} of a packed type; expected a multiple of {}", map.dims[0],
                       step);
  if (map.isPadded() && !map.im2col && map.box[0] != step)
    return fmt::format("box[0] = {} of a type with gaps; expected {}", map.box[0], step);
  if (map.interleave != TensorInterleave::None)
    return "an interleave of a packed type; expected none";
  return "";
}

std::string refusalOfTensor(const TensorMap& map) {
  if (static_cast<unsigned>(map.type) >= kTypes) return "an unknown type; expected 0 to 15";
  if (map.rank == 0 || map.rank > TensorMap::kMostRank)
    return fmt::format("rank {}; expected 1 to 5", map.rank);
  const bool wide = map.interleave == TensorInterleave::Slices32 || map.isPadded();
  if (map.interleave != TensorInterleave::None && map.rank < 3)
    return fmt::format("rank {} with an interleave; expected 3 to 5", map.rank);
  if (map.address % (wide ? 32 : 16) != 0)
    return fmt::format("address {:#x}; expected a multiple of {}", map.address, wide ? 32 : 16);
  for (unsigned k = 0; k < map.rank; ++k) {
    if (map.dims[k] == 0 || map.dims[k] > TensorMap::kMostElements)
      return fmt::format("{} = {}; expected 1 to 2^32", of("dims", k), map.dims[k]);
  }
  for (unsigned k = 0; k + 1 < map.rank; ++k) {
    if (map.strides[k] % (wide ? 32 : 16) != 0 || map.strides[k] >= TensorMap::kMostStride)
      return fmt::format("{} = {}; expected a multiple of {} bytes below 2^40", of("strides", k),
                         map.strides[k], wide ? 32 : 16);
  }
  return map.isPacked() ? refusalOfPacked(map) : "";
}

/// Returns the bytes of shared memory that a box has side by side.
std::uint32_t innerBytes(const TensorMap& map) {
  const std::uint32_t elements = map.im2col ? map.im2col->channels : map.box[0];
  return elements * TensorBox::kChunk / map.chunkElements();
}

/// Returns the slices that a box has. Channels beyond the last whole slice take one, and steps
/// count slices: assumptions, since nobody documents it.
std::uint32_t slicesOf(const TensorMap& map) {
  const std::uint32_t elements = map.im2col ? map.im2col->channels : map.box[0];
  const unsigned channels = map.sliceElements() * map.steps[0];
  return (elements + channels - 1) / channels;
}

std::string refusalOfSwizzle(const TensorMap& map) {
  const std::uint32_t inner = innerBytes(map);
  if (map.interleave == TensorInterleave::Slices32 && map.swizzle != TensorSwizzle::Span32)
    return "an interleave of 32 bytes with another swizzle; expected that of 32 bytes";
  if (map.interleave != TensorInterleave::None) return "";
  if (inner % TensorBox::kChunk != 0)
    return fmt::format("a box of {} bytes along dimension 0; expected a multiple of 16", inner);
  const unsigned span = spanOf(map.swizzle);
  if (span != 0 && inner > span)
    return fmt::format("a box of {} bytes along dimension 0; expected at most the swizzle's {}",
                       inner, span);
  return "";
}

std::string refusalOfPixels(const TensorMap& map) {
  const TensorPixels& p = *map.im2col;
  if (map.rank < 3) return fmt::format("rank {} of mode im2col; expected 3 to 5", map.rank);
  constexpr int kMost[] = {32767, 127, 15};
  const int most = kMost[map.rank - 3];
  for (unsigned k = 0; k < map.rank - 2; ++k) {
    for (const int corner : {p.lower[k], p.upper[k]}) {
      if (corner < -most - 1 || corner > most)
        return fmt::format("a corner of {} pixels at rank {}; expected {} to {}", corner, map.rank,
                           -most - 1, most);
    }
    if (static_cast<std::int64_t>(map.dims[k + 1]) + p.upper[k] - p.lower[k] <= 0)
      return "corners that leave no pixel; expected a box of pixels";
  }
  if (p.channels == 0 || p.channels > kMostBox)
    return fmt::format("{} channels for each pixel; expected 1 to 256", p.channels);
  if (p.pixels == 0 || p.pixels > kMostPixels)
    return fmt::format("{} pixels for each column; expected 1 to 1024", p.pixels);
  return "";
}

std::string refusalOfBox(const TensorMap& map) {
  const bool sliced = map.interleave != TensorInterleave::None;
  for (unsigned k = 0; k < map.rank; ++k) {
    if (!map.im2col && (map.box[k] == 0 || map.box[k] > kMostBox))
      return fmt::format("{} = {}; expected 1 to 256", of("box", k), map.box[k]);
    if ((k != 0 || sliced) && (map.steps[k] == 0 || map.steps[k] > kMostStep))
      return fmt::format("{} = {}; expected 1 to 8", of("steps", k), map.steps[k]);
  }
  if (map.fillsNan && !isFloatingPoint(map.type))
    return "a fill with NaN of integers; expected zeros";
  if (map.interleave > TensorInterleave::Slices32 || map.promotion > TensorPromotion::Bytes256 ||
      map.swizzle > TensorSwizzle::Span128Atom64)
    return "an unknown interleave, swizzle or promotion";
  return map.im2col ? refusalOfPixels(map) : "";
}

/// Writes or reads the fields of a map, one after another.
template <class Byte, class Field>
void move(Byte*& at, Field& field) {
  if constexpr (std::is_const_v<Byte>) {
    std::memcpy(&field, at, sizeof field);
  } else {
    std::memcpy(at, &field, sizeof field);
  }
  at += sizeof field;
}
template <class Byte>
void moveAll(Byte* at, TensorMap& map) {
  auto pixels = map.im2col.value_or(TensorPixels());
  std::uint8_t hasPixels = map.im2col ? 1 : 0;
  move(at, map.type);
  move(at, map.rank);
  move(at, map.interleave);
  move(at, map.swizzle);
  move(at, map.promotion);
  move(at, map.fillsNan);
  move(at, map.address);
  for (std::uint64_t& dim : map.dims) {  // less one, so that it fits 32 bits
    auto word = static_cast<std::uint32_t>(dim - 1);
    move(at, word);
    dim = std::uint64_t{word} + 1;
  }
  move(at, map.strides);
  for (unsigned k = 0; k < TensorMap::kMostRank; ++k) {
    auto box = static_cast<std::uint16_t>(map.box[k]);
    auto step = static_cast<std::uint8_t>(map.steps[k]);
    move(at, box);
    move(at, step);
    map.box[k] = box;
    map.steps[k] = step;
  }
  move(at, hasPixels);
  move(at, pixels.lower);
  move(at, pixels.upper);
  auto channels = static_cast<std::uint16_t>(pixels.channels);
  auto count = static_cast<std::uint16_t>(pixels.pixels);
  move(at, channels);
  move(at, count);
  pixels.channels = channels;
  pixels.pixels = count;
  if (hasPixels != 0) map.im2col = pixels;
}

}  // namespace

unsigned TensorMap::elementBits() const {
  return kElementBits[static_cast<unsigned>(type)];
}

unsigned TensorMap::elementBytes() const {
  return std::max(1U, elementBits() / 8);
}

unsigned TensorMap::chunkElements() const {
  return isPadded() ? TensorBox::kChunk : 8 * TensorBox::kChunk / elementBits();
}

std::string TensorMap::refusal() const {
  for (const auto check : {refusalOfTensor, refusalOfBox, refusalOfSwizzle}) {
    std::string text = check(*this);
    if (!text.empty()) return text;
  }
  return "";
}

TensorMap::Bytes TensorMap::encode() const {
  Bytes bytes{};
  std::memcpy(bytes.data(), kMark, sizeof kMark);
  TensorMap copy = *this;
  moveAll(bytes.data() + sizeof kMark, copy);
  return bytes;
}

std::optional<TensorMap> TensorMap::decode(const Bytes& bytes) {
  if (std::memcmp(bytes.data(), kMark, sizeof kMark) != 0) return std::nullopt;
  TensorMap map;
  moveAll(bytes.data() + sizeof kMark, map);
  return map;
}

std::uint64_t TensorMap::fill() const {
  if (!fillsNan) return 0;
  constexpr std::uint64_t kNan = 0x7ff77ff77ff77ff7U;
  return kNan >> (64 - 8 * elementBytes());
}

std::uint32_t tf32Rounded(std::uint32_t bits) {
  constexpr std::uint32_t kExponent = 0x7f800000U, kFraction = 0x007fffffU, kNan = 0x7fffe000U;
  constexpr unsigned kDropped = 13;
  if ((bits & kExponent) == kExponent) return (bits & kFraction) == 0 ? bits : kNan;
  constexpr std::uint32_t kBelowHalf = (1U << (kDropped - 1)) - 1;
  return (bits + kBelowHalf + (bits >> kDropped & 1U)) >> kDropped << kDropped;
}

// Bits of the address that count rows of 128 bytes (from bit 7 on) change those that count atoms.
// For atoms of 16 bytes: Swizzle<1,4,3>, <2,4,3> and <3,4,3> of CUTLASS; of 32 bytes: <2,5,2>. For
// atoms of 64 bytes that odd rows change places is an assumption, and so is which rows flip.
std::uint32_t swizzled(TensorSwizzle swizzle, std::uint32_t address) {
  switch (swizzle) {
    case TensorSwizzle::None:
      return address;
    case TensorSwizzle::Span32:
      return address ^ (address >> 3 & 0x10U);
    case TensorSwizzle::Span64:
      return address ^ (address >> 3 & 0x30U);
    case TensorSwizzle::Span128:
      return address ^ (address >> 3 & 0x70U);
    case TensorSwizzle::Span128Atom32:
      return address ^ (address >> 2 & 0x60U);
    case TensorSwizzle::Span128Atom32Flip8:
      return address ^ (address >> 2 & 0x60U) ^ (address >> 4 & 0x08U);
    case TensorSwizzle::Span128Atom64:
      return address ^ (address >> 1 & 0x40U);
  }
  return address;
}

// With an interleave a box lies in shared memory as the tensor does: all of a slice before the
// next, and dimension rank - 1 outermost. In mode im2col a column of pixels runs through the pixels
// between the corners, dimension 1 first. Where a step leaves a rest at the corner, that rest
// stays: an assumption.
TensorBox::TensorBox(const TensorMap& map, const Coordinates& at,
                     const std::array<std::uint16_t, 3>& offsets)
    : map_(map), at_(at), offsets_(offsets) {
  const bool sliced = map.interleave != TensorInterleave::None;
  counts_[0] = (sliced ? map.sliceBytes() : innerBytes(map)) / kChunk;
  if (sliced) slices_ = slicesOf(map);
  chunks_ = static_cast<std::uint32_t>(counts_[0]) * slices_;
  if (map.im2col) chunks_ *= placesOfSlice_ = map.im2col->pixels;
  for (unsigned k = 1; k < map.rank; ++k) {
    const std::uint64_t step = map.steps[k];
    if (!map.im2col) {
      counts_[k] = (map.box[k] + step - 1) / step;
      chunks_ *= static_cast<std::uint32_t>(counts_[k]);
      if (k + 1 < map.rank) placesOfSlice_ *= static_cast<std::uint32_t>(counts_[k]);
    } else if (k + 1 < map.rank) {
      const int lower = map.im2col->lower[k - 1];
      const auto span = static_cast<std::int64_t>(map.dims[k]) + map.im2col->upper[k - 1] - lower;
      counts_[k] = (static_cast<std::uint64_t>(span) + step - 1) / step;
      begun_[k] = at[k] <= lower ? 0 : static_cast<std::uint64_t>(at[k] - lower) / step;
    } else {
      counts_[k] = ~std::uint64_t{0};
    }
  }
}

std::int64_t TensorBox::coordinate(unsigned d, std::uint64_t index) const {
  const auto way = (static_cast<std::int64_t>(index) - static_cast<std::int64_t>(begun_[d])) *
                   static_cast<std::int64_t>(map_.steps[d]);
  const std::int64_t offset = map_.im2col && d + 1 < map_.rank ? offsets_[d - 1] : 0;
  return at_[d] + way + offset;
}

TensorBox::Chunk TensorBox::chunk(std::uint32_t k) const {
  if (map_.interleave != TensorInterleave::None) return chunkOfSlice(k);
  const std::int64_t x = at_[0] + static_cast<std::int64_t>(k % counts_[0]) * map_.chunkElements();
  const std::int64_t way = x * map_.elementBits() / 8;
  return chunkAt(x, map_.address + static_cast<std::uint64_t>(way), k / counts_[0]);
}

TensorBox::Run TensorBox::run(std::uint32_t k) const {
  const Chunk first = chunk(k);
  if (map_.interleave != TensorInterleave::None || first.end - first.first != map_.chunkBytes())
    return {first, 1};
  const std::uint64_t place = k % counts_[0];
  const auto x = static_cast<std::uint64_t>(at_[0]) + place * map_.chunkElements();
  const std::uint64_t whole = (map_.dims[0] - x) / map_.chunkElements();
  return {first, static_cast<std::uint32_t>(std::min(counts_[0] - place, whole))};
}

TensorBox::Chunk TensorBox::chunkOfSlice(std::uint32_t k) const {
  const auto perSlice = static_cast<std::uint32_t>(counts_[0]);
  const std::uint32_t part = k % perSlice, place = k / perSlice;
  const std::uint32_t slice = place / placesOfSlice_ % slices_ * map_.steps[0];
  const std::int64_t elements = map_.sliceElements();
  const std::int64_t number = at_[0] / elements + slice;  // of the tensor's slices
  return chunkAt(number * elements + std::int64_t{part} * map_.chunkElements(),
                 map_.address + static_cast<std::uint64_t>(number) * map_.slicePitch() +
                     std::uint64_t{part} * kChunk,
                 place / placesOfSlice_ / slices_ * placesOfSlice_ + place % placesOfSlice_);
}

TensorBox::Chunk TensorBox::chunkAt(std::int64_t x, std::uint64_t address,
                                    std::uint64_t place) const {
  const std::int64_t most = map_.chunkElements(), bits = map_.elementBits();
  bool inside = true;
  std::uint64_t rest = place;
  for (unsigned d = 1; d < map_.rank; ++d) {
    rest += begun_[d];
    const std::int64_t y = coordinate(d, rest % counts_[d]);
    rest /= counts_[d];
    inside = inside && y >= 0 && y < static_cast<std::int64_t>(map_.dims[d]);
    address += static_cast<std::uint64_t>(y) * map_.strides[d - 1];
  }
  if (!inside) return {address, 0, 0};
  const auto clamped = [&](std::int64_t element) {
    return static_cast<unsigned>(std::clamp(element - x, std::int64_t{0}, most) * bits / 8);
  };
  return {address, clamped(0), clamped(static_cast<std::int64_t>(map_.dims[0]))};
}

}  // namespace fermata::ptx
