// Arithmetic rounded towards zero, down or up. The processor's rounding mode is set around each
// warp, which gives IEEE results for +, -, *, /, fma and square root. Compiled with
// -frounding-math.
#include <cfenv>
#include <cmath>
#include <cstring>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

class RoundingMode {
 public:
  explicit RoundingMode(Direction direction) : before_(std::fegetround()) {
    switch (direction) {
      case Direction::Zero:
        std::fesetround(FE_TOWARDZERO);
        break;
      case Direction::Down:
        std::fesetround(FE_DOWNWARD);
        break;
      case Direction::Up:
        std::fesetround(FE_UPWARD);
        break;
    }
  }
  ~RoundingMode() { std::fesetround(before_); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;

 private:
  int before_;
};

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
T flushed(T value, bool flush) {
  if constexpr (sizeof(T) == 4) {
    if (flush && std::fpclassify(value) == FP_SUBNORMAL) return std::copysign(T(0), value);
  }
  return value;
}

/// Returns a lane's operand. volatile keeps the arithmetic between the two changes of the mode.
template <class T>
T operand(const Warp& warp, Row row, unsigned lane, bool flush) {
  T value;
  std::memcpy(&value, rowBytes(warp, row) + lane * sizeof(T), sizeof value);
  volatile T kept = flushed(value, flush);
  return kept;
}

template <class T>
void store(const Warp& warp, const Instruction& i, unsigned lane, T value) {
  value = flushed(value, (i.floatFlags & kFlushFlag) != 0);
  if ((i.floatFlags & kSaturateFlag) != 0)
    value = value > T(0) ? (value < T(1) ? value : T(1)) : T(0);
  Bits<T> bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (sizeof(T) == 4 && value != value) bits = static_cast<Bits<T>>(0x7fffffffU);
  rowOf<Bits<T>>(warp, i.d)[lane] = bits;
}

template <DirectedOp Op, class T>
T result(const Warp& warp, const Instruction& i, unsigned lane) {
  const bool flush = (i.floatFlags & kFlushFlag) != 0;
  const T a = operand<T>(warp, i.a, lane, flush);
  if constexpr (Op == DirectedOp::Sqrt) return std::sqrt(a);
  if constexpr (Op == DirectedOp::Rcp) return T(1) / a;
  const T b = operand<T>(warp, i.b, lane, flush);
  if constexpr (Op == DirectedOp::Add) return a + b;
  if constexpr (Op == DirectedOp::Sub) return a - b;
  if constexpr (Op == DirectedOp::Mul) return a * b;
  if constexpr (Op == DirectedOp::Div) return a / b;
  if constexpr (Op == DirectedOp::Fma) return std::fma(a, b, operand<T>(warp, i.c, lane, flush));
  return a;
}

template <DirectedOp Op, class T>
void directed(Warp& warp, const Instruction& i, LaneMask mask) {
  const RoundingMode mode(i.direction);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = firstLane(rest);
    volatile T value = result<Op, T>(warp, i, lane);
    store<T>(warp, i, lane, value);
  }
}

/// Computes both halves of .f32x2: a wide row is 64 floats.
template <DirectedOp Op>
void directedPair(Warp& warp, const Instruction& i, LaneMask mask) {
  const RoundingMode mode(i.direction);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    for (unsigned half = 0; half < 2; ++half) {
      const unsigned at = 2 * firstLane(rest) + half;
      volatile float value = result<Op, float>(warp, i, at);
      store<float>(warp, i, at, value);
    }
  }
}

template <class From>
From source(const Warp& warp, Row row, unsigned lane) {
  From value;
  std::memcpy(&value, rowBytes(warp, row) + lane * (sizeof(From) == 8 ? 8 : 4), sizeof value);
  volatile From kept = value;
  return kept;
}

template <class To, class From>
void directedConvert(Warp& warp, const Instruction& i, LaneMask mask) {
  const RoundingMode mode(i.direction);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = firstLane(rest);
    volatile To value = static_cast<To>(source<From>(warp, i.a, lane));
    store<To>(warp, i, lane, value);
  }
}

// Converts unsigned 64-bit integers. The compiler's own sequence is right only to nearest. Values
// from 2^63 on are halved and converted as signed, rounded once; doubling the result is exact.
template <class To>
void directedFromU64(Warp& warp, const Instruction& i, LaneMask mask) {
  const RoundingMode mode(i.direction);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = firstLane(rest);
    std::uint64_t bits = rowOf<std::uint64_t>(warp, i.a)[lane];
    int scale = 0;
    if (bits >> 63 != 0) {
      // Halve, and keep the lost bit sticky: it is far below the last place of either type.
      bits = bits >> 1 | (bits & 1U);
      scale = 1;
    }
    volatile auto half = static_cast<std::int64_t>(bits);
    volatile To value = static_cast<To>(half);
    volatile To factor = static_cast<To>(scale != 0 ? 2 : 1);
    volatile To scaled = value * factor;
    store<To>(warp, i, lane, scaled);
  }
}

template <class To>
Handler fromInteger(Type from) {
  switch (from) {
    case Type::U8:
      return &directedConvert<To, std::uint8_t>;
    case Type::S8:
      return &directedConvert<To, std::int8_t>;
    case Type::U16:
      return &directedConvert<To, std::uint16_t>;
    case Type::S16:
      return &directedConvert<To, std::int16_t>;
    case Type::U32:
      return &directedConvert<To, std::uint32_t>;
    case Type::S32:
      return &directedConvert<To, std::int32_t>;
    case Type::U64:
      return &directedFromU64<To>;
    case Type::S64:
      return &directedConvert<To, std::int64_t>;
    default:
      return nullptr;
  }
}

}  // namespace

template <DirectedOp Op>
Handler directedHandler(Type type) {
  if (type == Type::F32) return &directed<Op, float>;
  if (type == Type::F32x2) return &directedPair<Op>;
  return type == Type::F64 ? &directed<Op, double> : nullptr;
}
template Handler directedHandler<DirectedOp::Add>(Type);
template Handler directedHandler<DirectedOp::Sub>(Type);
template Handler directedHandler<DirectedOp::Mul>(Type);
template Handler directedHandler<DirectedOp::Div>(Type);
template Handler directedHandler<DirectedOp::Fma>(Type);
template Handler directedHandler<DirectedOp::Sqrt>(Type);
template Handler directedHandler<DirectedOp::Rcp>(Type);

Handler directedConvertHandler(Type to, Type from) {
  if (to == Type::F32)
    return from == Type::F64 ? &directedConvert<float, double> : fromInteger<float>(from);
  return to == Type::F64 ? fromInteger<double>(from) : nullptr;
}

}  // namespace fermata::ptx
