// The .approx functions, evaluated in double and rounded once to f32 (executor.h gives the distance
// from hardware), and testp.
#include <cmath>
#include <cstring>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

float flushed(float value, bool flush) {
  return flush && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
}

float loadFloat(const Warp& warp, Row row, unsigned lane, bool flush) {
  float value;
  std::memcpy(&value, rowBytes(warp, row) + lane * sizeof value, sizeof value);
  return flushed(value, flush);
}

/// Returns a / b. Without .full, this is a product with a reciprocal that is 0 for the largest
/// divisors (PTX ISA, div.approx).
double quotient(float a, float b, bool full) {
  if (!full && std::isfinite(b) && std::fabs(b) > 0x1p126F) {
    if (!std::isfinite(a)) return std::nan("");
    return std::copysign(0.0, static_cast<double>(a)) * std::copysign(1.0, static_cast<double>(b));
  }
  return static_cast<double>(a) / static_cast<double>(b);
}

template <Approximate F>
double evaluated(float a, float b, bool full) {
  const auto x = static_cast<double>(a);
  switch (F) {
    case Approximate::Sin:
      return std::sin(x);
    case Approximate::Cos:
      return std::cos(x);
    case Approximate::Ex2:
      return std::exp2(x);
    case Approximate::Lg2:
      return std::log2(x);
    case Approximate::Rsqrt:
      return 1.0 / std::sqrt(x);
    case Approximate::Sqrt:
      return std::sqrt(x);
    case Approximate::Rcp:
      return 1.0 / x;
    case Approximate::Tanh:
      return std::tanh(x);
    case Approximate::Div:
      return quotient(a, b, full);
    default:
      return x;
  }
}

template <Approximate F>
void approximate(Warp& warp, const Instruction& i, LaneMask mask) {
  const bool flush = (i.flags & kFlushFlag) != 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = firstLane(rest);
    const float a = loadFloat(warp, i.a, lane, flush);
    const float b = F == Approximate::Div ? loadFloat(warp, i.b, lane, flush) : 1.0F;
    const float value = flushed(static_cast<float>(evaluated<F>(a, b, i.mode == 1)), flush);
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    rowOf<std::uint32_t>(warp, i.d)[lane] = value != value ? 0x7fffffffU : bits;
  }
}

template <bool Root>
void approximateDouble(Warp& warp, const Instruction& i, LaneMask mask) {
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = firstLane(rest);
    double a;
    std::memcpy(&a, rowBytes(warp, i.a) + lane * sizeof a, sizeof a);
    if (std::fpclassify(a) == FP_SUBNORMAL) a = std::copysign(0.0, a);
    double value = Root ? 1.0 / std::sqrt(a) : 1.0 / a;
    if (std::fpclassify(value) == FP_SUBNORMAL) value = std::copysign(0.0, value);
    std::memcpy(rowBytes(warp, i.d) + lane * sizeof value, &value, sizeof value);
  }
}

template <class T>
void testProperty(Warp& warp, const Instruction& i, LaneMask mask) {
  LaneMask result = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    T value;
    std::memcpy(&value, rowBytes(warp, i.a) + lane * sizeof value, sizeof value);
    bool holds = false;
    switch (static_cast<TestProperty>(i.mode)) {
      case TestProperty::Finite:
        holds = std::isfinite(value);
        break;
      case TestProperty::Infinite:
        holds = std::isinf(value);
        break;
      case TestProperty::Number:
        holds = !std::isnan(value);
        break;
      case TestProperty::NotANumber:
        holds = std::isnan(value);
        break;
      case TestProperty::Normal:
        holds = std::isnormal(value);
        break;
      case TestProperty::Subnormal:
        holds = std::fpclassify(value) == FP_SUBNORMAL;
        break;
    }
    result |= holds ? LaneMask{1} << lane : 0U;
  }
  writePredicate(warp, i.pd, result, mask);
}

}  // namespace

Handler approximateHandler(Approximate function) {
  switch (function) {
    case Approximate::Sin:
      return &approximate<Approximate::Sin>;
    case Approximate::Cos:
      return &approximate<Approximate::Cos>;
    case Approximate::Ex2:
      return &approximate<Approximate::Ex2>;
    case Approximate::Lg2:
      return &approximate<Approximate::Lg2>;
    case Approximate::Rsqrt:
      return &approximate<Approximate::Rsqrt>;
    case Approximate::Sqrt:
      return &approximate<Approximate::Sqrt>;
    case Approximate::Rcp:
      return &approximate<Approximate::Rcp>;
    case Approximate::Div:
      return &approximate<Approximate::Div>;
    case Approximate::Tanh:
      return &approximate<Approximate::Tanh>;
    case Approximate::RsqrtF64:
      return &approximateDouble<true>;
    case Approximate::RcpF64:
      return &approximateDouble<false>;
  }
  return nullptr;
}

Handler testPropertyHandler(Type type) {
  if (type == Type::F32) return &testProperty<float>;
  return type == Type::F64 ? &testProperty<double> : nullptr;
}

}  // namespace fermata::ptx
