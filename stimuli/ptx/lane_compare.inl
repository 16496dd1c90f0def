// Comparisons of lanes. lane_float.cpp compiles this file for each instruction set.

#include <fermata/stimuli/ptx/lane_float.inl>

namespace fermata::ptx::FERMATA_LANES {
namespace {

template <Compare C, class T, bool Flush, CompareResult R>
void compareHandler(Warp& w, const Instruction& i, LaneMask m) {
  const LaneMask result = lanesOf<T, T>(
      w, i, [](T a, T b) { return related(C, flushIf<Flush>(a), flushIf<Flush>(b)); },
      std::index_sequence<0, 1>{});
  const LaneMask p = predicateValue(w, i.p);
  const LaneMask first = combined(i, result, p);
  if constexpr (R == CompareResult::Predicate) {
    writePredicate(w, i.pd, first, m);
    if (i.qd != kSinkPredicate) writePredicate(w, i.qd, combined(i, ~result, p), m);
  } else {
    constexpr std::uint32_t kTrue = R == CompareResult::Mask ? 0xffffffffU : 0x3f800000U;
    mapLanes(outRow<std::uint32_t>(w, i.d), m,
             [=](unsigned l) { return has(first, l) ? kTrue : 0U; });
  }
}

template <Compare C, class T, bool Flush>
Handler comparing(CompareResult result) {
  constexpr Handler kHandlers[] = {&compareHandler<C, T, Flush, CompareResult::Predicate>,
                                   &compareHandler<C, T, Flush, CompareResult::Mask>,
                                   &compareHandler<C, T, Flush, CompareResult::One>};
  return kHandlers[static_cast<std::size_t>(result)];
}
/// Unordered relations are of floats; bits are only equal or not.
template <Compare C>
Handler comparingTypes(CompareResult result, Type type, bool flush) {
  if (type == Type::F32 && flush) return comparing<C, float, true>(result);
  if (flush || (isBits(type) && C != Compare::Eq && C != Compare::Ne)) return nullptr;
  return forValue(type, [=](auto tag) -> Handler {
    using T = typename decltype(tag)::Value;
    if constexpr (sizeof(T) > 1 && (C <= Compare::Ge || std::is_floating_point_v<T>))
      return comparing<C, T, false>(result);
    return nullptr;
  });
}
template <std::size_t... C>
Handler comparingBy(Compare compare, CompareResult result, Type type, bool flush,
                    std::index_sequence<C...>) {
  constexpr Handler (*kBy[])(CompareResult, Type,
                             bool) = {&comparingTypes<static_cast<Compare>(C)>...};
  return kBy[static_cast<std::size_t>(compare)](result, type, flush);
}

}  // namespace

Handler compareHandlerFor(Compare compare, CompareResult result, Type type, bool flush) {
  return comparingBy(compare, result, type, flush, std::make_index_sequence<kCompares>{});
}

}  // namespace fermata::ptx::FERMATA_LANES
