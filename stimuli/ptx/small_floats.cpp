// cvt of pairs of floats of 4 and 6 bits (e2m1 e2m3 e3m2) and of scales (ue8m0), of sm_100. A pair
// of 4 bits each is a byte, any other pair two bytes.
#include <cmath>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/float8.h>
#include <fermata/stimuli/ptx/tensor_product.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

/// A type of pairs, by its name.
struct SmallFloat {
  std::string_view name;
  TensorElement element;
  Float8Format format;
  unsigned sign, each;  ///< bit of the sign; bits from one of a pair to the other
};
constexpr SmallFloat kTypes[] = {
    {"e2m1x2", TensorElement::E2m1, {1, 0, 6}, 3, 4},
    {"e2m3x2", TensorElement::E2m3, {3, 0, 7.5}, 5, 8},
    {"e3m2x2", TensorElement::E3m2, {2, -2, 28}, 5, 8},
};
constexpr std::string_view kScales = "ue8m0x2";
constexpr std::uint32_t kScaleNan = 255, kMostScale = 254;

// Fields: elements: index in kTypes; a: the upper, b: the lower one.
std::uint32_t smallBits(const Instruction& i, float value) {
  const SmallFloat& type = kTypes[i.elements];
  if ((i.floatFlags & kReluFlag) != 0 && value < 0) value = 0;
  // A NaN becomes the largest number.
  const std::uint32_t byte =
      toFloat8(value != value ? type.format.most : double{value}, type.format);
  return (byte >> 7) << type.sign | (byte & ((1U << type.sign) - 1));
}

void executeToSmall(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    const auto of = [&](Row row) {
      return smallBits(i, bitsAs<float>(rowOf<std::uint32_t>(warp, row)[lane]));
    };
    rowOf<std::uint32_t>(warp, i.d)[lane] = of(i.a) << kTypes[i.elements].each | of(i.b);
  }
}

void executeFromSmall(Warp& warp, const Instruction& i, LaneMask mask) {
  const SmallFloat& type = kTypes[i.elements];
  const auto half = [&](std::uint32_t bits) -> std::uint32_t {
    std::uint8_t chunk[TensorTile::kBytes] = {static_cast<std::uint8_t>(bits)};
    const double value = sharedElement(type.element, chunk, 0);
    const bool clamps = (i.floatFlags & kReluFlag) != 0 && std::signbit(value);
    return toHalf<F16Format>(clamps ? 0 : value);
  };
  const std::uint32_t one = (1U << type.each) - 1;
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint32_t pair = rowOf<std::uint32_t>(warp, i.a)[lane];
    rowOf<std::uint32_t>(warp, i.d)[lane] = half(pair >> type.each & one) << 16 | half(pair & one);
  }
}

/// Returns the exponent of a magnitude, rounded to zero or up.
std::uint32_t scaleBits(float value, bool up, bool saturates) {
  if (value != value) return kScaleNan;
  if (std::isinf(value)) return saturates ? kMostScale : kScaleNan;
  const double magnitude = std::fabs(double{value});
  if (magnitude <= 0x1p-127) return 0;
  int exponent = std::ilogb(magnitude);
  if (up && std::ldexp(1.0, exponent) < magnitude) ++exponent;
  return exponent > 127 ? (saturates ? kMostScale : kScaleNan)
                        : static_cast<std::uint32_t>(exponent + 127);
}

constexpr std::uint8_t kUp = 16, kSaturates = 32, kHalves = 64;  // of floatFlags

void executeToScales(Warp& warp, const Instruction& i, LaneMask mask) {
  const bool halves = (i.floatFlags & kHalves) != 0;
  const auto bits = [&](std::uint32_t word) {
    return scaleBits(bitsAs<float>(word), (i.floatFlags & kUp) != 0,
                     (i.floatFlags & kSaturates) != 0);
  };
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint32_t a = rowOf<std::uint32_t>(warp, i.a)[lane];
    const std::uint32_t upper = halves ? a & 0xffff0000U : a;
    const std::uint32_t lower = halves ? a << 16 : rowOf<std::uint32_t>(warp, i.b)[lane];
    rowOf<std::uint32_t>(warp, i.d)[lane] = bits(upper) << 8 | bits(lower);
  }
}

void executeFromScales(Warp& warp, const Instruction& i, LaneMask mask) {
  const auto half = [](std::uint32_t byte) -> std::uint32_t {
    return toHalf<Bf16Format>(scaleValue(byte, true));
  };
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint32_t pair = rowOf<std::uint32_t>(warp, i.a)[lane];
    rowOf<std::uint32_t>(warp, i.d)[lane] = half(pair >> 8 & 0xffU) << 16 | half(pair & 0xffU);
  }
}

bool isLast(const Decoding& d, std::string_view name) {
  const std::string_view opcode = d.statement().opcode;
  return opcode.substr(opcode.rfind('.') + 1) == name;
}

void decodeScales(Decoding& d) {
  const bool from = isLast(d, kScales);
  d.take(kScales);
  const std::optional<Type> other = d.tryType();
  if (from) {
    if (!d.take("rn") || other != Type::Bf16x2) d.unsupported("expected .rn.bf16x2.ue8m0x2");
    return d.finish(&executeFromScales, {Type::Bf16x2, Type::B16});
  }
  const std::string_view rounding = d.takeOneOf({"rz", "rp"});
  if (rounding.empty() || (other != Type::F32 && other != Type::Bf16x2))
    d.unsupported("expected .rz or .rp, of .f32 or .bf16x2");
  d.i.floatFlags = static_cast<std::uint8_t>((rounding == "rp" ? kUp : 0) |
                                             (d.take("satfinite") ? kSaturates : 0) |
                                             (other == Type::Bf16x2 ? kHalves : 0));
  if (other == Type::F32) return d.finish(&executeToScales, {Type::B16, Type::F32, Type::F32});
  d.finish(&executeToScales, {Type::B16, Type::Bf16x2});
}

}  // namespace

void decodeSmallFloat(Decoding& d) {
  if (d.has(kScales)) return decodeScales(d);
  std::size_t k = 0;
  while (!d.take(kTypes[k].name)) ++k;
  const bool from = isLast(d, kTypes[k].name);
  const std::optional<Type> other = d.tryType();
  const bool forms =
      d.take("rn") && (from ? other == Type::F16x2 : d.take("satfinite") && other == Type::F32);
  if (!forms) d.unsupported("expected .rn.satfinite of .f32, or .rn to .f16x2");
  if (d.take("relu")) d.i.floatFlags |= kReluFlag;
  d.i.elements = static_cast<std::uint8_t>(k);
  const Type pair = kTypes[k].each == 4 ? Type::B8 : Type::B16;
  if (from) return d.finish(&executeFromSmall, {Type::F16x2, pair});
  d.finish(&executeToSmall, {pair, Type::F32, Type::F32});
}

}  // namespace fermata::ptx
