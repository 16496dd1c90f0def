// Elements of the factors of tcgen05.mma, and the scales of their blocks (OCP Microscaling Formats,
// revision 1.0).
#include <cmath>
#include <cstring>

#include <fermata/stimuli/ptx/float8.h>
#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/ptx/tensor_product.h>

namespace fermata::ptx {
namespace {

using Values = std::array<double, 256>;  ///< by the bits of an element

/// Value of a float without infinities and NaNs.
double smallFloat(unsigned bits, int exponentBits, int fractionBits) {
  const int bias = (1 << (exponentBits - 1)) - 1;
  const unsigned fraction = bits & ((1U << fractionBits) - 1);
  const auto exponent = static_cast<int>(bits >> fractionBits & ((1U << exponentBits) - 1));
  const double digits = fraction + (exponent != 0 ? 1U << fractionBits : 0U);
  const double value = std::ldexp(digits, std::max(exponent, 1) - bias - fractionBits);
  return (bits >> (exponentBits + fractionBits) & 1U) != 0 ? -value : value;
}

double byteValue(TensorElement element, unsigned bits) {
  switch (element) {
    case TensorElement::E4m3:
      return static_cast<double>(floatOfE4m3(bits));
    case TensorElement::E5m2:
      return static_cast<double>(floatOfE5m2(bits));
    case TensorElement::E2m3:
      return smallFloat(bits & 0x3fU, 2, 3);
    case TensorElement::E3m2:
      return smallFloat(bits & 0x3fU, 3, 2);
    case TensorElement::S8:
      return static_cast<std::int8_t>(bits);
    case TensorElement::U8:
      return bits;
    default:
      return smallFloat(bits & 0xfU, 2, 1);
  }
}

const Values& valuesOf(TensorElement element) {
  constexpr std::size_t kElements = static_cast<std::size_t>(TensorElement::S8) + 1;
  static const std::array<Values, kElements> kAll = [] {
    std::array<Values, kElements> all{};
    for (std::size_t e = 0; e < kElements; ++e) {
      for (unsigned bits = 0; bits < 256; ++bits)
        all[e][bits] = byteValue(static_cast<TensorElement>(e), bits);
    }
    return all;
  }();
  return kAll[static_cast<std::size_t>(element)];
}

/// Returns element `number` of at least eight bits, or nothing.
double wideElement(TensorElement element, const std::uint8_t* chunk, unsigned number) {
  std::uint32_t word = 0;
  if (element == TensorElement::Tf32) {
    std::memcpy(&word, chunk + 4 * std::size_t{number}, 4);
    return static_cast<double>(bitsAs<float>(word & 0xffffe000U));  // 13 bits do not count
  }
  std::memcpy(&word, chunk + 2 * std::size_t{number}, 2);
  const auto half = static_cast<std::uint16_t>(word);
  return element == TensorElement::F16 ? fromHalf<F16Format>(half) : fromHalf<Bf16Format>(half);
}

}  // namespace

unsigned perChunk(TensorElement element) {
  constexpr unsigned kCounts[] = {8, 8, 4, 16, 16, 16, 16, 16, 32, 16, 16};  // order of elements
  return kCounts[static_cast<unsigned>(element)];
}

unsigned packedElement(const std::uint8_t* chunk, unsigned number, unsigned bits) {
  std::uint16_t two = 0;
  const unsigned at = number * bits;
  std::memcpy(&two, chunk + at / 8, at / 8 < TensorTile::kBytes - 1 ? 2 : 1);
  return two >> at % 8 & ((1U << bits) - 1);
}

double scaleValue(std::uint32_t byte, bool whole) {
  if (!whole) return static_cast<double>(floatOfE4m3(byte & 0x7fU));
  return byte == 0xff ? std::nan("") : std::ldexp(1.0, static_cast<int>(byte) - 127);
}

double sharedElement(TensorElement element, const std::uint8_t* chunk, unsigned number) {
  if (element <= TensorElement::Tf32) return wideElement(element, chunk, number);
  const Values& values = valuesOf(element);
  if (element == TensorElement::E2m1 || element == TensorElement::Nibble)
    return values[packedElement(chunk, number, 4)];
  if (element == TensorElement::E2m3 || element == TensorElement::E3m2)
    return values[packedElement(chunk, number, 6)];
  return values[chunk[number]];
}

double tensorElement(TensorElement element, const std::uint8_t* chunk, unsigned number) {
  if (element == TensorElement::E2m1) return valuesOf(element)[chunk[number] >> 2U & 0xfU];
  if (element == TensorElement::E2m3 || element == TensorElement::E3m2)
    return valuesOf(element)[chunk[number]];
  return sharedElement(element, chunk, number);
}

}  // namespace fermata::ptx
