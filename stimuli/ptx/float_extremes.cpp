// min and max of three f32, of sm_100.
#include <cmath>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/float_extremes.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

/// Rows a, b, c.
void executeExtremeOfThree(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    const auto of = [&](Row row) {
      return preparedFloat(i.floatFlags, rowOf<std::uint32_t>(warp, row)[lane]);
    };
    const float value = extremeOf(i.floatFlags, extremeOf(i.floatFlags, of(i.a), of(i.b)), of(i.c));
    rowOf<std::uint32_t>(warp, i.d)[lane] = canonicalBits(value);
  }
}

}  // namespace

float preparedFloat(std::uint8_t flags, std::uint32_t bits) {
  if ((flags & kFlushFlag) != 0 && (bits & 0x7f800000U) == 0) bits &= 0x80000000U;
  if ((flags & kAbsFlag) != 0) bits &= 0x7fffffffU;
  return bitsAs<float>(bits);
}

float extremeOf(std::uint8_t flags, float a, float b) {
  if (a != a || b != b) {
    const bool wins = (flags & kNanFlag) != 0;
    return (a != a) == wins ? a : b;
  }
  const bool larger = (flags & kLargerFlag) != 0;
  if (a == b) return std::signbit(a) != larger ? a : b;  // -0 is less than +0
  return (a < b) != larger ? a : b;
}

std::uint32_t canonicalBits(float value) {
  return value != value ? 0x7fffffffU : bitsAs<std::uint32_t>(value);
}

std::uint8_t takeExtreme(Decoding& d, bool larger) {
  std::uint8_t flags = larger ? kLargerFlag : 0;
  if (d.take("ftz")) flags |= kFlushFlag;
  if (d.take("abs")) flags |= kAbsFlag;
  if (d.take("NaN")) flags |= kNanFlag;
  return flags;
}

// With two operands it is regular.
void decodeExtreme(Decoding& d) {
  if (d.operandCount() != 4) return decodeRegular(d, d.takeType());
  const std::uint8_t flags = takeExtreme(d, d.mnemonic() == "max");
  d.i.floatFlags = flags;
  d.takeType();
  d.finish(&executeExtremeOfThree, {Type::F32, Type::F32, Type::F32, Type::F32},
           InstructionClass::Float);
}

}  // namespace fermata::ptx
