// Converts to and from e4m3x2 and e5m2x2 (cvt).
#include <fermata/stimuli/ptx/float8.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

/// Returns the bits of a result. With .relu, negative numbers and -0 become 0, NaN stays.
std::uint32_t float8Bits(float value, const Instruction& i) {
  const bool clamps = (i.floatFlags & kReluFlag) != 0 && std::signbit(value) && value == value;
  return toFloat8(clamps ? 0.0 : static_cast<double>(value),
                  (i.floatFlags & kE5m2Flag) != 0 ? kE5m2 : kE4m3);
}

}  // namespace

void executeToFloat8(Warp& warp, const Instruction& i, LaneMask mask) {
  const bool pair = (i.floatFlags & kPairSourceFlag) != 0;
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint32_t a = rowOf<std::uint32_t>(warp, i.a)[lane];
    const std::uint32_t b = rowOf<std::uint32_t>(warp, i.b)[lane];
    const float upper = pair ? f16ToFloat(a >> 16) : bitsAs<float>(a);
    const float lower = pair ? f16ToFloat(a & 0xffffU) : bitsAs<float>(b);
    rowOf<std::uint32_t>(warp, i.d)[lane] = float8Bits(upper, i) << 8 | float8Bits(lower, i);
  }
}

void executeFromFloat8(Warp& warp, const Instruction& i, LaneMask mask) {
  const auto half = [&](std::uint32_t byte) {
    const float value = (i.floatFlags & kE5m2Flag) != 0 ? floatOfE5m2(byte) : floatOfE4m3(byte);
    const bool clamps = (i.floatFlags & kReluFlag) != 0 && std::signbit(value) && value == value;
    return f16FromFloat(clamps ? 0.0F : value);
  };
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint32_t bytes = rowOf<std::uint32_t>(warp, i.a)[lane];
    rowOf<std::uint32_t>(warp, i.d)[lane] = half(bytes >> 8 & 0xffU) << 16 | half(bytes & 0xffU);
  }
}

}  // namespace fermata::ptx
