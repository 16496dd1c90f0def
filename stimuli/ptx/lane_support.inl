// Helpers of the lane loops. Included once for each instruction set, inside namespace
// FERMATA_LANES, after the headers that it needs; never on its own.

namespace fermata::ptx::FERMATA_LANES {
namespace {

template <class T>
using Stored = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
inline T get(Stored<T> stored) {
  if constexpr (std::is_floating_point_v<T>) {
    return bitsAs<T>(stored);
  } else {
    return static_cast<T>(stored);
  }
}

template <class T>
inline Stored<T> put(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return bitsAs<Stored<T>>(value);
  } else {
    return static_cast<Stored<T>>(static_cast<std::make_unsigned_t<T>>(value));
  }
}

inline constexpr std::array<LaneMask, kWarpLanes> laneBits() {
  std::array<LaneMask, kWarpLanes> bits{};
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) bits[lane] = LaneMask{1} << lane;
  return bits;
}
constexpr std::array<LaneMask, kWarpLanes> kLaneBits = laneBits();
/// True if the lane is in the mask. GCC vectorises a loop that asks so, but none that shifts.
inline bool has(LaneMask mask, unsigned lane) {
  return (mask & kLaneBits[lane]) != 0;
}

// Sets d[lane] = f(lane) on the lanes of the mask. A row may be source and destination: each lane
// reads only its own element, as ivdep promises.
template <class R, class F>
inline void mapLanes(R* d, LaneMask mask, F f) {
  if (mask == kAllLanes) {
    FERMATA_INDEPENDENT_LANES
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) d[lane] = f(lane);
  } else {
    FERMATA_INDEPENDENT_LANES
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const R value = f(lane);
      d[lane] = has(mask, lane) ? value : d[lane];
    }
  }
}

template <class T>
inline const Stored<T>* in(const Warp& warp, Row row) {
  return static_cast<const Stored<T>*>(__builtin_assume_aligned(rowOf<Stored<T>>(warp, row), 64));
}
template <class T>
inline Stored<T>* outRow(const Warp& warp, Row row) {
  return static_cast<Stored<T>*>(__builtin_assume_aligned(rowOf<Stored<T>>(warp, row), 64));
}

inline Row sourceRow(const Instruction& i, std::size_t k) {
  return k == 0 ? i.a : k == 1 ? i.b : k == 2 ? i.c : i.vector[0];
}
template <class R, class... S, class F>
inline void mapRows(Stored<R>* d, LaneMask mask, F f, const Stored<S>*... s) {
  mapLanes(d, mask, [=](unsigned l) { return put<R>(static_cast<R>(f(get<S>(s[l])...))); });
}
template <class R, class... S, class F, std::size_t... K>
inline void mapSources(Warp& w, const Instruction& i, LaneMask mask, F f,
                       std::index_sequence<K...>) {
  mapRows<R, S...>(outRow<R>(w, i.d), mask, f, in<S>(w, sourceRow(i, K))...);
}
/// Sets d to f of the sources, whose values are of types S.
template <class R, class... S, class F>
inline void map(Warp& w, const Instruction& i, LaneMask mask, F f) {
  mapSources<R, S...>(w, i, mask, f, std::index_sequence_for<S...>{});
}

/// Returns the lanes, active or not, for whose sources f is true.
template <class... S, class F, std::size_t... K>
inline LaneMask lanesOf(const Warp& w, const Instruction& i, F f, std::index_sequence<K...>) {
  const auto holds = [=](const Stored<S>*... s) {
    LaneMask result = 0;
    for (unsigned l = 0; l < kWarpLanes; ++l) result |= f(get<S>(s[l])...) ? kLaneBits[l] : 0U;
    return result;
  };
  return holds(in<S>(w, sourceRow(i, K))...);
}

inline float flushed(float value) {
  const auto bits = bitsAs<std::uint32_t>(value);
  return bitsAs<float>((bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits);
}
template <bool Flush, class T>
inline T flushIf(T value) {
  if constexpr (Flush) {
    return flushed(value);
  } else {
    return value;
  }
}
/// Returns the pattern that PTX gives to a result: one NaN for all f32; f64 keeps its own.
inline float canonical(float value) {
  return value != value ? bitsAs<float>(0x7fffffffU) : value;
}
inline double canonical(double value) {
  return value;
}

template <class T>
inline T saturated(T value) {  // NaN gives +0
  return value > T(0) ? (value < T(1) ? value : T(1)) : T(0);
}

}  // namespace
}  // namespace fermata::ptx::FERMATA_LANES
