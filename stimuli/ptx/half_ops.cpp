// Rows of f16, f16x2, bf16 and bf16x2, and their comparisons.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

using Half = std::uint16_t;

bool has(const Instruction& i, std::uint8_t flag) {
  return (i.floatFlags & flag) != 0;
}

template <class Format>
bool isNan(Half half) {
  return (half & 0x7fffU) > Format::kInfinity;
}

/// Returns a half of a source; subnormals may be flushed.
template <class Format>
Half halfAt(const Instruction& i, std::uint32_t word, unsigned shift) {
  const auto half = static_cast<Half>(word >> shift);
  return has(i, kFlushFlag) && (half & Format::kInfinity) == 0 ? half & 0x8000U : half;
}

template <class Format>
Half finished(Half half, const Instruction& i) {
  if (isNan<Format>(half)) return has(i, kSaturateFlag) ? 0 : kHalfNan;
  half = halfAt<Format>(i, half, 0);
  const bool negative = (half & 0x8000U) != 0;
  if (has(i, kSaturateFlag)) return negative ? 0 : std::min<Half>(half, Format::kOne);
  return has(i, kReluFlag) && negative ? 0 : half;
}

/// Sets the one or, with `Two`, both halves of d to part(halves of the sources).
template <class Format, bool Two, std::size_t... K, class Part>
void eachHalf(Warp& warp, const Instruction& i, LaneMask mask, std::index_sequence<K...>,
              Part part) {
  const std::array<Row, 3> rows = {i.a, i.b, i.c};
  for (const unsigned lane : lanesIn(mask)) {
    const auto at = [&](unsigned shift) {
      return std::uint32_t{
                 part(halfAt<Format>(i, rowOf<std::uint32_t>(warp, rows[K])[lane], shift)...)}
             << shift;
    };
    rowOf<std::uint32_t>(warp, i.d)[lane] = Two ? at(0) | at(16) : at(0);
  }
}

// Kinds of operations. run<Format, Two> is the loop over the lanes.

/// Computes in double and rounds once.
template <class Op, std::size_t Sources>
struct Numbers {
  template <class Format, bool Two>
  static void run(Warp& warp, const Instruction& i, LaneMask mask) {
    eachHalf<Format, Two>(warp, i, mask, std::make_index_sequence<Sources>{}, [&](auto... s) {
      return finished<Format>(toHalf<Format>(operationOf<Op>()(fromHalf<Format>(s)...)), i);
    });
  }
};

/// Computes on bits: Op takes the format, then the halves.
template <class Op, std::size_t Sources>
struct Patterns {
  template <class Format, bool Two>
  static void run(Warp& warp, const Instruction& i, LaneMask mask) {
    eachHalf<Format, Two>(warp, i, mask, std::make_index_sequence<Sources>{},
                          [](auto... s) -> Half { return operationOf<Op>()(Format{}, s...); });
  }
};

std::uint32_t roundedToF16(float value) {
  return f16FromFloat(value);
}
std::uint32_t roundedToF16(double value) {
  return f16FromDouble(value);
}

/// Computes f16 without modifiers on all lanes at once, anything else as Numbers do. In single
/// precision a product of f16 is exact, and 24 bits suffice for a sum that is rounded again to 11
/// (Figueroa: twice as many and two). A product plus a third fits a double, or the smaller part is
/// too small to matter: if more than 53 bits lie between their ends, the larger is f16 itself.
template <class Op, std::size_t Sources>
struct Sums {
  template <class Format, bool Two>
  static void run(Warp& warp, const Instruction& i, LaneMask mask) {
    if constexpr (std::is_same_v<Format, F16Format>) {
      if (i.floatFlags == 0) return plain<Two>(warp, i, mask, std::make_index_sequence<Sources>{});
    }
    Numbers<Op, Sources>::template run<Format, Two>(warp, i, mask);
  }

 private:
  template <bool Two, std::size_t... K>
  static void plain(Warp& warp, const Instruction& i, LaneMask mask, std::index_sequence<K...>) {
    const std::array<Row, 3> rows = {i.a, i.b, i.c};
    const std::uint32_t* s[] = {rowOf<std::uint32_t>(warp, rows[K])...};
    std::uint32_t result[kWarpLanes];
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const auto at = [&](unsigned shift) {
        return roundedToF16(operationOf<Op>()(f16ToFloat(s[K][lane] >> shift & 0xffffU)...));
      };
      result[lane] = Two ? at(0) | at(16) << 16 : at(0);
    }
    auto* d = rowOf<std::uint32_t>(warp, i.d);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      d[lane] = laneOn(mask, lane) ? result[lane] : d[lane];
  }
};

template <class Loop>
Handler loopFor(Type type) {
  switch (type) {
    case Type::F16:
      return &Loop::template run<F16Format, false>;
    case Type::F16x2:
      return &Loop::template run<F16Format, true>;
    case Type::Bf16:
      return &Loop::template run<Bf16Format, false>;
    case Type::Bf16x2:
      return &Loop::template run<Bf16Format, true>;
    default:
      return nullptr;
  }
}
/// .sat and .ftz need f16, except that ex2 of bf16 requires .ftz (BrainFlushes).
template <class Loop, std::uint8_t Flags, bool BrainFlushes>
Handler handlerFor(Type type, std::uint8_t flags) {
  const bool brain = type == Type::Bf16 || type == Type::Bf16x2;
  const bool flushes = (flags & kFlushFlag) != 0, saturates = (flags & kSaturateFlag) != 0;
  const bool fits = (flags & ~Flags) == 0 && !(saturates && (flags & kReluFlag) != 0) &&
                    !(brain && (saturates || flushes != BrainFlushes));
  return fits ? loopFor<Loop>(type) : nullptr;
}

template <class Loop, std::uint8_t Flags, bool BrainFlushes = false>
constexpr Form row(std::string_view opcode, std::size_t sources,
                   InstructionClass instructionClass = InstructionClass::Float,
                   FormRounding rounding = FormRounding::None) {
  return {opcode,           sameKinds(sources),        &handlerFor<Loop, Flags, BrainFlushes>,
          instructionClass, InstructionClass::Integer, Flags,
          rounding};
}
template <class Op>
constexpr Form sum(std::string_view opcode, Op) {
  return row<Sums<Op, 2>, kFlushFlag | kSaturateFlag>(opcode, 2, InstructionClass::Float,
                                                      FormRounding::Nearest);
}
template <class Op>
constexpr Form fma(std::string_view opcode, Op) {
  return row<Sums<Op, 3>, kFlushFlag | kSaturateFlag | kReluFlag>(
      opcode, 3, InstructionClass::Float, FormRounding::WrittenNearest);
}
template <class Op>
constexpr Form sign(std::string_view opcode, Op) {
  return row<Patterns<Op, 1>, kFlushFlag>(opcode, 1);
}

/// Returns the larger or the smaller. A number wins over NaN without .NaN; -0 is below +0.
template <class Format>
Half extremeOf(Half a, Half b, bool larger, bool nan, bool magnitudes) {
  const auto sign = static_cast<Half>(magnitudes ? (a ^ b) & 0x8000U : 0U);
  if (magnitudes) {
    a &= 0x7fffU;
    b &= 0x7fffU;
  }
  const bool aNan = isNan<Format>(a), bNan = isNan<Format>(b);
  if ((aNan && bNan) || ((aNan || bNan) && nan)) return kHalfNan;
  const auto key = [](Half half) {
    return (half & 0x8000U) != 0 ? -static_cast<int>(half & 0x7fffU) - 1 : static_cast<int>(half);
  };
  const bool takesB = aNan || (!bNan && (larger ? key(b) > key(a) : key(b) < key(a)));
  return (takesB ? b : a) | sign;
}
template <bool Larger, bool Nan, bool Magnitudes>
constexpr Form extreme(std::string_view opcode) {
  constexpr auto kOp = [](auto format, Half a, Half b) {
    return extremeOf<decltype(format)>(a, b, Larger, Nan, Magnitudes);
  };
  return row<Patterns<decltype(kOp), 2>, kFlushFlag>(opcode, 2);
}

double plus(double a, double b) {
  return sumToOdd(a, b);
}
float plus(float a, float b) {
  return a + b;
}
double fused(double a, double b, double c) {
  return sumToOdd(a * b, c);
}
double fused(float a, float b, float c) {
  return double{a * b} + double{c};
}
constexpr auto kExp2 = [](double a) { return std::exp2(a); };
constexpr auto kTanh = [](double a) { return std::tanh(a); };
constexpr Form kForms[] = {
    sum("add", [](auto a, auto b) { return plus(a, b); }),
    sum("sub", [](auto a, auto b) { return plus(a, -b); }),
    sum("mul", [](auto a, auto b) { return a * b; }),
    fma("fma", [](auto a, auto b, auto c) { return fused(a, b, c); }),
    extreme<false, false, false>("min"),
    extreme<false, true, false>("min.NaN"),
    extreme<false, false, true>("min.xorsign.abs"),
    extreme<false, true, true>("min.NaN.xorsign.abs"),
    extreme<true, false, false>("max"),
    extreme<true, true, false>("max.NaN"),
    extreme<true, false, true>("max.xorsign.abs"),
    extreme<true, true, true>("max.NaN.xorsign.abs"),
    sign("neg", [](auto, Half a) { return static_cast<Half>(a ^ 0x8000U); }),
    sign("abs", [](auto, Half a) { return static_cast<Half>(a & 0x7fffU); }),
    row<Numbers<decltype(kExp2), 1>, kFlushFlag, true>("ex2.approx", 1, InstructionClass::Special),
    row<Numbers<decltype(kTanh), 1>, 0>("tanh.approx", 1, InstructionClass::Special),
};

template <class Format>
LaneMask comparison(const Warp& warp, const Instruction& i, unsigned shift) {
  return lanesWhere(kAllLanes, [&](unsigned lane) {
    const auto value = [&](Row row) {
      return fromHalf<Format>(halfAt<Format>(i, rowOf<std::uint32_t>(warp, row)[lane], shift));
    };
    return related(i.comparison.relation, value(i.a), value(i.b));
  });
}

/// setp. pd: the one or the lower half; qd: its opposite, or the upper half.
struct SetPredicate {
  template <class Format, bool Two>
  static void run(Warp& warp, const Instruction& i, LaneMask mask) {
    const LaneMask p = predicateValue(warp, i.p);
    const LaneMask low = comparison<Format>(warp, i, 0);
    const LaneMask second = Two ? comparison<Format>(warp, i, 16) : ~low;
    writePredicate(warp, i.pd, combined(i, low, p), mask);
    if (i.qd != kSinkPredicate) writePredicate(warp, i.qd, combined(i, second, p), mask);
  }
};
struct SetValue {
  template <class Format, bool Two>
  static void run(Warp& warp, const Instruction& i, LaneMask mask) {
    const LaneMask p = predicateValue(warp, i.p);
    const LaneMask low = combined(i, comparison<Format>(warp, i, 0), p);
    const LaneMask high = Two ? combined(i, comparison<Format>(warp, i, 16), p) : 0;
    const auto one = static_cast<std::uint32_t>(i.offset);
    auto* d = rowOf<std::uint32_t>(warp, i.d);
    for (const unsigned lane : lanesIn(mask))
      d[lane] = (laneOn(low, lane) ? one : 0U) | (laneOn(high, lane) ? one << 16 : 0U);
  }
};

}  // namespace

const Form* halfForm(std::size_t k) {
  return k < std::size(kForms) ? &kForms[k] : nullptr;
}

Handler halfPredicateHandler(Type type) {
  return loopFor<SetPredicate>(type);
}
Handler halfSetHandler(Type type) {
  return loopFor<SetValue>(type);
}

}  // namespace fermata::ptx
