// Executes tex, tld4, txq and suq.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/module_memory.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

using Beyond = Texture::Beyond;

constexpr std::uint32_t kFaces = 6;

/// One axis of a fetch: a texel and, if the texture is filtered, the weight of the next one.
struct Axis {
  double first = 0;  ///< texel; may lie outside or be NaN
  double weight = 0;
};

double bitsToDouble(std::uint32_t bits) {
  return static_cast<double>(bitsAs<float>(bits));
}

Axis axisOf(double coordinate, bool filtered) {
  Axis axis;
  if (filtered) coordinate -= 0.5;
  axis.first = std::floor(coordinate);
  if (filtered) axis.weight = std::floor((coordinate - axis.first) * 256 + 0.5) / 256;
  if (axis.weight != axis.weight) axis.weight = 0;
  return axis;
}

/// Face of a cube, and the place on it in [0, 1].
struct FacePlace {
  unsigned face = 0;
  double s = 0, t = 0;
};

/// Chooses the face of the largest part of a direction; of equal ones, x before y before z
/// (assumption). The axes of each face are those of CUDA's programming guide, "Cubemap Textures".
FacePlace faceOf(double x, double y, double z) {
  const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  const bool isX = ax >= ay && ax >= az, isY = !isX && ay >= az;
  const double part = isX ? x : isY ? y : z;
  const double size = std::fabs(part), sign = part < 0 ? -1 : 1;
  const unsigned face = (isX ? 0U : isY ? 2U : 4U) + (part < 0 ? 1U : 0U);
  const double s = isX ? -sign * z : isY ? x : sign * x;
  const double t = isY ? sign * z : -y;
  return {face, (s / size + 1) / 2, (t / size + 1) / 2};
}

/// Finds the index at which a texel of an axis is read. Returns false beyond a border.
bool place(double texel, std::uint64_t size, Beyond beyond, std::uint64_t& index) {
  const auto last = static_cast<double>(size - 1);
  if (texel >= 0 && texel <= last) {
    index = static_cast<std::uint64_t>(texel);
    return true;
  }
  const bool finite = std::isfinite(texel);
  if (finite && (beyond == Beyond::Wrap || beyond == Beyond::Mirror)) {
    const auto period = static_cast<double>(size) * (beyond == Beyond::Mirror ? 2 : 1);
    double within = std::fmod(texel, period);
    if (within < 0) within += period;
    if (within > last) within = period - 1 - within;
    index = static_cast<std::uint64_t>(std::max(within, 0.0));
    return true;
  }
  index = texel > 0 ? size - 1 : 0;
  return beyond != Beyond::Border;
}

/// One lane's fetch.
class Fetch {
 public:
  Fetch(const Warp& warp, const Instruction& i, unsigned lane)
      : warp_(warp), instruction_(i), lane_(lane), texture_(find()) {
    const bool layered = i.texture.layered;
    const bool cube = i.texture.cube;
    if (cube != texture_.cube)
      fail(cube ? "the texture is no cube" : "the texture is a cube, which this does not read");
    if (!cube && layered != (texture_.layers != 0))
      fail(layered ? "the texture has no layers"
                   : "the texture has layers, which this does not read");
    const std::array<std::uint64_t, 3> sizes = {texture_.width, texture_.height, texture_.depth};
    const std::array<Row, 3> rows = {i.b, i.c, i.d};
    filtered_ = (i.handler == &executeGather || texture_.linear) && byFloat();
    if (cube) {
      slice_ = readFace() + (layered ? kFaces * layerOf(i.texture.layer, texture_.layers / kFaces)
                                     : std::uint64_t{0});
    } else {
      for (unsigned axis = 0; axis < i.texture.dimensions; ++axis)
        axes_[axis] = readAxis(rows[axis], sizes[axis]);
      if (layered) slice_ = layerOf(i.d, texture_.layers);
    }
    locate(0, 0, 0, address_);
  }

  bool isFiltered() const { return filtered_; }
  std::uint64_t address() const { return address_; }
  unsigned texelBytes() const { return elementBytes(texture_.element) * texture_.channels; }
  const std::uint8_t* bytes() const { return at(address_); }

  bool readsFloat() const {
    const bool narrow =
        elementBytes(texture_.element) < 4 && texture_.element != Texture::Element::F16;
    return texture_.normalisedReads || texture_.element >= Texture::Element::F32 ||
           (instruction_.texture.floatResults && narrow);
  }

  /// Returns the 32-bit values of the texel `dx`, `dy`, `dz` behind the first, as bits.
  std::array<std::uint32_t, 4> channels(unsigned dx, unsigned dy, unsigned dz) const {
    std::uint64_t address = 0;
    const bool inside = locate(dx, dy, dz, address);
    const std::uint8_t* from = inside ? at(address) : nullptr;
    std::array<std::uint32_t, 4> bits{};
    for (unsigned k = 0; k < 4; ++k) {
      bits[k] = k >= texture_.channels ? missing(k)
                : !inside              ? borderBits(k)
                                       : elementBits(from + k * elementBytes(texture_.element));
    }
    return bits;
  }

  /// Returns the weighted channels of the texels around the point.
  std::array<std::uint32_t, 4> filtered() const {
    const unsigned axes = instruction_.texture.dimensions;
    std::array<double, 4> sum{};
    for (unsigned corner = 0; corner < (1U << axes); ++corner) {
      double weight = 1;
      for (unsigned axis = 0; axis < axes; ++axis)
        weight *= (corner >> axis & 1U) != 0 ? axes_[axis].weight : 1 - axes_[axis].weight;
      if (weight == 0) continue;
      const auto texel = channels(corner & 1U, corner >> 1 & 1U, corner >> 2);
      for (unsigned k = 0; k < texture_.channels; ++k) sum[k] += weight * bitsToDouble(texel[k]);
    }
    std::array<std::uint32_t, 4> bits{};
    for (unsigned k = 0; k < 4; ++k) {
      bits[k] = k < texture_.channels ? bitsOfResult(static_cast<float>(sum[k])) : missing(k);
    }
    return bits;
  }

 private:
  template <class... Text>
  [[noreturn]] void fail(const Text&... text) const {
    failAt(warp_, instruction_, lane_, text...);
  }
  bool byFloat() const { return instruction_.texture.floatCoordinates; }

  const Texture& find() const {
    const std::uint64_t handle = laneValue(warp_, instruction_.a, instruction_.wideBase, lane_);
    const auto& textures = warp_.machine->textures;
    if (handle < kFirstTexture || handle - kFirstTexture >= textures.size())
      fail("there is no texture of handle {:#x}", handle);
    const Texture& texture = textures[handle - kFirstTexture];
    if (texture.address == 0)
      fail("no array is bound to this texture, or it was destroyed: handle {:#x}", handle);
    return texture;
  }

  Axis readAxis(Row row, std::uint64_t size) const {
    const std::uint32_t bits = rowOf<std::uint32_t>(warp_, row)[lane_];
    if (!byFloat()) return {static_cast<double>(static_cast<std::int32_t>(bits)), 0};
    double value = bitsToDouble(bits);
    if (texture_.normalisedCoordinates) value *= static_cast<double>(size);
    return axisOf(value, filtered_);
  }

  /// Returns the layer of a row, clamped.
  std::uint64_t layerOf(Row row, std::uint32_t layers) const {
    const auto layer = static_cast<std::int32_t>(rowOf<std::uint32_t>(warp_, row)[lane_]);
    return static_cast<std::uint64_t>(std::clamp<std::int64_t>(layer, 0, std::int64_t{layers} - 1));
  }
  /// Sets the place on the face of a direction. Returns the face.
  unsigned readFace() {
    const auto part = [&](Row row) {
      return bitsToDouble(rowOf<std::uint32_t>(warp_, row)[lane_]);
    };
    const FacePlace at = faceOf(part(instruction_.b), part(instruction_.c), part(instruction_.d));
    axes_[0] = axisOf(at.s * texture_.width, filtered_);
    axes_[1] = axisOf(at.t * texture_.height, filtered_);
    return at.face;
  }

  bool locate(unsigned dx, unsigned dy, unsigned dz, std::uint64_t& address) const {
    // A filter does not cross the edges of a cube's face (assumption).
    const bool folds = byFloat() && texture_.normalisedCoordinates && !texture_.cube;
    const auto mode = [&](unsigned axis) {
      const Beyond beyond = texture_.beyond[axis];
      const bool borders = beyond == Beyond::Border && !texture_.cube;
      return folds || borders ? beyond : Beyond::Clamp;
    };
    std::uint64_t x = 0, y = 0, z = slice_;
    bool inside = place(axes_[0].first + dx, texture_.width, mode(0), x);
    if (instruction_.texture.dimensions > 1)
      inside &= place(axes_[1].first + dy, texture_.height, mode(1), y);
    if (instruction_.texture.dimensions > 2)
      inside &= place(axes_[2].first + dz, texture_.depth, mode(2), z);
    const std::uint64_t row =
        texture_.rowBytes != 0 ? texture_.rowBytes : std::uint64_t{texture_.width} * texelBytes();
    const std::uint64_t slice =
        texture_.sliceBytes != 0 ? texture_.sliceBytes : row * texture_.height;
    address = texture_.address + z * slice + y * row + x * texelBytes();
    return inside;
  }

  const std::uint8_t* at(std::uint64_t address) const {
    const DeviceMemory& memory = *warp_.machine->memory;
    if (allocation_ == nullptr || !allocation_->contains(address, texelBytes()))
      allocation_ = memory.find(address, texelBytes());
    if (allocation_ == nullptr) {
      fail("texel at address {:#x} is out of bounds; {}", address, memory.describe(address));
    }
    return allocation_->data.get() + (address - allocation_->base);
  }

  std::uint32_t missing(unsigned k) const {
    return k == 3 ? (readsFloat() || instruction_.texture.floatResults ? 0x3f800000U : 1U) : 0U;
  }

  std::uint32_t borderBits(unsigned k) const {
    const float value = texture_.border[k];
    if (!readsFloat()) {
      const double whole = std::isnan(value) ? 0.0 : static_cast<double>(value);
      return static_cast<std::uint32_t>(
          static_cast<std::int64_t>(std::clamp(whole, -0x1p31, 0x1p32 - 1)));
    }
    return bitsAs<std::uint32_t>(value);
  }

  std::uint32_t elementBits(const std::uint8_t* from) const {
    const unsigned bytes = elementBytes(texture_.element);
    std::uint32_t raw = 0;
    std::memcpy(&raw, from, bytes);
    if (texture_.element == Texture::Element::F16) {
      const auto value = static_cast<float>(fromHalf<F16Format>(static_cast<std::uint16_t>(raw)));
      std::memcpy(&raw, &value, sizeof raw);
      return raw;
    }
    const bool isSigned =
        texture_.element == Texture::Element::S8 || texture_.element == Texture::Element::S16;
    raw = static_cast<std::uint32_t>(extended(raw, 8 * bytes, isSigned));
    return bytes < 4 && readsFloat() ? normalised(raw, bytes, isSigned) : raw;
  }

  static std::uint32_t normalised(std::uint32_t raw, unsigned bytes, bool isSigned) {
    const double scale = static_cast<double>((1U << (8 * bytes - (isSigned ? 1 : 0))) - 1U);
    const double numerator =
        isSigned ? static_cast<double>(static_cast<std::int32_t>(raw)) : static_cast<double>(raw);
    return bitsAs<std::uint32_t>(static_cast<float>(std::max(numerator / scale, -1.0)));
  }

  const Warp& warp_;
  const Instruction& instruction_;
  unsigned lane_;
  const Texture& texture_;
  bool filtered_ = false;
  std::array<Axis, 3> axes_{};
  std::uint64_t slice_ = 0;
  std::uint64_t address_ = 0;
  mutable const Allocation* allocation_ = nullptr;
};

/// Fetches lane by lane, and fills in what the timing model sees.
template <class Read>
void fetchLanes(Warp& warp, const Instruction& i, LaneMask mask, Read read) {
  Machine& machine = *warp.machine;
  WarpInstruction& out = *machine.out;
  out.hasData = machine.options.carryData;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = firstLane(rest);
    const Fetch fetch(warp, i, lane);
    const std::uint8_t* bytes = fetch.bytes();
    out.address[lane] = fetch.address();
    const auto bytesPerLane = static_cast<std::uint8_t>(fetch.texelBytes());
    if (rest != mask && out.bytesPerLane != bytesPerLane) {
      failAt(warp, i, lane,
             "lanes fetch from textures of elements of {} and of {} bytes; expected one size",
             out.bytesPerLane, bytesPerLane);
    }
    out.bytesPerLane = bytesPerLane;
    if (out.hasData) std::memcpy(out.data[lane].data(), bytes, fetch.texelBytes());
    const std::array<std::uint32_t, 4> values = read(fetch);
    for (unsigned k = 0; k < 4; ++k) rowOf<std::uint32_t>(warp, i.vector[k])[lane] = values[k];
  }
  writePredicate(warp, i.pd, kAllLanes, mask);
}

}  // namespace

void executeTexture(Warp& warp, const Instruction& i, LaneMask mask) {
  fetchLanes(warp, i, mask, [](const Fetch& fetch) {
    return fetch.isFiltered() ? fetch.filtered() : fetch.channels(0, 0, 0);
  });
}

// Texels go counter-clockwise, from the smaller x and the larger y (PTX ISA, tld4).
void executeGather(Warp& warp, const Instruction& i, LaneMask mask) {
  constexpr std::array<unsigned, 4> kX = {0, 1, 1, 0};
  constexpr std::array<unsigned, 4> kY = {1, 1, 0, 0};
  fetchLanes(warp, i, mask, [&](const Fetch& fetch) {
    std::array<std::uint32_t, 4> values{};
    for (unsigned k = 0; k < 4; ++k) values[k] = fetch.channels(kX[k], kY[k], 0)[i.texture.channel];
    return values;
  });
}

void executeQuery(Warp& warp, const Instruction& i, LaneMask mask) {
  const Machine& machine = *warp.machine;
  const bool ofSurface = i.texture.ofSurface;
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t handle = laneValue(warp, i.a, true, lane);
    const std::uint64_t at = handle - (ofSurface ? kFirstSurface : kFirstTexture);
    const bool known = ofSurface
                           ? at < machine.surfaces.size() && machine.surfaces[at].address != 0
                           : at < machine.textures.size() && machine.textures[at].address != 0;
    if (!known) {
      failAt(warp, i, lane, "there is no {} of handle {:#x}", ofSurface ? "surface" : "texture",
             handle);
    }
    Texture texture;
    if (ofSurface) {
      texture.height = machine.surfaces[at].height;
      texture.depth = texture.layers = machine.surfaces[at].depth;
    } else {
      texture = machine.textures[at];
    }
    const std::uint32_t values[] = {texture.width,
                                    texture.height,
                                    texture.depth,
                                    texture.layers,
                                    texture.normalisedCoordinates ? 1U : 0U,
                                    1,
                                    1};  // order of ArrayQuery
    rowOf<std::uint32_t>(warp, i.d)[lane] = values[static_cast<std::size_t>(i.texture.query)];
  }
}

}  // namespace fermata::ptx
