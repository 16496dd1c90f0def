// Floating-point arithmetic and comparisons of lanes, rounded to nearest even. lane_float.cpp
// includes this file for each instruction set. Products and sums must not be contracted: the build
// passes -ffp-contract=off.

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

template <bool Flush, bool Saturate, class T>
inline T finished(T value) {
  value = flushIf<Flush>(value);
  if constexpr (Saturate) value = saturated(value);
  return canonical(value);
}

template <class Op, class T, bool Flush, bool Saturate>
void float1(Warp& w, const Instruction& i, LaneMask m) {
  map1<T, T>(w, i, m, [](T a) { return finished<Flush, Saturate>(Op::of(flushIf<Flush>(a))); });
}
// Sign operations keep the bits of NaN.
template <class Op, class T, bool Flush>
void signOperation(Warp& w, const Instruction& i, LaneMask m) {
  map1<T, T>(w, i, m, [](T a) { return Op::of(flushIf<Flush>(a)); });
}
template <class T>
void copySign(Warp& w, const Instruction& i, LaneMask m) {
  map2<T, T, T>(w, i, m, [](T a, T b) { return FCopySign::of(a, b); });
}
template <class Op, class T, bool Flush, bool Saturate>
void float2(Warp& w, const Instruction& i, LaneMask m) {
  map2<T, T, T>(w, i, m, [](T a, T b) {
    return finished<Flush, Saturate>(Op::of(flushIf<Flush>(a), flushIf<Flush>(b)));
  });
}
template <class Op, class T, bool Flush, bool Saturate>
void float3(Warp& w, const Instruction& i, LaneMask m) {
  map3<T, T, T, T>(w, i, m, [](T a, T b, T c) {
    return finished<Flush, Saturate>(
        Op::of(flushIf<Flush>(a), flushIf<Flush>(b), flushIf<Flush>(c)));
  });
}

template <unsigned Operands, class Op, class T, bool Flush, bool Saturate>
constexpr Handler shapedFloat() {
  if constexpr (Operands == 1) return &float1<Op, T, Flush, Saturate>;
  if constexpr (Operands == 2) return &float2<Op, T, Flush, Saturate>;
  if constexpr (Operands == 3) return &float3<Op, T, Flush, Saturate>;
}
template <unsigned Operands, class Op>
Handler exact(Type type, bool flush, bool saturate) {
  if (type == Type::F64 && !flush && !saturate)
    return shapedFloat<Operands, Op, double, false, false>();
  if (type != Type::F32) return nullptr;
  if (flush)
    return saturate ? shapedFloat<Operands, Op, float, true, true>()
                    : shapedFloat<Operands, Op, float, true, false>();
  return saturate ? shapedFloat<Operands, Op, float, false, true>()
                  : shapedFloat<Operands, Op, float, false, false>();
}
template <class Op>
Handler sign(Type type, bool flush) {
  if (type == Type::F64) return flush ? nullptr : &signOperation<Op, double, false>;
  if (type != Type::F32) return nullptr;
  return flush ? &signOperation<Op, float, true> : &signOperation<Op, float, false>;
}

template <Compare C>
struct Relation {
  template <class T>
  static bool of(T a, T b) {
    const bool unordered = a != a || b != b;
    switch (C) {
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
};

inline constexpr std::array<LaneMask, kWarpLanes> laneBits() {
  std::array<LaneMask, kWarpLanes> bits{};
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) bits[lane] = LaneMask{1} << lane;
  return bits;
}
constexpr std::array<LaneMask, kWarpLanes> kLaneBits = laneBits();

inline LaneMask combined(const Instruction& i, LaneMask result, LaneMask p) {
  switch (static_cast<Combine>(i.mode)) {
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

template <class Op, class T, bool Flush>
inline LaneMask compareLanes(const Warp& w, const Instruction& i) {
  const auto* a = in<T>(w, i.a);
  const auto* b = in<T>(w, i.b);
  LaneMask result = 0;
  for (unsigned l = 0; l < kWarpLanes; ++l) {
    result |=
        Op::of(flushIf<Flush>(get<T>(a[l])), flushIf<Flush>(get<T>(b[l]))) ? kLaneBits[l] : 0U;
  }
  return result;
}

template <class Op, class T, bool Flush, CompareResult R>
void compareHandler(Warp& w, const Instruction& i, LaneMask m) {
  const LaneMask result = compareLanes<Op, T, Flush>(w, i);
  const LaneMask p = predicateValue(w, i.p);
  const LaneMask first = combined(i, result, p);
  if constexpr (R == CompareResult::Predicate) {
    writePredicate(w, i.pd, first, m);
    if (i.qd != kSinkPredicate) writePredicate(w, i.qd, combined(i, ~result, p), m);
  } else {
    constexpr std::uint32_t kTrue = R == CompareResult::Mask ? 0xffffffffU : 0x3f800000U;
    mapLanes(outRow<std::uint32_t>(w, i.d), m,
             [=](unsigned l) { return laneOn(first, l) ? kTrue : 0U; });
  }
}

template <class Op, class T, bool Flush>
Handler comparing(CompareResult result) {
  switch (result) {
    case CompareResult::Predicate:
      return &compareHandler<Op, T, Flush, CompareResult::Predicate>;
    case CompareResult::Mask:
      return &compareHandler<Op, T, Flush, CompareResult::Mask>;
    case CompareResult::One:
      return &compareHandler<Op, T, Flush, CompareResult::One>;
  }
  return nullptr;
}
template <Compare C>
Handler comparingFloats(CompareResult result, Type type, bool flush) {
  if (type == Type::F64) return flush ? nullptr : comparing<Relation<C>, double, false>(result);
  if (type != Type::F32) return nullptr;
  return flush ? comparing<Relation<C>, float, true>(result)
               : comparing<Relation<C>, float, false>(result);
}
template <Compare C>
Handler comparingAll(CompareResult result, Type type, bool flush) {
  if (isFloat(type)) return comparingFloats<C>(result, type, flush);
  if (flush) return nullptr;
  constexpr bool kBitsToo = C == Compare::Eq || C == Compare::Ne;
  if (isBits(type) && !kBitsToo) return nullptr;
  switch (type) {
    case Type::B16:
    case Type::U16:
      return comparing<Relation<C>, std::uint16_t, false>(result);
    case Type::S16:
      return comparing<Relation<C>, std::int16_t, false>(result);
    case Type::B32:
    case Type::U32:
      return comparing<Relation<C>, std::uint32_t, false>(result);
    case Type::S32:
      return comparing<Relation<C>, std::int32_t, false>(result);
    case Type::B64:
    case Type::U64:
      return comparing<Relation<C>, std::uint64_t, false>(result);
    case Type::S64:
      return comparing<Relation<C>, std::int64_t, false>(result);
    default:
      return nullptr;
  }
}

}  // namespace

Handler floatHandler(FloatOp op, Type type, bool flush, bool saturate) {
  switch (op) {
    case FloatOp::Add:
      return exact<2, FAdd>(type, flush, saturate);
    case FloatOp::Sub:
      return exact<2, FSub>(type, flush, saturate);
    case FloatOp::Mul:
      return exact<2, FMul>(type, flush, saturate);
    case FloatOp::Fma:
      return exact<3, FFma>(type, flush, saturate);
    case FloatOp::Div:
      return saturate ? nullptr : exact<2, FDiv>(type, flush, false);
    case FloatOp::Min:
      return saturate ? nullptr : exact<2, FMin>(type, flush, false);
    case FloatOp::Max:
      return saturate ? nullptr : exact<2, FMax>(type, flush, false);
    case FloatOp::MinNan:
      return saturate || type != Type::F32 ? nullptr : exact<2, FMinNan>(type, flush, false);
    case FloatOp::MaxNan:
      return saturate || type != Type::F32 ? nullptr : exact<2, FMaxNan>(type, flush, false);
    case FloatOp::Sqrt:
      return saturate ? nullptr : exact<1, FSqrt>(type, flush, false);
    case FloatOp::Rcp:
      return saturate ? nullptr : exact<1, FRcp>(type, flush, false);
    case FloatOp::Neg:
      return saturate ? nullptr : sign<FNeg>(type, flush);
    case FloatOp::Abs:
      return saturate ? nullptr : sign<FAbs>(type, flush);
    case FloatOp::CopySign:
      if (flush || saturate) return nullptr;
      return type == Type::F32 ? &copySign<float> : type == Type::F64 ? &copySign<double> : nullptr;
  }
  return nullptr;
}

Handler compareHandlerFor(Compare compare, CompareResult result, Type type, bool flush) {
  switch (compare) {
    case Compare::Eq:
      return comparingAll<Compare::Eq>(result, type, flush);
    case Compare::Ne:
      return comparingAll<Compare::Ne>(result, type, flush);
    case Compare::Lt:
      return comparingAll<Compare::Lt>(result, type, flush);
    case Compare::Le:
      return comparingAll<Compare::Le>(result, type, flush);
    case Compare::Gt:
      return comparingAll<Compare::Gt>(result, type, flush);
    case Compare::Ge:
      return comparingAll<Compare::Ge>(result, type, flush);
    case Compare::Equ:
      return comparingFloats<Compare::Equ>(result, type, flush);
    case Compare::Neu:
      return comparingFloats<Compare::Neu>(result, type, flush);
    case Compare::Ltu:
      return comparingFloats<Compare::Ltu>(result, type, flush);
    case Compare::Leu:
      return comparingFloats<Compare::Leu>(result, type, flush);
    case Compare::Gtu:
      return comparingFloats<Compare::Gtu>(result, type, flush);
    case Compare::Geu:
      return comparingFloats<Compare::Geu>(result, type, flush);
    case Compare::Num:
      return comparingFloats<Compare::Num>(result, type, flush);
    case Compare::Nan:
      return comparingFloats<Compare::Nan>(result, type, flush);
  }
  return nullptr;
}

}  // namespace fermata::ptx::FERMATA_LANES
