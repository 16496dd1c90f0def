// Comparisons of lanes. lane_float.cpp includes this file for each instruction set.

namespace fermata::ptx::FERMATA_LANES {
namespace {

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
  switch (i.comparison.combine) {
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
