// Rows of integer arithmetic, logic, shifts and moves. Signed arithmetic goes through unsigned, so
// that it wraps. lane_bit_ops.inl includes this file for each instruction set.

#include <fermata/stimuli/ptx/lane_integer.inl>

namespace fermata::ptx::FERMATA_LANES {
namespace {

template <class T>
inline T wrapMul(T a, T b) {
  using Word = std::conditional_t<sizeof(T) == 2, std::uint32_t, U<T>>;  // 16 bits: no int overflow
  return static_cast<T>(static_cast<Word>(static_cast<U<T>>(a)) * static_cast<U<T>>(b));
}
template <class T>
inline T wrapAdd(T a, T b) {
  return static_cast<T>(static_cast<U<T>>(static_cast<U<T>>(a) + static_cast<U<T>>(b)));
}
template <class T>
inline W<T> wideMul(T a, T b) {
  return static_cast<W<T>>(a) * static_cast<W<T>>(b);
}
template <class T>
inline T highMul(T a, T b) {
  return static_cast<T>(wideMul(a, b) >> kBits<T>);
}
template <class T>
inline T negated(T a) {
  return static_cast<T>(static_cast<U<T>>(0) - static_cast<U<T>>(a));
}
template <class T>
inline T quotient(T a, T b) {
  if (b == 0) return static_cast<T>(~T(0));
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return negated(a);
  return static_cast<T>(a / b);
}
template <class T>
inline T remainder(T a, T b) {
  if (b == 0) return a;
  return std::is_signed_v<T> && b == static_cast<T>(-1) ? T(0) : static_cast<T>(a % b);
}
template <class T>
inline T shiftedLeft(T a, std::uint32_t n) {
  return n >= kBits<T> ? T(0) : static_cast<T>(static_cast<Stored<T>>(a) << (n & 63U));
}
template <class T>
inline T shiftedRight(T a, std::uint32_t n) {
  if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (n < kBits<T> ? n : kBits<T> - 1));
  return n >= kBits<T> ? T(0) : static_cast<T>(a >> n);
}
template <class T>
inline T distance(T a, T b) {
  return a < b ? static_cast<T>(static_cast<U<T>>(b) - static_cast<U<T>>(a))
               : static_cast<T>(static_cast<U<T>>(a) - static_cast<U<T>>(b));
}
inline std::int32_t clamped(std::int64_t value) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(value < kLeast ? kLeast : value > kMost ? kMost : value);
}

struct Select {
  static constexpr OperandKinds kOperands = {OperandKind::Same, OperandKind::Same,
                                             OperandKind::Same, OperandKind::Predicate};
  template <class T>
  static void run(Warp& w, const Instruction& i, LaneMask m) {
    const auto* a = in<T>(w, i.a);
    const auto* b = in<T>(w, i.b);
    const LaneMask p = predicateValue(w, i.p);
    mapLanes(outRow<T>(w, i.d), m, [=](unsigned l) { return has(p, l) ? a[l] : b[l]; });
  }
};

/// Sums in extended precision through the condition code of the lanes: the carry or, of sub.cc and
/// subc, the borrow. The operation gives one bit more than T has.
template <class Op, std::uint8_t Carry>
struct WithCarry {
  template <class T>
  static void run(Warp& w, const Instruction& i, LaneMask m) {
    const auto *a = in<T>(w, i.a), *b = in<T>(w, i.b), *c = in<T>(w, i.c);
    auto* d = outRow<T>(w, i.d);
    const LaneMask before = (Carry & kTakesCarry) != 0 ? w.carry : 0;
    const LaneMask out = lanesWhere(m, [&](unsigned l) {
      const Unsigned128 sum =
          operationOf<Op>()(get<T>(a[l]), get<T>(b[l]), get<T>(c[l]), before >> l & 1U);
      d[l] = static_cast<Stored<T>>(sum);
      return (sum >> kBits<T> & 1U) != 0;
    });
    if ((Carry & kGivesCarry) != 0) w.carry = (w.carry & ~m) | out;
  }
};
template <class T>
inline Unsigned128 widened(T a) {
  return static_cast<U<T>>(a);
}

constexpr TypeSet kIntegers32 = kWords | setOf(Type::U64, Type::S64);
template <std::uint8_t Carry, class Op>
constexpr Form carrying(std::string_view opcode, Op, bool product) {
  Form form{opcode, sameKinds(product ? 3 : 2), &handlerFor<WithCarry<Op, Carry>, kIntegers32>};
  form.carry = Carry;
  return form;
}
constexpr auto kAddCarry = [](auto a, auto b, auto, LaneMask carry) {
  return widened(a) + widened(b) + carry;
};
constexpr auto kSubCarry = [](auto a, auto b, auto, LaneMask borrow) {
  return widened(a) - widened(b) - borrow;
};
constexpr auto kMadLoCarry = [](auto a, auto b, auto c, LaneMask carry) {
  return widened(wrapMul(a, b)) + widened(c) + carry;
};
constexpr auto kMadHiCarry = [](auto a, auto b, auto c, LaneMask carry) {
  return widened(highMul(a, b)) + widened(c) + carry;
};

constexpr TypeSet kNarrow = kWords | setOf(Type::U16, Type::S16);
constexpr TypeSet kS32 = setOf(Type::S32);
constexpr std::uint8_t kBothCarries = kTakesCarry | kGivesCarry;
constexpr Form kArithmetic[] = {
    binary<kIntegers>("add", [](auto a, auto b) { return wrapAdd(a, b); }),
    binary<kS32>("add.sat", [](std::int64_t a, std::int64_t b) { return clamped(a + b); }),
    binary<kIntegers>("sub", [](auto a, auto b) { return wrapAdd(a, negated(b)); }),
    binary<kS32>("sub.sat", [](std::int64_t a, std::int64_t b) { return clamped(a - b); }),
    binary<kIntegers>("mul.lo", [](auto a, auto b) { return wrapMul(a, b); }),
    binary<kIntegers>("mul.hi", [](auto a, auto b) { return highMul(a, b); }),
    row<kNarrow, Twice, Same, Same>("mul.wide", [](auto a, auto b) { return wideMul(a, b); }),
    ternary<kIntegers>("mad.lo", [](auto a, auto b, auto c) { return wrapAdd(wrapMul(a, b), c); }),
    ternary<kIntegers>("mad.hi", [](auto a, auto b, auto c) { return wrapAdd(highMul(a, b), c); }),
    ternary<kS32>("mad.hi.sat", [](std::int32_t a, std::int32_t b,
                                   std::int32_t c) { return clamped((wideMul(a, b) >> 32) + c); }),
    row<kNarrow, Twice, Same, Same, Twice>(
        "mad.wide", [](auto a, auto b, auto c) { return wrapAdd(wideMul(a, b), c); }),
    carrying<kGivesCarry>("add.cc", kAddCarry, false),
    carrying<kTakesCarry>("addc", kAddCarry, false),
    carrying<kBothCarries>("addc.cc", kAddCarry, false),
    carrying<kGivesCarry>("sub.cc", kSubCarry, false),
    carrying<kTakesCarry>("subc", kSubCarry, false),
    carrying<kBothCarries>("subc.cc", kSubCarry, false),
    carrying<kGivesCarry>("mad.lo.cc", kMadLoCarry, true),
    carrying<kGivesCarry>("mad.hi.cc", kMadHiCarry, true),
    carrying<kTakesCarry>("madc.lo", kMadLoCarry, true),
    carrying<kTakesCarry>("madc.hi", kMadHiCarry, true),
    carrying<kBothCarries>("madc.lo.cc", kMadLoCarry, true),
    carrying<kBothCarries>("madc.hi.cc", kMadHiCarry, true),
    binary<kIntegers>(
        "div", [](auto a, auto b) { return quotient(a, b); }, InstructionClass::Division),
    binary<kIntegers>(
        "rem", [](auto a, auto b) { return remainder(a, b); }, InstructionClass::Division),
    binary<kIntegers>("min", [](auto a, auto b) { return b < a ? b : a; }),
    binary<kIntegers>("max", [](auto a, auto b) { return a < b ? b : a; }),
    ternary<kIntegers>("sad", [](auto a, auto b, auto c) { return wrapAdd(c, distance(a, b)); }),
    unary<kSigned>("neg", [](auto a) { return negated(a); }),
    unary<kSigned>("abs", [](auto a) { return a < 0 ? negated(a) : a; }),
    binary<kBitTypes | kPredicates>("and", [](auto a, auto b) { return a & b; }),
    binary<kBitTypes | kPredicates>("or", [](auto a, auto b) { return a | b; }),
    binary<kBitTypes | kPredicates>("xor", [](auto a, auto b) { return a ^ b; }),
    unary<kBitTypes | kPredicates>("not", [](auto a) { return ~a; }),
    unary<kBitTypes>("cnot", [](auto a) { return a == 0 ? 1 : 0; }),
    row<kBitTypes, Same, Same, U32>("shl", [](auto a, auto n) { return shiftedLeft(a, n); }),
    row<kBitTypes | kIntegers, Same, Same, U32>("shr",
                                                [](auto a, auto n) { return shiftedRight(a, n); }),
    unary<kNumbers | kHalves | kPredicates>("mov", [](auto a) { return a; }),
    {"selp", Select::kOperands, &handlerFor<Select, kNumbers>},
    row<kNumbers, Same, Same, Same, S32>("slct.s32",
                                         [](auto a, auto b, auto c) { return c >= 0 ? a : b; }),
    row<kNumbers, Same, Same, Same, F32>("slct.f32",
                                         [](auto a, auto b, auto c) { return c >= 0 ? a : b; }),
    row<kNumbers, Same, Same, Same, F32>(
        "slct.ftz.f32", [](auto a, auto b, auto c) { return flushed(c) >= 0 ? a : b; }),
};

}  // namespace
}  // namespace fermata::ptx::FERMATA_LANES
