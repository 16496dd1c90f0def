// Floating-point arithmetic rounded to nearest even: operations on one lane, and their rows.
// lane_float.cpp includes this file for each instruction set. Products and sums must not be
// contracted: the build passes -ffp-contract=off.

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
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
template <class T>
inline constexpr BitsOf<T> kSign = BitsOf<T>(1) << (8 * sizeof(T) - 1);

struct FAdd {
  template <class T>
  static T of(T a, T b) {
    return a + b;
  }
};
struct FSub {
  template <class T>
  static T of(T a, T b) {
    return a - b;
  }
};
struct FMul {
  template <class T>
  static T of(T a, T b) {
    return a * b;
  }
};
struct FDiv {
  template <class T>
  static T of(T a, T b) {
    return a / b;
  }
};
struct FFma {
  template <class T>
  static T of(T a, T b, T c) {
    return fused(a, b, c);
  }
};
struct FSqrt {
  template <class T>
  static T of(T a) {
    return root(a);
  }
};
struct FRcp {
  template <class T>
  static T of(T a) {
    return T(1) / a;
  }
};
// A number wins over NaN; -0 is less than +0.
struct FMin {
  template <class T>
  static T of(T a, T b) {
    if (a != a) return b;
    if (b != b) return a;
    if (a == b)
      return bitsAs<T>(static_cast<BitsOf<T>>(bitsAs<BitsOf<T>>(a) | bitsAs<BitsOf<T>>(b)));
    return a < b ? a : b;
  }
};
struct FMax {
  template <class T>
  static T of(T a, T b) {
    if (a != a) return b;
    if (b != b) return a;
    if (a == b)
      return bitsAs<T>(static_cast<BitsOf<T>>(bitsAs<BitsOf<T>>(a) & bitsAs<BitsOf<T>>(b)));
    return a < b ? b : a;
  }
};
struct FMinNan {
  template <class T>
  static T of(T a, T b) {
    return a != a ? a : b != b ? b : FMin::of(a, b);
  }
};
struct FMaxNan {
  template <class T>
  static T of(T a, T b) {
    return a != a ? a : b != b ? b : FMax::of(a, b);
  }
};
struct FNeg {
  template <class T>
  static T of(T a) {
    return bitsAs<T>(static_cast<BitsOf<T>>(bitsAs<BitsOf<T>>(a) ^ kSign<T>));
  }
};
struct FAbs {
  template <class T>
  static T of(T a) {
    return bitsAs<T>(static_cast<BitsOf<T>>(bitsAs<BitsOf<T>>(a) & ~kSign<T>));
  }
};
// copysign d, a, b: gives the magnitude of b the sign of a.
struct FCopySign {
  template <class T>
  static T of(T a, T b) {
    return bitsAs<T>(static_cast<BitsOf<T>>((bitsAs<BitsOf<T>>(b) & ~kSign<T>) |
                                            (bitsAs<BitsOf<T>>(a) & kSign<T>)));
  }
};

/// min and max .xorsign.abs: compare magnitudes; the result's sign is the XOR of both signs.
template <class Extreme>
struct FXorSign {
  static float of(float a, float b) {
    const float sign =
        bitsAs<float>((bitsAs<std::uint32_t>(a) ^ bitsAs<std::uint32_t>(b)) & kSign<float>);
    return FCopySign::of(sign, Extreme::of(FAbs::of(a), FAbs::of(b)));
  }
};

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
            finished<Flush, false>(Op::of(flushIf<Flush>(halfOf(s, k))...)));
      };
      return Word{half(1)} << 32 | half(0);
    });
  } else {
    map<T, Of<Sources, T>...>(
        w, i, m, [](auto... s) { return finished<Flush, Saturate>(Op::of(flushIf<Flush>(s)...)); });
  }
}
// Sign operations keep the bits of NaN.
template <class T, bool Flush, class Op, class... Sources>
void signs(Warp& w, const Instruction& i, LaneMask m) {
  map<T, Of<Sources, T>...>(w, i, m, [](auto... s) { return Op::of(flushIf<Flush>(s)...); });
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

constexpr OperandKinds same(std::size_t sources) {
  OperandKinds kinds{};
  for (std::size_t k = 0; k <= sources; ++k) kinds[k] = OperandKind::Same;
  return kinds;
}
/// A row of sums and products: opcode, types, whether the rounding must be written.
template <TypeSet Types, class Op, DirectedOp Directed, class... Sources>
constexpr Form sum(std::string_view opcode, bool needsRounding = false) {
  return {opcode,
          same(sizeof...(Sources)),
          &roundedFor<Types, true, Op, Sources...>,
          InstructionClass::Float,
          InstructionClass::Double,
          &directedHandler<Directed>,
          needsRounding};
}
/// A row of div, sqrt or rcp.
template <class Op, DirectedOp Directed, class... Sources>
constexpr Form quotient(std::string_view opcode) {
  return {opcode,
          same(sizeof...(Sources)),
          &roundedFor<kFloats, false, Op, Sources...>,
          InstructionClass::Special,
          InstructionClass::Double,
          &directedHandler<Directed>,
          true};
}
template <TypeSet Types, class Op>
constexpr Form extreme(std::string_view opcode) {
  return {opcode, same(2), &roundedFor<Types, false, Op, S, S>, InstructionClass::Float,
          InstructionClass::Double};
}
/// A row of an instruction that only changes a sign. The double unit applies signs to its operands
/// itself, so no instruction of its class is needed.
template <bool Flushes, class Op, class... Sources>
constexpr Form sign(std::string_view opcode) {
  return {opcode, same(sizeof...(Sources)), &signFor<Flushes, Op, Sources...>,
          InstructionClass::Float};
}

// mad.f32 is evaluated as fma (PTX ISA: from sm_20 on).
constexpr Form kFloatForms[] = {
    sum<kSums, FAdd, DirectedOp::Add, S, S>("add"),
    sum<kSums, FSub, DirectedOp::Sub, S, S>("sub"),
    sum<kSums, FMul, DirectedOp::Mul, S, S>("mul"),
    sum<kSums, FFma, DirectedOp::Fma, S, S, S>("fma", true),
    sum<kF32, FFma, DirectedOp::Fma, S, S, S>("mad"),
    sum<kF64, FFma, DirectedOp::Fma, S, S, S>("mad", true),
    quotient<FDiv, DirectedOp::Div, S, S>("div"),
    quotient<FSqrt, DirectedOp::Sqrt, S>("sqrt"),
    quotient<FRcp, DirectedOp::Rcp, S>("rcp"),
    extreme<kFloats, FMin>("min"),
    extreme<kFloats, FMax>("max"),
    extreme<kF32, FMinNan>("min.NaN"),
    extreme<kF32, FMaxNan>("max.NaN"),
    extreme<kF32, FXorSign<FMin>>("min.xorsign.abs"),
    extreme<kF32, FXorSign<FMax>>("max.xorsign.abs"),
    extreme<kF32, FXorSign<FMinNan>>("min.NaN.xorsign.abs"),
    extreme<kF32, FXorSign<FMaxNan>>("max.NaN.xorsign.abs"),
    sign<true, FNeg, S>("neg"),
    sign<true, FAbs, S>("abs"),
    sign<false, FCopySign, S, S>("copysign"),
};

}  // namespace

const Form* floatForm(std::size_t k) {
  return k < std::size(kFloatForms) ? &kFloatForms[k] : nullptr;
}

}  // namespace fermata::ptx::FERMATA_LANES
