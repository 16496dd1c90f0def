// Arithmetic and comparisons of f16, f16x2, bf16 and bf16x2.
#include <algorithm>
#include <cmath>

#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

bool has(const Instruction& i, std::uint8_t flag) {
  return (i.floatFlags & flag) != 0;
}

template <class Format>
std::uint16_t flushed(std::uint16_t half) {
  return (half & Format::kInfinity) == 0 ? half & 0x8000U : half;
}

template <class Format>
std::uint16_t finished(std::uint16_t half, const Instruction& i) {
  const bool nan = (half & 0x7fffU) > Format::kInfinity;
  if (nan) return has(i, kSaturateFlag) ? 0 : kHalfNan;
  if (has(i, kFlushFlag)) half = flushed<Format>(half);
  const bool negative = (half & 0x8000U) != 0;
  if (has(i, kSaturateFlag)) return negative ? 0 : std::min<std::uint16_t>(half, Format::kOne);
  return has(i, kReluFlag) && negative ? 0 : half;
}

/// Returns the larger or the smaller. A number wins over NaN without .NaN; -0 is below +0.
template <class Format>
std::uint16_t extreme(std::uint16_t a, std::uint16_t b, bool larger, const Instruction& i) {
  const bool magnitudes = has(i, kXorSignFlag);
  const auto sign = static_cast<std::uint16_t>(magnitudes ? (a ^ b) & 0x8000U : 0U);
  if (magnitudes) {
    a &= 0x7fffU;
    b &= 0x7fffU;
  }
  const bool aNan = (a & 0x7fffU) > Format::kInfinity;
  const bool bNan = (b & 0x7fffU) > Format::kInfinity;
  if ((aNan && bNan) || ((aNan || bNan) && has(i, kNanFlag))) return kHalfNan;
  const auto key = [](std::uint16_t half) {
    return (half & 0x8000U) != 0 ? -static_cast<int>(half & 0x7fffU) - 1 : static_cast<int>(half);
  };
  const bool takesB = aNan || (!bNan && (larger ? key(b) > key(a) : key(b) < key(a)));
  return (takesB ? b : a) | sign;
}

template <class Format, HalfOp Op>
std::uint16_t computed(std::uint16_t a, std::uint16_t b, std::uint16_t c, const Instruction& i) {
  if (has(i, kFlushFlag)) {
    a = flushed<Format>(a);
    b = flushed<Format>(b);
    c = flushed<Format>(c);
  }
  const auto value = [](std::uint16_t half) { return fromHalf<Format>(half); };
  switch (Op) {
    case HalfOp::Add:
      return finished<Format>(toHalf<Format>(sumToOdd(value(a), value(b))), i);
    case HalfOp::Sub:
      return finished<Format>(toHalf<Format>(sumToOdd(value(a), -value(b))), i);
    case HalfOp::Mul:
      return finished<Format>(toHalf<Format>(value(a) * value(b)), i);
    case HalfOp::Fma:
      return finished<Format>(toHalf<Format>(sumToOdd(value(a) * value(b), value(c))), i);
    case HalfOp::Min:
      return extreme<Format>(a, b, false, i);
    case HalfOp::Max:
      return extreme<Format>(a, b, true, i);
    case HalfOp::Neg:
      return a ^ 0x8000U;
    case HalfOp::Abs:
      return a & 0x7fffU;
    case HalfOp::Ex2:
      return finished<Format>(toHalf<Format>(std::exp2(value(a))), i);
    case HalfOp::Tanh:
      return finished<Format>(toHalf<Format>(std::tanh(value(a))), i);
  }
  return 0;
}

template <class Format, HalfOp Op, bool Two>
void arithmetic(Warp& warp, const Instruction& i, LaneMask mask) {
  const auto* a = rowOf<std::uint32_t>(warp, i.a);
  const auto* b = rowOf<std::uint32_t>(warp, i.b);
  const auto* c = rowOf<std::uint32_t>(warp, i.c);
  auto* d = rowOf<std::uint32_t>(warp, i.d);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = firstLane(rest);
    const auto part = [&](unsigned shift) {
      const auto half = [&](const std::uint32_t* row) {
        return static_cast<std::uint16_t>(row[lane] >> shift);
      };
      return std::uint32_t{computed<Format, Op>(half(a), half(b), half(c), i)} << shift;
    };
    d[lane] = Two ? part(0) | part(16) : part(0);
  }
}

/// Computes one operation of f16 without modifiers; the caller's loop takes all lanes at once. In
/// single precision a product of f16 is exact, and 24 bits suffice for a sum that is rounded again
/// to 11 (Figueroa: twice as many and two). A product plus a third fits a double, or the smaller
/// part is too small to matter: if more than 53 bits lie between their ends, the larger is f16
/// itself.
template <HalfOp Op>
std::uint32_t plain(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const float left = f16ToFloat(a & 0xffffU);
  const float right = f16ToFloat(b & 0xffffU);
  if constexpr (Op == HalfOp::Fma)
    return f16FromDouble(double{left * right} + double{f16ToFloat(c & 0xffffU)});
  return f16FromFloat(Op == HalfOp::Add   ? left + right
                      : Op == HalfOp::Sub ? left - right
                                          : left * right);
}

template <HalfOp Op, bool Two>
void plainF16(Warp& warp, const Instruction& i, LaneMask mask) {
  if (i.floatFlags != 0) return arithmetic<F16Format, Op, Two>(warp, i, mask);
  const auto* a = rowOf<std::uint32_t>(warp, i.a);
  const auto* b = rowOf<std::uint32_t>(warp, i.b);
  const auto* c = rowOf<std::uint32_t>(warp, i.c);
  std::uint32_t result[kWarpLanes];
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t low = plain<Op>(a[lane], b[lane], c[lane]);
    result[lane] = Two ? low | plain<Op>(a[lane] >> 16, b[lane] >> 16, c[lane] >> 16) << 16 : low;
  }
  auto* d = rowOf<std::uint32_t>(warp, i.d);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    d[lane] = (mask >> lane & 1U) != 0 ? result[lane] : d[lane];
}

template <HalfOp Op>
Handler forType(Type type) {
  if constexpr (Op <= HalfOp::Fma) {
    if (type == Type::F16) return &plainF16<Op, false>;
    if (type == Type::F16x2) return &plainF16<Op, true>;
  }
  switch (type) {
    case Type::F16:
      return &arithmetic<F16Format, Op, false>;
    case Type::F16x2:
      return &arithmetic<F16Format, Op, true>;
    case Type::Bf16:
      return &arithmetic<Bf16Format, Op, false>;
    case Type::Bf16x2:
      return &arithmetic<Bf16Format, Op, true>;
    default:
      return nullptr;
  }
}

bool related(double a, double b, Compare compare) {
  const bool unordered = a != a || b != b;
  switch (compare) {
    case Compare::Eq:
      return a == b;
    case Compare::Ne:
      return !unordered && a != b;
    case Compare::Lt:
      return a < b;
    case Compare::Le:
      return a <= b;
    case Compare::Gt:
      return a > b;
    case Compare::Ge:
      return a >= b;
    case Compare::Equ:
      return unordered || a == b;
    case Compare::Neu:
      return a != b;
    case Compare::Ltu:
      return !(a >= b);
    case Compare::Leu:
      return !(a > b);
    case Compare::Gtu:
      return !(a <= b);
    case Compare::Geu:
      return !(a < b);
    case Compare::Num:
      return !unordered;
    case Compare::Nan:
      return unordered;
  }
  return false;
}

LaneMask combined(const Instruction& i, LaneMask result, LaneMask p) {
  switch (i.comparison.combine) {
    case Combine::And:
      return result & p;
    case Combine::Or:
      return result | p;
    case Combine::Xor:
      return result ^ p;
    case Combine::None:
      break;
  }
  return result;
}

template <class Format>
LaneMask comparison(const Warp& warp, const Instruction& i, unsigned shift) {
  const auto* a = rowOf<std::uint32_t>(warp, i.a);
  const auto* b = rowOf<std::uint32_t>(warp, i.b);
  LaneMask result = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const auto value = [&](const std::uint32_t* row) {
      const auto half = static_cast<std::uint16_t>(row[lane] >> shift);
      return fromHalf<Format>(has(i, kFlushFlag) ? flushed<Format>(half) : half);
    };
    result |= related(value(a), value(b), i.comparison.relation) ? LaneMask{1} << lane : 0U;
  }
  return result;
}

template <class Format, bool Two>
void setPredicate(Warp& warp, const Instruction& i, LaneMask mask) {
  const LaneMask p = predicateValue(warp, i.p);
  const LaneMask low = comparison<Format>(warp, i, 0);
  const LaneMask second = Two ? comparison<Format>(warp, i, 16) : ~low;
  writePredicate(warp, i.pd, combined(i, low, p), mask);
  if (i.qd != kSinkPredicate) writePredicate(warp, i.qd, combined(i, second, p), mask);
}

/// set. offset: value of a comparison that holds, for the lower half (or all) of the register;
/// elements: 2 compares and writes the upper half, too.
template <class Format>
void setValue(Warp& warp, const Instruction& i, LaneMask mask) {
  const LaneMask p = predicateValue(warp, i.p);
  const LaneMask low = combined(i, comparison<Format>(warp, i, 0), p);
  const LaneMask high = i.elements == 2 ? combined(i, comparison<Format>(warp, i, 16), p) : 0;
  const auto one = static_cast<std::uint32_t>(i.offset);
  auto* d = rowOf<std::uint32_t>(warp, i.d);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = firstLane(rest);
    d[lane] = ((low >> lane & 1U) != 0 ? one : 0U) | ((high >> lane & 1U) != 0 ? one << 16 : 0U);
  }
}

}  // namespace

Handler halfHandler(HalfOp op, Type type) {
  switch (op) {
    case HalfOp::Add:
      return forType<HalfOp::Add>(type);
    case HalfOp::Sub:
      return forType<HalfOp::Sub>(type);
    case HalfOp::Mul:
      return forType<HalfOp::Mul>(type);
    case HalfOp::Fma:
      return forType<HalfOp::Fma>(type);
    case HalfOp::Min:
      return forType<HalfOp::Min>(type);
    case HalfOp::Max:
      return forType<HalfOp::Max>(type);
    case HalfOp::Neg:
      return forType<HalfOp::Neg>(type);
    case HalfOp::Abs:
      return forType<HalfOp::Abs>(type);
    case HalfOp::Ex2:
      return forType<HalfOp::Ex2>(type);
    case HalfOp::Tanh:
      return forType<HalfOp::Tanh>(type);
  }
  return nullptr;
}

Handler halfPredicateHandler(Type type) {
  switch (type) {
    case Type::F16:
      return &setPredicate<F16Format, false>;
    case Type::F16x2:
      return &setPredicate<F16Format, true>;
    case Type::Bf16:
      return &setPredicate<Bf16Format, false>;
    case Type::Bf16x2:
      return &setPredicate<Bf16Format, true>;
    default:
      return nullptr;
  }
}

Handler halfSetHandler(Type type) {
  const bool brain = type == Type::Bf16 || type == Type::Bf16x2;
  return brain ? &setValue<Bf16Format> : &setValue<F16Format>;
}

}  // namespace fermata::ptx
