// add.cc, addc, sub.cc, subc, mad.cc, madc: extended precision through the condition code of each
// lane, which holds the borrow for sub.cc and subc.
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

__extension__ typedef unsigned __int128 Unsigned128;
__extension__ typedef __int128 Signed128;

template <class T>
using Row_ = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
T high(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(
        static_cast<Unsigned128>(static_cast<Signed128>(a) * static_cast<Signed128>(b)) >>
        (8 * sizeof(T)));
  } else {
    return static_cast<T>((static_cast<Unsigned128>(a) * b) >> (8 * sizeof(T)));
  }
}

template <CarryOp Op, class T>
void carrying(Warp& warp, const Instruction& i, LaneMask mask) {
  using U = std::make_unsigned_t<T>;
  const bool takes = i.carry.takes;
  const bool gives = i.carry.gives;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = firstLane(rest);
    const LaneMask bit = LaneMask{1} << lane;
    const T a = static_cast<T>(rowOf<Row_<T>>(warp, i.a)[lane]);
    const T b = static_cast<T>(rowOf<Row_<T>>(warp, i.b)[lane]);
    const Unsigned128 in = takes && (warp.carry & bit) != 0 ? 1 : 0;
    Unsigned128 sum = 0;
    if constexpr (Op == CarryOp::Add)
      sum = static_cast<Unsigned128>(static_cast<U>(a)) + static_cast<U>(b) + in;
    if constexpr (Op == CarryOp::Sub)
      sum = static_cast<Unsigned128>(static_cast<U>(a)) - static_cast<U>(b) - in;
    if constexpr (Op == CarryOp::MadLo || Op == CarryOp::MadHi) {
      const U c = static_cast<U>(rowOf<Row_<T>>(warp, i.c)[lane]);
      const U product = Op == CarryOp::MadLo ? static_cast<U>(static_cast<U>(a) * static_cast<U>(b))
                                             : static_cast<U>(high<T>(a, b));
      sum = static_cast<Unsigned128>(product) + c + in;
    }
    rowOf<Row_<T>>(warp, i.d)[lane] = static_cast<U>(sum);
    if (gives) {
      const bool out = (sum >> (8 * sizeof(T)) & 1U) != 0;
      warp.carry = out ? warp.carry | bit : warp.carry & ~bit;
    }
  }
}

template <CarryOp Op>
Handler forType(Type type) {
  switch (type) {
    case Type::U32:
      return &carrying<Op, std::uint32_t>;
    case Type::S32:
      return &carrying<Op, std::int32_t>;
    case Type::U64:
      return &carrying<Op, std::uint64_t>;
    case Type::S64:
      return &carrying<Op, std::int64_t>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler carryHandler(CarryOp op, Type type) {
  switch (op) {
    case CarryOp::Add:
      return forType<CarryOp::Add>(type);
    case CarryOp::Sub:
      return forType<CarryOp::Sub>(type);
    case CarryOp::MadLo:
      return forType<CarryOp::MadLo>(type);
    case CarryOp::MadHi:
      return forType<CarryOp::MadHi>(type);
  }
  return nullptr;
}

}  // namespace fermata::ptx
