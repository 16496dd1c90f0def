// Handlers of integer operations, and their choice by operation and type. lane_integer.cpp includes
// this file for each instruction set.

namespace fermata::ptx::FERMATA_LANES {
namespace {

template <class Op, class T>
void unary(Warp& w, const Instruction& i, LaneMask m) {
  map1<T, T>(w, i, m, [](T a) { return Op::of(a); });
}
template <class Op, class T>
void count(Warp& w, const Instruction& i, LaneMask m) {
  map1<std::uint32_t, T>(w, i, m, [](T a) { return Op::of(a); });
}
template <class Op, class T>
void binary(Warp& w, const Instruction& i, LaneMask m) {
  map2<T, T, T>(w, i, m, [](T a, T b) { return Op::of(a, b); });
}
template <class Op, class T>
void shift(Warp& w, const Instruction& i, LaneMask m) {
  map2<T, T, std::uint32_t>(w, i, m, [](T a, std::uint32_t b) { return Op::of(a, b); });
}
template <class Op, class T>
void ternary(Warp& w, const Instruction& i, LaneMask m) {
  map3<T, T, T, T>(w, i, m, [](T a, T b, T c) { return Op::of(a, b, c); });
}
template <class T>
void mulWide(Warp& w, const Instruction& i, LaneMask m) {
  map2<W<T>, T, T>(w, i, m, [](T a, T b) { return wideMul(a, b); });
}
template <class T>
void madWide(Warp& w, const Instruction& i, LaneMask m) {
  map3<W<T>, T, T, W<T>>(w, i, m, [](T a, T b, W<T> c) { return wrapAdd(wideMul(a, b), c); });
}
template <class T>
void bfe(Warp& w, const Instruction& i, LaneMask m) {
  map3<T, T, std::uint32_t, std::uint32_t>(
      w, i, m, [](T a, std::uint32_t b, std::uint32_t c) { return Bfe::of(a, b, c); });
}
template <class T>
void bfi(Warp& w, const Instruction& i, LaneMask m) {
  const auto* a = in<T>(w, i.a);
  const auto* b = in<T>(w, i.b);
  const auto* c = in<std::uint32_t>(w, i.c);
  const auto* d = in<std::uint32_t>(w, i.vector[0]);
  mapLanes(outRow<T>(w, i.d), m,
           [=](unsigned l) { return put<T>(bitFieldInsert<T>(a[l], b[l], c[l], d[l])); });
}
template <class T>
void select(Warp& w, const Instruction& i, LaneMask m) {
  const auto* a = in<T>(w, i.a);
  const auto* b = in<T>(w, i.b);
  const LaneMask p = predicateValue(w, i.p);
  mapLanes(outRow<T>(w, i.d), m, [=](unsigned l) { return laneOn(p, l) ? a[l] : b[l]; });
}
// slct. Instruction::mode: third operand is 0 s32, 1 f32, 2 f32 with subnormals flushed.
template <class T>
void slct(Warp& w, const Instruction& i, LaneMask m) {
  const auto* a = in<T>(w, i.a);
  const auto* b = in<T>(w, i.b);
  const auto* c = in<std::uint32_t>(w, i.c);
  const unsigned mode = i.mode;
  mapLanes(outRow<T>(w, i.d), m, [=](unsigned l) {
    const float f = bitsAs<float>(c[l]);
    const bool first =
        mode == 0 ? static_cast<std::int32_t>(c[l]) >= 0 : (mode == 2 ? flushed(f) : f) >= 0.0F;
    return first ? a[l] : b[l];
  });
}
void lop3(Warp& w, const Instruction& i, LaneMask m) {
  const auto lut = static_cast<std::uint32_t>(i.offset);
  map3<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>(
      w, i, m, [lut](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        std::uint32_t r = 0;
        for (unsigned k = 0; k < 8; ++k) {
          const std::uint32_t minterm =
              ((k & 4U) != 0 ? a : ~a) & ((k & 2U) != 0 ? b : ~b) & ((k & 1U) != 0 ? c : ~c);
          r |= (lut >> k & 1U) != 0 ? minterm : 0U;
        }
        return r;
      });
}

// Shape of an operation. It has one handler for each type it allows; bit types count as unsigned.
enum class Shape { Unary, Count, Binary, Shift, Ternary };
template <Shape S, class Op, class T>
constexpr Handler shaped() {
  if constexpr (S == Shape::Unary) return &unary<Op, T>;
  if constexpr (S == Shape::Count) return &count<Op, T>;
  if constexpr (S == Shape::Binary) return &binary<Op, T>;
  if constexpr (S == Shape::Shift) return &shift<Op, T>;
  if constexpr (S == Shape::Ternary) return &ternary<Op, T>;
}
template <Shape S, class Op>
Handler all(Type type) {
  switch (type) {
    case Type::U16:
      return shaped<S, Op, std::uint16_t>();
    case Type::S16:
      return shaped<S, Op, std::int16_t>();
    case Type::U32:
      return shaped<S, Op, std::uint32_t>();
    case Type::S32:
      return shaped<S, Op, std::int32_t>();
    case Type::U64:
      return shaped<S, Op, std::uint64_t>();
    case Type::S64:
      return shaped<S, Op, std::int64_t>();
    default:
      return nullptr;
  }
}
template <Shape S, class Op>
Handler signedOnly(Type type) {
  switch (type) {
    case Type::S16:
      return shaped<S, Op, std::int16_t>();
    case Type::S32:
      return shaped<S, Op, std::int32_t>();
    case Type::S64:
      return shaped<S, Op, std::int64_t>();
    default:
      return nullptr;
  }
}
template <Shape S, class Op>
Handler bits(Type type) {
  switch (type) {
    case Type::B16:
      return shaped<S, Op, std::uint16_t>();
    case Type::B32:
      return shaped<S, Op, std::uint32_t>();
    case Type::B64:
      return shaped<S, Op, std::uint64_t>();
    default:
      return nullptr;
  }
}
template <Shape S, class Op>
Handler bits32(Type type) {
  switch (type) {
    case Type::B32:
      return shaped<S, Op, std::uint32_t>();
    case Type::B64:
      return shaped<S, Op, std::uint64_t>();
    default:
      return nullptr;
  }
}
template <Shape S, class Op>
Handler words(Type type) {  // u32 and s32
  switch (type) {
    case Type::U32:
      return shaped<S, Op, std::uint32_t>();
    case Type::S32:
      return shaped<S, Op, std::int32_t>();
    default:
      return nullptr;
  }
}
template <Shape S, class Op>
Handler words64(Type type) {  // u32, s32, u64, s64
  switch (type) {
    case Type::U64:
      return shaped<S, Op, std::uint64_t>();
    case Type::S64:
      return shaped<S, Op, std::int64_t>();
    default:
      return words<S, Op>(type);
  }
}
template <class Op>
Handler word(Type type) {
  return type == Type::B32 ? &ternary<Op, std::uint32_t> : nullptr;
}
template <class Op>
Handler shifts(Type type) {
  const Handler handler = bits<Shape::Shift, Op>(type);
  return handler != nullptr ? handler : all<Shape::Shift, Op>(type);
}
Handler anyWidth(Type type, Handler b16, Handler b32, Handler b64) {
  switch (bytesOf(type)) {
    case 2:
      return b16;
    case 4:
      return b32;
    case 8:
      return b64;
    default:
      return nullptr;
  }
}
Handler wide(Type type, bool mad) {
  switch (type) {
    case Type::U16:
      return mad ? &madWide<std::uint16_t> : &mulWide<std::uint16_t>;
    case Type::S16:
      return mad ? &madWide<std::int16_t> : &mulWide<std::int16_t>;
    case Type::U32:
      return mad ? &madWide<std::uint32_t> : &mulWide<std::uint32_t>;
    case Type::S32:
      return mad ? &madWide<std::int32_t> : &mulWide<std::int32_t>;
    default:
      return nullptr;
  }
}
Handler bitField(Type type) {
  switch (type) {
    case Type::U32:
      return &bfe<std::uint32_t>;
    case Type::S32:
      return &bfe<std::int32_t>;
    case Type::U64:
      return &bfe<std::uint64_t>;
    case Type::S64:
      return &bfe<std::int64_t>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler integerHandler(IntegerOp op, Type type) {
  switch (op) {
    case IntegerOp::Add:
      return all<Shape::Binary, Add>(type);
    case IntegerOp::Sub:
      return all<Shape::Binary, Sub>(type);
    case IntegerOp::MulLo:
      return all<Shape::Binary, MulLo>(type);
    case IntegerOp::MulHi:
      return all<Shape::Binary, MulHi>(type);
    case IntegerOp::MulWide:
      return wide(type, false);
    case IntegerOp::Div:
      return all<Shape::Binary, Div>(type);
    case IntegerOp::Rem:
      return all<Shape::Binary, Rem>(type);
    case IntegerOp::Min:
      return all<Shape::Binary, Min>(type);
    case IntegerOp::Max:
      return all<Shape::Binary, Max>(type);
    case IntegerOp::MadLo:
      return all<Shape::Ternary, MadLo>(type);
    case IntegerOp::MadHi:
      return all<Shape::Ternary, MadHi>(type);
    case IntegerOp::MadWide:
      return wide(type, true);
    case IntegerOp::Sad:
      return all<Shape::Ternary, Sad>(type);
    case IntegerOp::Abs:
      return signedOnly<Shape::Unary, Abs>(type);
    case IntegerOp::Neg:
      return signedOnly<Shape::Unary, Neg>(type);
    case IntegerOp::Mul24Lo:
      return words<Shape::Binary, Mul24Lo>(type);
    case IntegerOp::Mul24Hi:
      return words<Shape::Binary, Mul24Hi>(type);
    case IntegerOp::Mad24Lo:
      return words<Shape::Ternary, Mad24Lo>(type);
    case IntegerOp::Mad24Hi:
      return words<Shape::Ternary, Mad24Hi>(type);
    case IntegerOp::And:
      return bits<Shape::Binary, And>(type);
    case IntegerOp::Or:
      return bits<Shape::Binary, Or>(type);
    case IntegerOp::Xor:
      return bits<Shape::Binary, Xor>(type);
    case IntegerOp::Not:
      return bits<Shape::Unary, Not>(type);
    case IntegerOp::Cnot:
      return bits<Shape::Unary, Cnot>(type);
    case IntegerOp::Shl:
      return bits<Shape::Shift, Shl>(type);
    case IntegerOp::Shr:
      return shifts<Shr>(type);
    case IntegerOp::Popc:
      return bits32<Shape::Count, Popc>(type);
    case IntegerOp::Clz:
      return bits32<Shape::Count, Clz>(type);
    case IntegerOp::Brev:
      return bits32<Shape::Unary, Brev>(type);
    case IntegerOp::Bfind:
      return words64<Shape::Count, Bfind>(type);
    case IntegerOp::BfindShift:
      return words64<Shape::Count, BfindShift>(type);
    case IntegerOp::Bfe:
      return bitField(type);
    case IntegerOp::Bfi:
      return type == Type::B32   ? &bfi<std::uint32_t>
             : type == Type::B64 ? &bfi<std::uint64_t>
                                 : nullptr;
    case IntegerOp::Prmt:
      return word<Prmt>(type);
    case IntegerOp::PrmtF4e:
      return word<PrmtF4e>(type);
    case IntegerOp::PrmtB4e:
      return word<PrmtB4e>(type);
    case IntegerOp::PrmtRc8:
      return word<PrmtRc8>(type);
    case IntegerOp::PrmtEcl:
      return word<PrmtEcl>(type);
    case IntegerOp::PrmtEcr:
      return word<PrmtEcr>(type);
    case IntegerOp::PrmtRc16:
      return word<PrmtRc16>(type);
    case IntegerOp::Lop3:
      return type == Type::B32 ? &lop3 : nullptr;
    case IntegerOp::ShfLeftClamp:
      return word<Shf<true, false>>(type);
    case IntegerOp::ShfLeftWrap:
      return word<Shf<true, true>>(type);
    case IntegerOp::ShfRightClamp:
      return word<Shf<false, false>>(type);
    case IntegerOp::ShfRightWrap:
      return word<Shf<false, true>>(type);
    case IntegerOp::Dp4aUU:
      return word<Dp4a<false, false>>(type);
    case IntegerOp::Dp4aUS:
      return word<Dp4a<false, true>>(type);
    case IntegerOp::Dp4aSU:
      return word<Dp4a<true, false>>(type);
    case IntegerOp::Dp4aSS:
      return word<Dp4a<true, true>>(type);
    case IntegerOp::Move:
      return anyWidth(type, &unary<Move, std::uint16_t>, &unary<Move, std::uint32_t>,
                      &unary<Move, std::uint64_t>);
    case IntegerOp::Select:
      return anyWidth(type, &select<std::uint16_t>, &select<std::uint32_t>, &select<std::uint64_t>);
    case IntegerOp::Slct:
      return anyWidth(type, &slct<std::uint16_t>, &slct<std::uint32_t>, &slct<std::uint64_t>);
  }
  return nullptr;
}

}  // namespace fermata::ptx::FERMATA_LANES
