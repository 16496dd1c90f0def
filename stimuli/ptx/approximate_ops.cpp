// The .approx functions, evaluated in double and rounded once to f32 (executor.h gives the distance
// from hardware), and testp.
#include <cmath>
#include <cstring>
#include <iterator>

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

double fullQuotient(float a, float b) {
  return static_cast<double>(a) / static_cast<double>(b);
}
/// Returns a product with a reciprocal that is 0 for the largest divisors (PTX ISA, div.approx).
double quotient(float a, float b) {
  if (!std::isfinite(b) || std::fabs(b) <= 0x1p126F) return fullQuotient(a, b);
  if (!std::isfinite(a)) return std::nan("");
  return std::copysign(0.0, static_cast<double>(a)) * std::copysign(1.0, static_cast<double>(b));
}
double inverseRoot(double a) {
  return 1.0 / std::sqrt(a);
}
double reciprocal(double a) {
  return 1.0 / a;
}

void store(const Warp& warp, const Instruction& i, unsigned lane, double exact) {
  const float value = flushed(static_cast<float>(exact), (i.floatFlags & kFlushFlag) != 0);
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  rowOf<std::uint32_t>(warp, i.d)[lane] = value != value ? 0x7fffffffU : bits;
}

template <double (*F)(double)>
void unary(Warp& warp, const Instruction& i, LaneMask mask) {
  const bool flush = (i.floatFlags & kFlushFlag) != 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = firstLane(rest);
    store(warp, i, lane, F(static_cast<double>(loadFloat(warp, i.a, lane, flush))));
  }
}
template <double (*F)(float, float)>
void binary(Warp& warp, const Instruction& i, LaneMask mask) {
  const bool flush = (i.floatFlags & kFlushFlag) != 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = firstLane(rest);
    store(warp, i, lane, F(loadFloat(warp, i.a, lane, flush), loadFloat(warp, i.b, lane, flush)));
  }
}

template <double (*F)(double)>
void approximateDouble(Warp& warp, const Instruction& i, LaneMask mask) {
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = firstLane(rest);
    double a;
    std::memcpy(&a, rowBytes(warp, i.a) + lane * sizeof a, sizeof a);
    if (std::fpclassify(a) == FP_SUBNORMAL) a = std::copysign(0.0, a);
    double value = F(a);
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
    switch (i.property) {
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

template <double (*F)(double)>
Handler unaryFor(Type type, std::uint8_t flags) {
  return type == Type::F32 && (flags & kSaturateFlag) == 0 ? &unary<F> : nullptr;
}
template <double (*F)(float, float)>
Handler binaryFor(Type type, std::uint8_t flags) {
  return type == Type::F32 && (flags & kSaturateFlag) == 0 ? &binary<F> : nullptr;
}
Handler inverseRootFor(Type type, std::uint8_t flags) {
  return type == Type::F64 ? &approximateDouble<inverseRoot> : unaryFor<inverseRoot>(type, flags);
}
/// rcp.approx.f64 needs .ftz.
Handler reciprocalFor(Type type, std::uint8_t flags) {
  if (type == Type::F64) return flags == kFlushFlag ? &approximateDouble<reciprocal> : nullptr;
  return unaryFor<reciprocal>(type, flags);
}

constexpr Form row(std::string_view opcode, Handler (*handler)(Type, std::uint8_t)) {
  return {opcode,
          {OperandKind::Same, OperandKind::Same},
          handler,
          InstructionClass::Special,
          InstructionClass::Special};
}
constexpr Form pairRow(std::string_view opcode, Handler (*handler)(Type, std::uint8_t)) {
  return {opcode,
          {OperandKind::Same, OperandKind::Same, OperandKind::Same},
          handler,
          InstructionClass::Special};
}
constexpr Form kForms[] = {
    row("sin.approx", &unaryFor<std::sin>),      row("cos.approx", &unaryFor<std::cos>),
    row("ex2.approx", &unaryFor<std::exp2>),     row("lg2.approx", &unaryFor<std::log2>),
    row("tanh.approx", &unaryFor<std::tanh>),    row("sqrt.approx", &unaryFor<std::sqrt>),
    row("rsqrt.approx", &inverseRootFor),        row("rcp.approx", &reciprocalFor),
    pairRow("div.approx", &binaryFor<quotient>), pairRow("div.full", &binaryFor<fullQuotient>),
};

}  // namespace

const Form* approximateForm(std::size_t k) {
  return k < std::size(kForms) ? &kForms[k] : nullptr;
}

Handler testPropertyHandler(Type type) {
  if (type == Type::F32) return &testProperty<float>;
  return type == Type::F64 ? &testProperty<double> : nullptr;
}

}  // namespace fermata::ptx
