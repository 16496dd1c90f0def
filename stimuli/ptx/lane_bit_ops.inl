// Bit counts and fields, permutations, 24-bit and byte products: operations on one lane, and their
// rows. lane_integer.cpp includes this file behind lane_integer_ops.inl.

namespace fermata::ptx::FERMATA_LANES {
namespace {

struct Brev {
  template <class T>
  static T of(T a) {
    T r = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit)
      r = static_cast<T>(r | (((a >> bit) & 1U) << (8 * sizeof(T) - 1 - bit)));
    return r;
  }
};
struct Popc {
  template <class T>
  static std::uint32_t of(T a) {
    return static_cast<std::uint32_t>(__builtin_popcountll(a));
  }
};
struct Clz {
  template <class T>
  static std::uint32_t of(T a) {
    return a == 0 ? 8 * sizeof(T)
                  : static_cast<std::uint32_t>(__builtin_clzll(a)) - (64 - 8 * sizeof(T));
  }
};
struct Bfind {
  template <class T>
  static std::uint32_t of(T a) {
    const U<T> bits = static_cast<U<T>>(a < 0 ? ~a : a);
    return bits == 0 ? 0xffffffffU : 63U - static_cast<std::uint32_t>(__builtin_clzll(bits));
  }
};
struct BfindShift {
  template <class T>
  static std::uint32_t of(T a) {
    const std::uint32_t at = Bfind::of(a);
    return at == 0xffffffffU ? at : 8 * sizeof(T) - 1 - at;
  }
};
// Position and length of a bit field are the low bytes of 32-bit operands.
struct Bfe {
  template <class T>
  static T of(T a, std::uint32_t b, std::uint32_t c) {
    constexpr std::uint32_t kBits = 8 * sizeof(T);
    const std::uint32_t at = b & 0xffU;
    const std::uint32_t length = c & 0xffU;
    if (length == 0) return 0;
    const std::uint32_t top = at + length - 1 < kBits - 1 ? at + length - 1 : kBits - 1;
    const bool sign = std::is_signed_v<T> && ((static_cast<U<T>>(a) >> top) & 1U) != 0;
    U<T> field = at >= kBits ? 0 : static_cast<U<T>>(a) >> at;
    const std::uint32_t held = at >= kBits ? 0 : (kBits - at < length ? kBits - at : length);
    if (held < kBits) {
      const U<T> mask = static_cast<U<T>>((U<T>(1) << held) - 1);
      field = sign ? (field | ~mask) : (field & mask);
    }
    return static_cast<T>(field);
  }
};
struct Bfi {
  template <class T>
  static T of(T a, T b, std::uint32_t c, std::uint32_t d) {
    constexpr std::uint32_t kBits = 8 * sizeof(T);
    const std::uint32_t at = c & 0xffU;
    const std::uint32_t length = d & 0xffU;
    if (at >= kBits || length == 0) return b;
    const T ones = length >= kBits ? static_cast<T>(~T(0)) : static_cast<T>((T(1) << length) - 1);
    return static_cast<T>((b & ~(ones << at)) | ((a & ones) << at));
  }
};

inline std::int32_t low24(std::int32_t a) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << 8) >> 8;
}
inline std::uint32_t low24(std::uint32_t a) {
  return a & 0xffffffU;
}
struct Mul24Lo {
  template <class T>
  static T of(T a, T b) {
    return wrapMul(low24(a), low24(b));
  }
};
struct Mul24Hi {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(wideMul(low24(a), low24(b)) >> 16);
  }
};
struct Mad24Lo {
  template <class T>
  static T of(T a, T b, T c) {
    return wrapAdd(Mul24Lo::of(a, b), c);
  }
};
struct Mad24Hi {
  template <class T>
  static T of(T a, T b, T c) {
    return wrapAdd(Mul24Hi::of(a, b), c);
  }
};

inline std::uint32_t funnel(std::uint32_t a, std::uint32_t b, std::uint32_t n, bool left) {
  const std::uint64_t both = (std::uint64_t{b} << 32) | a;
  return left ? static_cast<std::uint32_t>((both << n) >> 32)
              : static_cast<std::uint32_t>(both >> n);
}
template <bool Left, bool Wrap>
struct Shf {
  template <class T>
  static T of(T a, T b, T c) {
    return funnel(a, b, Wrap ? c & 31U : (c < 32 ? c : 32), Left);
  }
};

inline std::uint32_t byteOf(std::uint64_t both, std::uint32_t selector) {
  const auto byte = static_cast<std::uint32_t>(both >> (8 * (selector & 7U))) & 0xffU;
  return (selector & 8U) != 0 ? ((byte & 0x80U) != 0 ? 0xffU : 0U) : byte;
}
inline std::uint32_t permuted(std::uint32_t a, std::uint32_t b, std::uint32_t s0, std::uint32_t s1,
                              std::uint32_t s2, std::uint32_t s3) {
  const std::uint64_t both = (std::uint64_t{b} << 32) | a;
  return byteOf(both, s0) | byteOf(both, s1) << 8 | byteOf(both, s2) << 16 | byteOf(both, s3) << 24;
}
struct Prmt {
  template <class T>
  static T of(T a, T b, T c) {
    return permuted(a, b, c & 15U, (c >> 4) & 15U, (c >> 8) & 15U, (c >> 12) & 15U);
  }
};
struct PrmtF4e {
  template <class T>
  static T of(T a, T b, T c) {
    const T s = c & 3U;
    return permuted(a, b, s, s + 1, s + 2, s + 3);
  }
};
struct PrmtB4e {
  template <class T>
  static T of(T a, T b, T c) {
    const T s = c & 3U;
    return permuted(a, b, s, (s + 7) & 7U, (s + 6) & 7U, (s + 5) & 7U);
  }
};
struct PrmtRc8 {
  template <class T>
  static T of(T a, T b, T c) {
    const T s = c & 3U;
    return permuted(a, b, s, s, s, s);
  }
};
struct PrmtEcl {
  template <class T>
  static T of(T a, T b, T c) {
    const T s = c & 3U;
    return permuted(a, b, s, s > 1 ? s : 1, s > 2 ? s : 2, 3);
  }
};
struct PrmtEcr {
  template <class T>
  static T of(T a, T b, T c) {
    const T s = c & 3U;
    return permuted(a, b, 0, s < 1 ? s : 1, s < 2 ? s : 2, s);
  }
};
struct PrmtRc16 {
  template <class T>
  static T of(T a, T b, T c) {
    const T s = (c & 1U) * 2;
    return permuted(a, b, s, s + 1, s, s + 1);
  }
};

template <bool SignedA, bool SignedB>
struct Dp4a {
  template <class T>
  static T of(T a, T b, T c) {
    std::uint32_t sum = c;
    for (unsigned byte = 0; byte < 4; ++byte) {
      const auto x = static_cast<std::uint8_t>(a >> (8 * byte));
      const auto y = static_cast<std::uint8_t>(b >> (8 * byte));
      const std::int32_t left = SignedA ? static_cast<std::int8_t>(x) : x;
      const std::int32_t right = SignedB ? static_cast<std::int8_t>(y) : y;
      sum += static_cast<std::uint32_t>(left * right);
    }
    return sum;
  }
};
template <unsigned First, bool SignedA, bool SignedB>
struct Dp2a {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (unsigned k = 0; k < 2; ++k) {
      const auto x = static_cast<std::uint16_t>(a >> (16 * k));
      const auto y = static_cast<std::uint8_t>(b >> (First + 8 * k));
      const std::int32_t left = SignedA ? static_cast<std::int16_t>(x) : x;
      const std::int32_t right = SignedB ? static_cast<std::int8_t>(y) : y;
      c += static_cast<std::uint32_t>(left * right);
    }
    return c;
  }
};

// Sets bits [a, a + b); both numbers wrap or are clamped (PTX ISA, bmsk).
template <bool Clamps>
struct BitMask {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) {
    if (Clamps && a >= 32) return 0;
    const std::uint32_t first = a & 31U;
    const std::uint32_t end = first + (b & 31U);
    const std::uint32_t from = ~0U << first;
    return end >= 32 || (Clamps && b >= 32) ? from : from & ~(~0U << end);
  }
};
// Extends the lowest b bits of a (PTX ISA, szext).
template <bool Clamps>
struct Extend {
  template <class T>
  static T of(T a, std::uint32_t b) {
    if (Clamps && b >= 32) return a;
    const std::uint32_t unused = 32 - (b & 31U);
    return unused == 32 ? 0
                        : static_cast<T>(static_cast<T>(static_cast<U<T>>(a) << unused) >> unused);
  }
};
// Finds the c-th set bit of mask a from bit b on; the sign of c gives the direction (PTX ISA, fns).
struct FindSet {
  static std::uint32_t of(std::uint32_t bits, std::uint32_t base, std::uint32_t which) {
    const auto offset = static_cast<std::int32_t>(which);
    if (offset == 0) return base < 32 && (bits >> base & 1U) != 0 ? base : ~0U;
    std::int64_t left = offset > 0 ? std::int64_t{offset} : -std::int64_t{offset};
    const int step = offset > 0 ? 1 : -1;
    for (std::int64_t at = base; at >= 0 && at < 32; at += step) {
      if ((bits >> at & 1U) != 0 && --left == 0) return static_cast<std::uint32_t>(at);
    }
    return ~0U;
  }
};

struct Lop3 {
  static constexpr OperandKinds kOperands = {OperandKind::Same, OperandKind::Same,
                                             OperandKind::Same, OperandKind::Same,
                                             OperandKind::Table};
  template <class T>
  static void run(Warp& w, const Instruction& i, LaneMask m) {
    const auto table = static_cast<T>(i.offset);
    map<T, T, T, T>(w, i, m, [table](T a, T b, T c) {
      T r = 0;
      for (unsigned k = 0; k < 8; ++k) {
        const T minterm =
            ((k & 4U) != 0 ? a : ~a) & ((k & 2U) != 0 ? b : ~b) & ((k & 1U) != 0 ? c : ~c);
        r |= (table >> k & 1U) != 0 ? minterm : 0U;
      }
      return r;
    });
  }
};

constexpr TypeSet kB32 = setOf(Type::B32);
constexpr TypeSet kBits32 = setOf(Type::B32, Type::B64);
constexpr TypeSet kIntegers32 = kWords | setOf(Type::U64, Type::S64);
template <class Op>
constexpr Form funnel(std::string_view opcode) {
  return row<kB32, Op, U32, Same, Same, U32>(opcode);
}
constexpr Form kBitForms[] = {
    row<kBits32, Popc, U32, Same>("popc"),
    row<kBits32, Clz, U32, Same>("clz"),
    unary<kBits32, Brev>("brev"),
    row<kIntegers32, Bfind, U32, Same>("bfind"),
    row<kIntegers32, BfindShift, U32, Same>("bfind.shiftamt"),
    row<kIntegers32, Bfe, Same, Same, U32, U32>("bfe"),
    row<kBits32, Bfi, Same, Same, Same, U32, U32>("bfi"),
    binary<kWords, Mul24Lo>("mul24.lo"),
    binary<kWords, Mul24Hi>("mul24.hi"),
    ternary<kWords, Mad24Lo>("mad24.lo"),
    ternary<kWords, Mad24Hi>("mad24.hi"),
    ternary<kB32, Prmt>("prmt"),
    ternary<kB32, PrmtF4e>("prmt.f4e"),
    ternary<kB32, PrmtB4e>("prmt.b4e"),
    ternary<kB32, PrmtRc8>("prmt.rc8"),
    ternary<kB32, PrmtEcl>("prmt.ecl"),
    ternary<kB32, PrmtEcr>("prmt.ecr"),
    ternary<kB32, PrmtRc16>("prmt.rc16"),
    {"lop3", Lop3::kOperands, &handlerFor<Lop3, kB32>},
    funnel<Shf<true, false>>("shf.l.clamp"),
    funnel<Shf<true, true>>("shf.l.wrap"),
    funnel<Shf<false, false>>("shf.r.clamp"),
    funnel<Shf<false, true>>("shf.r.wrap"),
    // Types of both factors: u unsigned, s signed.
    ternary<kB32, Dp4a<false, false>>("dp4a.uu"),
    ternary<kB32, Dp4a<false, true>>("dp4a.us"),
    ternary<kB32, Dp4a<true, false>>("dp4a.su"),
    ternary<kB32, Dp4a<true, true>>("dp4a.ss"),
    ternary<kB32, Dp2a<0, false, false>>("dp2a.lo.uu"),
    ternary<kB32, Dp2a<0, false, true>>("dp2a.lo.us"),
    ternary<kB32, Dp2a<0, true, false>>("dp2a.lo.su"),
    ternary<kB32, Dp2a<0, true, true>>("dp2a.lo.ss"),
    ternary<kB32, Dp2a<16, false, false>>("dp2a.hi.uu"),
    ternary<kB32, Dp2a<16, false, true>>("dp2a.hi.us"),
    ternary<kB32, Dp2a<16, true, false>>("dp2a.hi.su"),
    ternary<kB32, Dp2a<16, true, true>>("dp2a.hi.ss"),
    binary<kB32, BitMask<true>>("bmsk.clamp"),
    binary<kB32, BitMask<false>>("bmsk.wrap"),
    row<kWords, Extend<true>, B32, B32, B32>("szext.clamp"),
    row<kWords, Extend<false>, B32, B32, B32>("szext.wrap"),
    ternary<kB32, FindSet>("fns"),
};

}  // namespace

const Form* integerForm(std::size_t k) {
  if (k < std::size(kArithmetic)) return &kArithmetic[k];
  k -= std::size(kArithmetic);
  return k < std::size(kBitForms) ? &kBitForms[k] : nullptr;
}

}  // namespace fermata::ptx::FERMATA_LANES
