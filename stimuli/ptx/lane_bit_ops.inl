// Bit fields, permutations, 24-bit and byte products of one lane. lane_integer.cpp includes this
// file behind lane_integer_ops.inl.

namespace fermata::ptx::FERMATA_LANES {
namespace {

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
template <class T>
inline T bitFieldInsert(T a, T b, std::uint32_t c, std::uint32_t d) {
  constexpr std::uint32_t kBits = 8 * sizeof(T);
  const std::uint32_t at = c & 0xffU;
  const std::uint32_t length = d & 0xffU;
  if (at >= kBits || length == 0) return b;
  const T ones = length >= kBits ? static_cast<T>(~T(0)) : static_cast<T>((T(1) << length) - 1);
  return static_cast<T>((b & ~(ones << at)) | ((a & ones) << at));
}

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

}  // namespace
}  // namespace fermata::ptx::FERMATA_LANES
