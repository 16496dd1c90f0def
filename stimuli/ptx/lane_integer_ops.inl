// Integer arithmetic, logic, shifts and moves: operations on one lane, and their rows.
// lane_integer.cpp includes this file for each instruction set. Signed arithmetic goes through
// unsigned, so that it wraps.

namespace fermata::ptx::FERMATA_LANES {
namespace {

template <class T>
inline T wrapMul(T a, T b) {
  if constexpr (sizeof(T) == 2) {
    return static_cast<T>(static_cast<std::uint32_t>(static_cast<U<T>>(a)) * static_cast<U<T>>(b));
  } else {
    return static_cast<T>(static_cast<U<T>>(a) * static_cast<U<T>>(b));
  }
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
  return static_cast<T>(wideMul(a, b) >> (8 * sizeof(T)));
}
template <class T>
inline T negated(T a) {
  return static_cast<T>(static_cast<U<T>>(0) - static_cast<U<T>>(a));
}

struct Add {
  template <class T>
  static T of(T a, T b) {
    return wrapAdd(a, b);
  }
};
struct Sub {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(static_cast<U<T>>(a) - static_cast<U<T>>(b));
  }
};
struct MulLo {
  template <class T>
  static T of(T a, T b) {
    return wrapMul(a, b);
  }
};
struct MulHi {
  template <class T>
  static T of(T a, T b) {
    return highMul(a, b);
  }
};
struct Min {
  template <class T>
  static T of(T a, T b) {
    return b < a ? b : a;
  }
};
struct Max {
  template <class T>
  static T of(T a, T b) {
    return a < b ? b : a;
  }
};
struct And {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Div {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return static_cast<T>(~T(0));
    if constexpr (std::is_signed_v<T>) {
      if (b == T(-1)) return negated(a);
    }
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>) {
      if (b == T(-1)) return 0;
    }
    return static_cast<T>(a % b);
  }
};
struct Shl {
  template <class T>
  static T of(T a, std::uint32_t n) {
    return n >= 8 * sizeof(T) ? T(0)
                              : static_cast<T>(static_cast<U<T>>(
                                    static_cast<Stored<T>>(static_cast<U<T>>(a)) << (n & 63U)));
  }
};
struct Shr {
  template <class T>
  static T of(T a, std::uint32_t n) {
    constexpr std::uint32_t kBits = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(a >> (n < kBits ? n : kBits - 1));
    } else {
      return n >= kBits ? T(0) : static_cast<T>(a >> n);
    }
  }
};
struct Neg {
  template <class T>
  static T of(T a) {
    return negated(a);
  }
};
struct Abs {
  template <class T>
  static T of(T a) {
    return a < 0 ? negated(a) : a;
  }
};
struct Not {
  template <class T>
  static T of(T a) {
    return static_cast<T>(~a);
  }
};
struct Cnot {
  template <class T>
  static T of(T a) {
    return a == 0 ? T(1) : T(0);
  }
};
struct Move {
  template <class T>
  static T of(T a) {
    return a;
  }
};
struct MadLo {
  template <class T>
  static T of(T a, T b, T c) {
    return wrapAdd(wrapMul(a, b), c);
  }
};
struct MadHi {
  template <class T>
  static T of(T a, T b, T c) {
    return wrapAdd(highMul(a, b), c);
  }
};
struct Sad {
  template <class T>
  static T of(T a, T b, T c) {
    const U<T> difference = static_cast<U<T>>(a < b ? static_cast<U<T>>(b) - static_cast<U<T>>(a)
                                                    : static_cast<U<T>>(a) - static_cast<U<T>>(b));
    return static_cast<T>(static_cast<U<T>>(static_cast<U<T>>(c) + difference));
  }
};
struct MulWide {
  template <class T>
  static W<T> of(T a, T b) {
    return wideMul(a, b);
  }
};
struct MadWide {
  template <class T>
  static W<T> of(T a, T b, W<T> c) {
    return wrapAdd(wideMul(a, b), c);
  }
};
inline std::int32_t clamped(std::int64_t value) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(value < kLeast ? kLeast : value > kMost ? kMost : value);
}
struct AddSaturated {
  static std::int32_t of(std::int64_t a, std::int64_t b) { return clamped(a + b); }
};
struct SubSaturated {
  static std::int32_t of(std::int64_t a, std::int64_t b) { return clamped(a - b); }
};
struct MadHiSaturated {
  static std::int32_t of(std::int32_t a, std::int32_t b, std::int32_t c) {
    return clamped((wideMul(a, b) >> 32) + c);
  }
};

struct Select {
  static constexpr OperandKinds kOperands = {OperandKind::Same, OperandKind::Same,
                                             OperandKind::Same, OperandKind::Predicate};
  template <class T>
  static void run(Warp& w, const Instruction& i, LaneMask m) {
    const auto* a = in<T>(w, i.a);
    const auto* b = in<T>(w, i.b);
    const LaneMask p = predicateValue(w, i.p);
    mapLanes(outRow<T>(w, i.d), m, [=](unsigned l) { return laneOn(p, l) ? a[l] : b[l]; });
  }
};
struct Slct {
  static constexpr OperandKinds kOperands = {OperandKind::Same, OperandKind::Same,
                                             OperandKind::Same, OperandKind::B32};
  template <class T>
  static void run(Warp& w, const Instruction& i, LaneMask m) {
    const Selector selector = i.selector;
    map<T, T, T, std::uint32_t>(w, i, m, [=](T a, T b, std::uint32_t c) {
      const float f = bitsAs<float>(c);
      const bool first = selector == Selector::Integer
                             ? static_cast<std::int32_t>(c) >= 0
                             : (selector == Selector::FlushedFloat ? flushed(f) : f) >= 0.0F;
      return first ? a : b;
    });
  }
};

constexpr TypeSet kNarrow = kWords | setOf(Type::U16, Type::S16);
constexpr TypeSet kS32 = setOf(Type::S32);
constexpr Form kArithmetic[] = {
    binary<kIntegers, Add>("add"),
    binary<kS32, AddSaturated>("add.sat"),
    binary<kIntegers, Sub>("sub"),
    binary<kS32, SubSaturated>("sub.sat"),
    binary<kIntegers, MulLo>("mul.lo"),
    binary<kIntegers, MulHi>("mul.hi"),
    row<kNarrow, MulWide, Twice, Same, Same>("mul.wide"),
    ternary<kIntegers, MadLo>("mad.lo"),
    ternary<kIntegers, MadHi>("mad.hi"),
    ternary<kS32, MadHiSaturated>("mad.hi.sat"),
    row<kNarrow, MadWide, Twice, Same, Same, Twice>("mad.wide"),
    binary<kIntegers, Div>("div", InstructionClass::Division),
    binary<kIntegers, Rem>("rem", InstructionClass::Division),
    binary<kIntegers, Min>("min"),
    binary<kIntegers, Max>("max"),
    ternary<kIntegers, Sad>("sad"),
    unary<kSigned, Neg>("neg"),
    unary<kSigned, Abs>("abs"),
    binary<kBitTypes | kPredicates, And>("and"),
    binary<kBitTypes | kPredicates, Or>("or"),
    binary<kBitTypes | kPredicates, Xor>("xor"),
    unary<kBitTypes | kPredicates, Not>("not"),
    unary<kBitTypes, Cnot>("cnot"),
    row<kBitTypes, Shl, Same, Same, U32>("shl"),
    row<kBitTypes | kIntegers, Shr, Same, Same, U32>("shr"),
    unary<kNumbers | kHalves | kPredicates, Move>("mov"),
    {"selp", Select::kOperands, &handlerFor<Select, kNumbers>},
    {"slct", Slct::kOperands, &handlerFor<Slct, kNumbers>},
};

}  // namespace
}  // namespace fermata::ptx::FERMATA_LANES
