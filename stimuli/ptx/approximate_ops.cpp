// Rows of the .approx functions, evaluated in double and rounded once to f32 (executor.h gives the
// distance from hardware).
#include <cmath>
#include <iterator>

#include <fermata/stimuli/ptx/bits.h>
#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

template <class T>
T flushed(T value, bool flush) {
  return flush && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(T(0), value) : value;
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

template <class Exact>
void eachFloat(Warp& warp, const Instruction& i, LaneMask mask, Exact exact) {
  const bool flush = (i.floatFlags & kFlushFlag) != 0;
  for (const unsigned lane : lanesIn(mask)) {
    const auto value = static_cast<float>(exact([&](Row row) {
      return flushed(bitsAs<float>(rowOf<std::uint32_t>(warp, row)[lane]), flush);
    }));
    rowOf<std::uint32_t>(warp, i.d)[lane] = bitsOfResult(flushed(value, flush));
  }
}
template <double (*F)(double)>
void unary(Warp& warp, const Instruction& i, LaneMask mask) {
  eachFloat(warp, i, mask, [&](auto read) { return F(static_cast<double>(read(i.a))); });
}
template <double (*F)(float, float)>
void binary(Warp& warp, const Instruction& i, LaneMask mask) {
  eachFloat(warp, i, mask, [&](auto read) { return F(read(i.a), read(i.b)); });
}
template <double (*F)(double)>
void unaryOfDouble(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    const auto a = bitsAs<double>(rowOf<std::uint64_t>(warp, i.a)[lane]);
    rowOf<std::uint64_t>(warp, i.d)[lane] =
        bitsAs<std::uint64_t>(flushed(F(flushed(a, true)), true));
  }
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
  return type == Type::F64 ? &unaryOfDouble<inverseRoot> : unaryFor<inverseRoot>(type, flags);
}
/// rcp.approx.f64 needs .ftz.
Handler reciprocalFor(Type type, std::uint8_t flags) {
  if (type == Type::F64) return flags == kFlushFlag ? &unaryOfDouble<reciprocal> : nullptr;
  return unaryFor<reciprocal>(type, flags);
}

constexpr Form row(std::string_view opcode, std::size_t sources,
                   Handler (*handler)(Type, std::uint8_t)) {
  return {
      opcode,    sameKinds(sources), handler, InstructionClass::Special, InstructionClass::Special,
      kFlushFlag};
}
constexpr Form kForms[] = {
    row("sin.approx", 1, &unaryFor<std::sin>),   row("cos.approx", 1, &unaryFor<std::cos>),
    row("ex2.approx", 1, &unaryFor<std::exp2>),  row("lg2.approx", 1, &unaryFor<std::log2>),
    row("tanh.approx", 1, &unaryFor<std::tanh>), row("sqrt.approx", 1, &unaryFor<std::sqrt>),
    row("rsqrt.approx", 1, &inverseRootFor),     row("rcp.approx", 1, &reciprocalFor),
    row("div.approx", 2, &binaryFor<quotient>),  row("div.full", 2, &binaryFor<fullQuotient>),
};

}  // namespace

const Form* approximateForm(std::size_t k) {
  return k < std::size(kForms) ? &kForms[k] : nullptr;
}

}  // namespace fermata::ptx
