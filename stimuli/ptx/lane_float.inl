// Rows of floating-point arithmetic rounded to nearest even. lane_compare.inl includes this file
// for each instruction set. Products and sums must not be contracted: the build passes
// -ffp-contract=off. Another direction of rounding runs the same loops in another mode of the
// processor (directed_ops.cpp).

namespace fermata::ptx::FERMATA_LANES {
namespace {

inline float fused(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
inline double fused(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
inline float root(float a) {
  return __builtin_sqrtf(a);
}
inline double root(double a) {
  return __builtin_sqrt(a);
}

template <class T>
using BitsOf = Stored<T>;
template <class T>
inline constexpr BitsOf<T> kSign = BitsOf<T>(1) << (8 * sizeof(T) - 1);
/// Returns the magnitude of `a` with the sign bit of `sign`.
template <class T>
inline T withSign(T a, BitsOf<T> sign) {
  return bitsAs<T>(static_cast<BitsOf<T>>((bitsAs<BitsOf<T>>(a) & ~kSign<T>) | (sign & kSign<T>)));
}

// A number wins over NaN; -0 is less than +0.
template <class T>
inline T smaller(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return bitsAs<T>(static_cast<BitsOf<T>>(bitsAs<BitsOf<T>>(a) | bitsAs<BitsOf<T>>(b)));
  return a < b ? a : b;
}
template <class T>
inline T larger(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return bitsAs<T>(static_cast<BitsOf<T>>(bitsAs<BitsOf<T>>(a) & bitsAs<BitsOf<T>>(b)));
  return a < b ? b : a;
}
/// min and max .NaN.
template <class Extreme>
inline float orNan(float a, float b, Extreme extreme) {
  return a != a ? a : b != b ? b : extreme(a, b);
}
/// min and max .xorsign.abs: compare magnitudes; the result's sign is the XOR of both signs.
template <class Extreme>
inline float ofMagnitudes(float a, float b, Extreme extreme) {
  return withSign(extreme(withSign(a, 0), withSign(b, 0)),
                  bitsAs<std::uint32_t>(a) ^ bitsAs<std::uint32_t>(b));
}

template <bool Flush, bool Saturate, class T>
inline T finished(T value) {
  value = flushIf<Flush>(value);
  if constexpr (Saturate) value = saturated(value);
  return canonical(value);
}

/// Two f32 in a word of 64 bits.
struct Pair {};
inline float halfOf(std::uint64_t pair, unsigned k) {
  return bitsAs<float>(static_cast<std::uint32_t>(pair >> (32 * k)));
}

/// Sources of an operation: one token each.
struct S {};
template <class, class T>
using Of = T;

// Loops over the lanes. T: float, double or Pair.
template <class T, bool Flush, bool Saturate, class Op, class... Sources>
void rounded(Warp& w, const Instruction& i, LaneMask m) {
  if constexpr (std::is_same_v<T, Pair>) {
    using Word = std::uint64_t;
    map<Word, Of<Sources, Word>...>(w, i, m, [](auto... s) {
      const auto half = [=](unsigned k) {
        return bitsAs<std::uint32_t>(
            finished<Flush, false>(operationOf<Op>()(flushIf<Flush>(halfOf(s, k))...)));
      };
      return Word{half(1)} << 32 | half(0);
    });
  } else {
    map<T, Of<Sources, T>...>(w, i, m, [](auto... s) {
      return finished<Flush, Saturate>(operationOf<Op>()(flushIf<Flush>(s)...));
    });
  }
}
// Sign operations keep the bits of NaN.
template <class T, bool Flush, class Op, class... Sources>
void signs(Warp& w, const Instruction& i, LaneMask m) {
  map<T, Of<Sources, T>...>(w, i, m,
                            [](auto... s) { return operationOf<Op>()(flushIf<Flush>(s)...); });
}
template <class T, class Op>
void test(Warp& w, const Instruction& i, LaneMask m) {
  writePredicate(w, i.pd, lanesOf<T>(w, i, operationOf<Op>(), std::index_sequence<0>{}), m);
}

// Sets of types, and functions that choose the handler by type and flags.
constexpr TypeSet kF32 = setOf(Type::F32);
constexpr TypeSet kF64 = setOf(Type::F64);
constexpr TypeSet kFloats = kF32 | kF64;
constexpr TypeSet kSums = kFloats | setOf(Type::F32x2);
template <class T, bool Saturates, class... Op>
Handler roundedFor(bool flush, bool saturate) {
  if constexpr (Saturates) {
    if (saturate) return flush ? &rounded<T, true, true, Op...> : &rounded<T, false, true, Op...>;
  }
  if (saturate) return nullptr;
  return flush ? &rounded<T, true, false, Op...> : &rounded<T, false, false, Op...>;
}
template <TypeSet Types, bool Saturates, class... Op>
Handler roundedFor(Type type, std::uint8_t flags) {
  const bool flush = (flags & kFlushFlag) != 0;
  const bool saturate = (flags & kSaturateFlag) != 0;
  if (!contains(Types, type)) return nullptr;
  if (type == Type::F32) return roundedFor<float, Saturates, Op...>(flush, saturate);
  if constexpr (contains(Types, Type::F32x2)) {
    if (type == Type::F32x2) return roundedFor<Pair, false, Op...>(flush, saturate);
  }
  return flags == 0 ? &rounded<double, false, false, Op...> : nullptr;
}
template <bool Flushes, class... Op>
Handler signFor(Type type, std::uint8_t flags) {
  if (type == Type::F64 && flags == 0) return &signs<double, false, Op...>;
  if (type != Type::F32 || (flags != 0 && (flags != kFlushFlag || !Flushes))) return nullptr;
  return flags != 0 ? &signs<float, Flushes, Op...> : &signs<float, false, Op...>;
}
template <class Op>
Handler testFor(Type type, std::uint8_t flags) {
  if (flags != 0) return nullptr;
  return type == Type::F32 ? &test<float, Op> : type == Type::F64 ? &test<double, Op> : nullptr;
}

/// A row of sums and products: types, sources, then opcode and operation.
template <TypeSet Types, class... Sources, class Op>
constexpr Form sum(std::string_view opcode, Op, FormRounding rounding = FormRounding::Any) {
  return {opcode,
          sameKinds(sizeof...(Sources)),
          &roundedFor<Types, true, Op, Sources...>,
          InstructionClass::Float,
          InstructionClass::Double,
          kFlushFlag | kSaturateFlag,
          rounding};
}
/// A row of div, sqrt or rcp.
template <class... Sources, class Op>
constexpr Form quotient(std::string_view opcode, Op) {
  return {opcode,
          sameKinds(sizeof...(Sources)),
          &roundedFor<kFloats, false, Op, Sources...>,
          InstructionClass::Special,
          InstructionClass::Double,
          kFlushFlag,
          FormRounding::WrittenAny};
}
template <TypeSet Types, class Op>
constexpr Form extreme(std::string_view opcode, Op) {
  return {opcode,
          sameKinds(2),
          &roundedFor<Types, false, Op, S, S>,
          InstructionClass::Float,
          InstructionClass::Double,
          kFlushFlag};
}
/// A row of an instruction that only changes a sign. The double unit applies signs to its operands
/// itself, so no instruction of its class is needed.
template <bool Flushes, class... Sources, class Op>
constexpr Form sign(std::string_view opcode, Op) {
  return {opcode,
          sameKinds(sizeof...(Sources)),
          &signFor<Flushes, Op, Sources...>,
          InstructionClass::Float,
          InstructionClass::Integer,
          Flushes ? kFlushFlag : std::uint8_t{0}};
}
template <class Op>
constexpr Form property(std::string_view opcode, Op) {
  return {opcode,
          {OperandKind::Predicate, OperandKind::Same},
          &testFor<Op>,
          InstructionClass::Float,
          InstructionClass::Double};
}

constexpr auto kSmaller = [](auto a, auto b) { return smaller(a, b); };
constexpr auto kLarger = [](auto a, auto b) { return larger(a, b); };
constexpr auto kSmallerOrNan = [](float a, float b) { return orNan(a, b, kSmaller); };
constexpr auto kLargerOrNan = [](float a, float b) { return orNan(a, b, kLarger); };
template <class T>
inline bool isSubnormal(T a) {
  return a != 0 && withSign(a, 0) < std::numeric_limits<T>::min();
}
// mad.f32 is evaluated as fma (PTX ISA: from sm_20 on).
constexpr auto kFma = [](auto a, auto b, auto c) { return fused(a, b, c); };
constexpr Form kFloatForms[] = {
    sum<kSums, S, S>("add", [](auto a, auto b) { return a + b; }),
    sum<kSums, S, S>("sub", [](auto a, auto b) { return a - b; }),
    sum<kSums, S, S>("mul", [](auto a, auto b) { return a * b; }),
    sum<kSums, S, S, S>("fma", kFma, FormRounding::WrittenAny),
    sum<kF32, S, S, S>("mad", kFma),
    sum<kF64, S, S, S>("mad", kFma, FormRounding::WrittenAny),
    quotient<S, S>("div", [](auto a, auto b) { return a / b; }),
    quotient<S>("sqrt", [](auto a) { return root(a); }),
    quotient<S>("rcp", [](auto a) { return 1 / a; }),
    extreme<kFloats>("min", kSmaller),
    extreme<kFloats>("max", kLarger),
    extreme<kF32>("min.NaN", kSmallerOrNan),
    extreme<kF32>("max.NaN", kLargerOrNan),
    extreme<kF32>("min.xorsign.abs", [](float a, float b) { return ofMagnitudes(a, b, kSmaller); }),
    extreme<kF32>("max.xorsign.abs", [](float a, float b) { return ofMagnitudes(a, b, kLarger); }),
    extreme<kF32>("min.NaN.xorsign.abs",
                  [](float a, float b) { return ofMagnitudes(a, b, kSmallerOrNan); }),
    extreme<kF32>("max.NaN.xorsign.abs",
                  [](float a, float b) { return ofMagnitudes(a, b, kLargerOrNan); }),
    sign<true, S>("neg", [](auto a) { return withSign(a, ~bitsAs<BitsOf<decltype(a)>>(a)); }),
    sign<true, S>("abs", [](auto a) { return withSign(a, 0); }),
    // Gives the magnitude of b the sign of a.
    sign<false, S, S>("copysign",
                      [](auto a, auto b) { return withSign(b, bitsAs<BitsOf<decltype(a)>>(a)); }),
    property("testp.finite", [](auto a) { return a - a == 0; }),
    property("testp.infinite", [](auto a) { return a == a && a - a != 0; }),
    property("testp.number", [](auto a) { return a == a; }),
    property("testp.notanumber", [](auto a) { return a != a; }),
    property("testp.normal", [](auto a) { return a - a == 0 && a != 0 && !isSubnormal(a); }),
    property("testp.subnormal", [](auto a) { return isSubnormal(a); }),
};

}  // namespace

const Form* floatForm(std::size_t k) {
  return k < std::size(kFloatForms) ? &kFloatForms[k] : nullptr;
}

}  // namespace fermata::ptx::FERMATA_LANES
