// Integer arithmetic, logic and shifts of one lane. lane_integer.cpp includes this file for each
// instruction set. Signed arithmetic goes through unsigned, so that it wraps.

namespace fermata::ptx::FERMATA_LANES {
namespace {

template <class T>
using U = std::make_unsigned_t<T>;

template <class T>
struct Wider;
template <>
struct Wider<std::uint16_t> {
  using type = std::uint32_t;
};
template <>
struct Wider<std::int16_t> {
  using type = std::int32_t;
};
template <>
struct Wider<std::uint32_t> {
  using type = std::uint64_t;
};
template <>
struct Wider<std::int32_t> {
  using type = std::int64_t;
};
__extension__ typedef unsigned __int128 Unsigned128;
__extension__ typedef __int128 Signed128;
template <>
struct Wider<std::uint64_t> {
  using type = Unsigned128;
};
template <>
struct Wider<std::int64_t> {
  using type = Signed128;
};
template <class T>
using W = typename Wider<T>::type;

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

}  // namespace
}  // namespace fermata::ptx::FERMATA_LANES
