// Rows of bit counts and fields, permutations, 24-bit and byte products. lane_integer.cpp compiles
// this file for each instruction set.

#include <fermata/stimuli/ptx/lane_integer_ops.inl>

namespace fermata::ptx::FERMATA_LANES {
namespace {

template <class T>
inline T reversed(T a) {
  T r = 0;
  for (unsigned bit = 0; bit < kBits<T>; ++bit)
    r = static_cast<T>(r | (((a >> bit) & 1U) << (kBits<T> - 1 - bit)));
  return r;
}
template <class T>
inline std::uint32_t leadingZeros(T a) {
  return a == 0 ? kBits<T> : static_cast<std::uint32_t>(__builtin_clzll(a)) - (64 - kBits<T>);
}
/// Finds the highest bit that differs from the sign.
template <class T>
inline std::uint32_t highestBit(T a) {
  const auto bits = static_cast<U<T>>(a < 0 ? ~a : a);
  return bits == 0 ? ~0U : 63U - static_cast<std::uint32_t>(__builtin_clzll(bits));
}
// Position and length of a bit field are the low bytes of 32-bit operands.
template <class T>
inline T fieldOf(T a, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t at = b & 0xffU;
  const std::uint32_t length = c & 0xffU;
  if (length == 0) return 0;
  const std::uint32_t top = at + length - 1 < kBits<T> - 1 ? at + length - 1 : kBits<T> - 1;
  const bool sign = std::is_signed_v<T> && ((static_cast<U<T>>(a) >> top) & 1U) != 0;
  U<T> field = at >= kBits<T> ? 0 : static_cast<U<T>>(a) >> at;
  const std::uint32_t held = at >= kBits<T> ? 0 : (kBits<T> - at < length ? kBits<T> - at : length);
  if (held < kBits<T>) {
    const U<T> mask = static_cast<U<T>>((U<T>(1) << held) - 1);
    field = sign ? (field | ~mask) : (field & mask);
  }
  return static_cast<T>(field);
}
template <class T>
inline T withField(T a, T b, std::uint32_t c, std::uint32_t d) {
  const std::uint32_t at = c & 0xffU;
  const std::uint32_t length = d & 0xffU;
  if (at >= kBits<T> || length == 0) return b;
  const T ones = length >= kBits<T> ? static_cast<T>(~T(0)) : static_cast<T>((T(1) << length) - 1);
  return static_cast<T>((b & ~(ones << at)) | ((a & ones) << at));
}

inline std::int32_t low24(std::int32_t a) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << 8) >> 8;
}
inline std::uint32_t low24(std::uint32_t a) {
  return a & 0xffffffU;
}
template <class T>
inline T lowMul24(T a, T b) {
  return wrapMul(low24(a), low24(b));
}
template <class T>
inline T highMul24(T a, T b) {
  return static_cast<T>(wideMul(low24(a), low24(b)) >> 16);
}

template <bool Left, bool Wrap>
inline std::uint32_t funnel(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::uint64_t both = (std::uint64_t{b} << 32) | a;
  const std::uint32_t n = Wrap ? c & 31U : (c < 32 ? c : 32);
  return static_cast<std::uint32_t>(Left ? (both << n) >> 32 : both >> n);
}

inline std::uint32_t byteOf(std::uint64_t both, std::uint32_t selector) {
  const auto byte = static_cast<std::uint32_t>(both >> (8 * (selector & 7U))) & 0xffU;
  return (selector & 8U) != 0 ? ((byte & 0x80U) != 0 ? 0xffU : 0U) : byte;
}
/// Returns the four bytes of b and a that the selectors name, the lowest first.
inline std::uint32_t permuted(std::uint32_t a, std::uint32_t b, std::uint32_t s0, std::uint32_t s1,
                              std::uint32_t s2, std::uint32_t s3) {
  const std::uint64_t both = (std::uint64_t{b} << 32) | a;
  return byteOf(both, s0) | byteOf(both, s1) << 8 | byteOf(both, s2) << 16 | byteOf(both, s3) << 24;
}

/// Adds to c the products of the elements of a, of type A, with as many bytes of b, of type B, from
/// bit `First` of b on.
template <class A, class B, unsigned First>
inline std::uint32_t dotProduct(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (unsigned k = 0; k < 4 / sizeof(A); ++k) {
    const std::int32_t left = static_cast<A>(a >> (kBits<A> * k));
    const std::int32_t right = static_cast<B>(b >> (First + 8 * k));
    c += static_cast<std::uint32_t>(left * right);
  }
  return c;
}

// Sets bits [a, a + b); both numbers wrap or are clamped (PTX ISA, bmsk).
template <bool Clamps>
inline std::uint32_t bitMask(std::uint32_t a, std::uint32_t b) {
  if (Clamps && a >= 32) return 0;
  const std::uint32_t first = a & 31U;
  const std::uint32_t end = first + (b & 31U);
  const std::uint32_t from = ~0U << first;
  return end >= 32 || (Clamps && b >= 32) ? from : from & ~(~0U << end);
}
// Extends the lowest b bits of a (PTX ISA, szext).
template <bool Clamps, class T>
inline T extendedFrom(T a, std::uint32_t b) {
  if (Clamps && b >= 32) return a;
  const std::uint32_t unused = 32 - (b & 31U);
  return unused == 32 ? 0
                      : static_cast<T>(static_cast<T>(static_cast<U<T>>(a) << unused) >> unused);
}
// Finds the c-th set bit of mask a from bit b on; the sign of c gives the direction (PTX ISA, fns).
inline std::uint32_t findSet(std::uint32_t bits, std::uint32_t base, std::uint32_t which) {
  const auto offset = static_cast<std::int32_t>(which);
  if (offset == 0) return base < 32 && (bits >> base & 1U) != 0 ? base : ~0U;
  std::int64_t left = offset > 0 ? std::int64_t{offset} : -std::int64_t{offset};
  const int step = offset > 0 ? 1 : -1;
  for (std::int64_t at = base; at >= 0 && at < 32; at += step) {
    if ((bits >> at & 1U) != 0 && --left == 0) return static_cast<std::uint32_t>(at);
  }
  return ~0U;
}

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
using Word = std::uint32_t;
template <bool Left, bool Wrap>
constexpr Form funnelShift(std::string_view opcode) {
  return row<kB32, U32, Same, Same, U32>(
      opcode, [](Word a, Word b, Word c) { return funnel<Left, Wrap>(a, b, c); });
}
/// A row of prmt with a mode: Op gives the selector of byte k from the lowest two bits of c.
template <class Op>
constexpr Form prmt(std::string_view opcode, Op) {
  return ternary<kB32>(opcode, [](Word a, Word b, Word c) {
    const auto of = [=](Word k) { return operationOf<Op>()(c & 3U, k); };
    return permuted(a, b, of(0), of(1), of(2), of(3));
  });
}
template <class A, class B, unsigned First = 0>
constexpr Form dot(std::string_view opcode) {
  return ternary<kB32>(opcode,
                       [](Word a, Word b, Word c) { return dotProduct<A, B, First>(a, b, c); });
}
constexpr Form kBitForms[] = {
    row<kBits32, U32, Same>("popc", [](auto a) { return __builtin_popcountll(a); }),
    row<kBits32, U32, Same>("clz", [](auto a) { return leadingZeros(a); }),
    unary<kBits32>("brev", [](auto a) { return reversed(a); }),
    row<kIntegers32, U32, Same>("bfind", [](auto a) { return highestBit(a); }),
    row<kIntegers32, U32, Same>("bfind.shiftamt",
                                [](auto a) {
                                  const Word at = highestBit(a);
                                  return at == ~0U ? at : kBits<decltype(a)> - 1 - at;
                                }),
    row<kIntegers32, Same, Same, U32, U32>(
        "bfe", [](auto a, Word at, Word length) { return fieldOf(a, at, length); }),
    row<kBits32, Same, Same, Same, U32, U32>(
        "bfi", [](auto a, auto b, Word at, Word length) { return withField(a, b, at, length); }),
    binary<kWords>("mul24.lo", [](auto a, auto b) { return lowMul24(a, b); }),
    binary<kWords>("mul24.hi", [](auto a, auto b) { return highMul24(a, b); }),
    ternary<kWords>("mad24.lo", [](auto a, auto b, auto c) { return wrapAdd(lowMul24(a, b), c); }),
    ternary<kWords>("mad24.hi", [](auto a, auto b, auto c) { return wrapAdd(highMul24(a, b), c); }),
    ternary<kB32>("prmt",
                  [](Word a, Word b, Word s) {
                    return permuted(a, b, s & 15U, s >> 4 & 15U, s >> 8 & 15U, s >> 12 & 15U);
                  }),
    prmt("prmt.f4e", [](Word s, Word k) { return s + k; }),
    prmt("prmt.b4e", [](Word s, Word k) { return (s + 8 - k) & 7U; }),
    prmt("prmt.rc8", [](Word s, Word) { return s; }),
    prmt("prmt.ecl", [](Word s, Word k) { return s > k ? s : k; }),
    prmt("prmt.ecr", [](Word s, Word k) { return s < k ? s : k; }),
    prmt("prmt.rc16", [](Word s, Word k) { return (s & 1U) * 2 + (k & 1U); }),
    {"lop3", Lop3::kOperands, &handlerFor<Lop3, kB32>},
    funnelShift<true, false>("shf.l.clamp"),
    funnelShift<true, true>("shf.l.wrap"),
    funnelShift<false, false>("shf.r.clamp"),
    funnelShift<false, true>("shf.r.wrap"),
    // Types of both factors: u unsigned, s signed.
    dot<std::uint8_t, std::uint8_t>("dp4a.uu"),
    dot<std::uint8_t, std::int8_t>("dp4a.us"),
    dot<std::int8_t, std::uint8_t>("dp4a.su"),
    dot<std::int8_t, std::int8_t>("dp4a.ss"),
    dot<std::uint16_t, std::uint8_t>("dp2a.lo.uu"),
    dot<std::uint16_t, std::int8_t>("dp2a.lo.us"),
    dot<std::int16_t, std::uint8_t>("dp2a.lo.su"),
    dot<std::int16_t, std::int8_t>("dp2a.lo.ss"),
    dot<std::uint16_t, std::uint8_t, 16>("dp2a.hi.uu"),
    dot<std::uint16_t, std::int8_t, 16>("dp2a.hi.us"),
    dot<std::int16_t, std::uint8_t, 16>("dp2a.hi.su"),
    dot<std::int16_t, std::int8_t, 16>("dp2a.hi.ss"),
    binary<kB32>("bmsk.clamp", [](Word a, Word b) { return bitMask<true>(a, b); }),
    binary<kB32>("bmsk.wrap", [](Word a, Word b) { return bitMask<false>(a, b); }),
    row<kWords, B32, B32, B32>(
        "szext.clamp", [](auto a, auto b) { return extendedFrom<true>(a, static_cast<Word>(b)); }),
    row<kWords, B32, B32, B32>(
        "szext.wrap", [](auto a, auto b) { return extendedFrom<false>(a, static_cast<Word>(b)); }),
    ternary<kB32>("fns", [](Word a, Word b, Word c) { return findSet(a, b, c); }),
};

}  // namespace

const Form* integerForm(std::size_t k) {
  if (k < std::size(kArithmetic)) return &kArithmetic[k];
  k -= std::size(kArithmetic);
  return k < std::size(kBitForms) ? &kBitForms[k] : nullptr;
}

}  // namespace fermata::ptx::FERMATA_LANES
