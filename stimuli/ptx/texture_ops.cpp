// tex.1d, tex.2d and tex.3d: point sampling, clamped.
#include <cmath>
#include <cstring>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/module_memory.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

std::uint64_t texelIndex(const Warp& warp, const Instruction& i, Row row, unsigned lane,
                         std::uint64_t size, bool normalised) {
  const std::uint32_t bits = rowOf<std::uint32_t>(warp, row)[lane];
  if ((i.flags & 1U) == 0) {
    const auto index = static_cast<std::int32_t>(bits);
    return index < 0 ? 0 : std::min<std::uint64_t>(static_cast<std::uint32_t>(index), size - 1);
  }
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  double position = static_cast<double>(value);
  if (normalised) position *= static_cast<double>(size);
  position = std::floor(position);
  if (!(position > 0)) return 0;
  return position >= static_cast<double>(size) ? size - 1 : static_cast<std::uint64_t>(position);
}

/// A channel as the bits of its 32-bit value; f32 results of narrow integers are normalised.
std::uint32_t channel(const Texture& texture, const std::uint8_t* at, bool asFloat) {
  const unsigned bytes = elementBytes(texture.element);
  std::uint32_t raw = 0;
  std::memcpy(&raw, at, bytes);
  const bool isSigned =
      texture.element == Texture::Element::S8 || texture.element == Texture::Element::S16;
  const unsigned unused = 32 - 8 * bytes;
  if (isSigned)
    raw = static_cast<std::uint32_t>(static_cast<std::int32_t>(raw << unused) >> unused);
  if (!asFloat || bytes == 4) return raw;
  const double scale = static_cast<double>((1U << (8 * bytes - (isSigned ? 1 : 0))) - 1U);
  const double numerator =
      isSigned ? static_cast<double>(static_cast<std::int32_t>(raw)) : static_cast<double>(raw);
  const auto value = static_cast<float>(std::max(numerator / scale, -1.0));
  std::memcpy(&raw, &value, sizeof raw);
  return raw;
}

}  // namespace

void executeTexture(Warp& warp, const Instruction& i, LaneMask mask) {
  Machine& machine = *warp.machine;
  WarpInstruction& out = *machine.out;
  const bool asFloat = (i.flags & 2U) != 0;
  out.hasData = machine.options.carryData;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = firstLane(rest);
    const std::uint64_t handle = laneValue(warp, i.a, i.wideBase, lane) - kFirstTexture;
    if (handle >= machine.textures.size() || machine.textures[handle].address == 0) {
      failAt(warp, i, static_cast<int>(lane), "no array is bound to this texture");
    }
    const Texture& texture = machine.textures[handle];
    const unsigned texelBytes = elementBytes(texture.element) * texture.channels;
    const std::uint64_t pitch =
        texture.rowBytes != 0 ? texture.rowBytes : std::uint64_t{texture.width} * texelBytes;
    const std::uint64_t x =
        texelIndex(warp, i, i.b, lane, texture.width, texture.normalisedCoordinates);
    const std::uint64_t y =
        i.mode >= 2 ? texelIndex(warp, i, i.c, lane, texture.height, texture.normalisedCoordinates)
                    : 0;
    const std::uint64_t z = i.mode == 3 ? texelIndex(warp, i, i.target, lane, texture.depth,
                                                     texture.normalisedCoordinates)
                                        : 0;
    const std::uint64_t address =
        texture.address + (z * texture.height + y) * pitch + x * texelBytes;
    const Allocation* allocation = machine.memory->find(address, texelBytes);
    if (allocation == nullptr) {
      failAt(warp, i, static_cast<int>(lane),
             "texel at address " + hexAddress(address) + " is out of bounds; " +
                 machine.memory->describe(address));
    }
    const std::uint8_t* at = allocation->data.get() + (address - allocation->base);
    out.address[lane] = address;
    out.bytesPerLane = static_cast<std::uint8_t>(texelBytes);
    if (out.hasData) std::memcpy(out.data[lane].data(), at, texelBytes);
    for (unsigned k = 0; k < 4; ++k) {
      std::uint32_t value = k == 3 ? (asFloat ? 0x3f800000U : 1U) : 0U;
      if (k < texture.channels)
        value = channel(texture, at + k * elementBytes(texture.element), asFloat);
      rowOf<std::uint32_t>(warp, i.vector[k])[lane] = value;
    }
  }
}

}  // namespace fermata::ptx
