// Conversions between the 8 integer types, f32 and f64 (cvt). lane_convert.cpp includes this file
// for each instruction set.

namespace fermata::ptx::FERMATA_LANES {
namespace {

template <Rounding R>
inline double roundedToInteger(double value) {
  if (value != value) return value + value;  // quiet NaN, however the rounding is compiled
  if constexpr (R == Rounding::Nearest) return __builtin_rint(value);
  if constexpr (R == Rounding::Zero) return __builtin_trunc(value);
  if constexpr (R == Rounding::Down) return __builtin_floor(value);
  if constexpr (R == Rounding::Up) return __builtin_ceil(value);
  return value;
}

// Clamps to the range of To. NaN gives 0, but the top bit if a 64-bit type takes part (PTX ISA,
// cvt).
template <class To, class From>
inline To integerOf(double whole) {
  constexpr bool kTopBit = sizeof(From) == 8 || sizeof(To) == 8;
  constexpr auto kTop = static_cast<To>(std::make_unsigned_t<To>(1) << (8 * sizeof(To) - 1));
  if (whole != whole) return kTopBit ? kTop : To(0);
  constexpr auto kLow = static_cast<double>(std::numeric_limits<To>::min());
  // One past the largest value is a power of two, hence exact.
  constexpr double kHigh = static_cast<double>(std::numeric_limits<To>::max() / 2 + 1) * 2.0;
  if (whole <= kLow) return std::numeric_limits<To>::min();
  if (whole >= kHigh) return std::numeric_limits<To>::max();
  return static_cast<To>(whole);
}

template <class To, class From, Rounding R>
void floatToInteger(Warp& w, const Instruction& i, LaneMask m) {
  const bool flush = (i.floatFlags & kFlushFlag) != 0;
  map<To, From>(w, i, m, [=](From a) {
    if constexpr (sizeof(From) == 4) a = flush ? flushed(a) : a;
    return integerOf<To, From>(roundedToInteger<R>(static_cast<double>(a)));
  });
}

template <class To, class From>
inline To clamped(From a) {
  using Limits = std::numeric_limits<To>;
  if constexpr (std::is_signed_v<From>) {
    if constexpr (std::is_signed_v<To>) {
      if (static_cast<std::int64_t>(a) < static_cast<std::int64_t>(Limits::min()))
        return Limits::min();
      if (static_cast<std::int64_t>(a) > static_cast<std::int64_t>(Limits::max()))
        return Limits::max();
    } else {
      if (a < 0) return 0;
      if (static_cast<std::uint64_t>(a) > static_cast<std::uint64_t>(Limits::max()))
        return Limits::max();
    }
  } else {
    if (static_cast<std::uint64_t>(a) > static_cast<std::uint64_t>(Limits::max()))
      return Limits::max();
  }
  return static_cast<To>(a);
}
template <class To, class From, bool Saturate>
void integerToInteger(Warp& w, const Instruction& i, LaneMask m) {
  map<To, From>(w, i, m, [](From a) {
    if constexpr (Saturate) return clamped<To>(a);
    return static_cast<To>(a);
  });
}

template <class To, class From>
inline To floatFrom(From a) {
  if constexpr (sizeof(From) == 8 && std::is_unsigned_v<From>) {
    // The processor converts signed integers, in its rounding mode. Halving keeps the lost bit
    // sticky, far below the last place of either type; doubling the result is exact.
    const bool large = a >> 63 != 0;
    const auto half = static_cast<std::int64_t>(large ? a >> 1 | (a & 1U) : a);
    return static_cast<To>(half) * static_cast<To>(large ? 2 : 1);
  } else {
    return static_cast<To>(a);
  }
}
template <class To, class From>
void integerToFloat(Warp& w, const Instruction& i, LaneMask m) {
  const bool saturate = (i.floatFlags & kSaturateFlag) != 0;
  map<To, From>(w, i, m, [=](From a) {
    const To value = floatFrom<To>(a);
    return saturate ? saturated(value) : value;
  });
}
template <class To, class From, Rounding R>
void floatToFloat(Warp& w, const Instruction& i, LaneMask m) {
  const bool saturate = (i.floatFlags & kSaturateFlag) != 0;
  const bool flush = (i.floatFlags & kFlushFlag) != 0;
  map<To, From>(w, i, m, [=](From a) {
    if constexpr (sizeof(From) == 4) a = flush ? flushed(a) : a;
    if constexpr (R != Rounding::None)
      a = static_cast<From>(roundedToInteger<R>(static_cast<double>(a)));
    To value = static_cast<To>(a);
    if constexpr (sizeof(To) == 4) value = flush ? flushed(value) : value;
    return canonical(saturate ? saturated(value) : value);
  });
}

/// Returns the conversion that rounds to an integer, of type To or as a float.
template <class To, class From, Rounding R>
constexpr Handler roundingTo() {
  if constexpr (std::is_floating_point_v<To>) {
    if constexpr (std::is_same_v<To, From> || R == Rounding::None)
      return &floatToFloat<To, From, R>;
    return nullptr;
  } else if constexpr (R != Rounding::None) {
    return &floatToInteger<To, From, R>;
  } else {
    return nullptr;
  }
}
template <class To, class From>
Handler between(Rounding rounding, bool saturate) {
  if constexpr (std::is_floating_point_v<From>) {
    constexpr Handler kHandlers[] = {
        roundingTo<To, From, Rounding::None>(), roundingTo<To, From, Rounding::Nearest>(),
        roundingTo<To, From, Rounding::Zero>(), roundingTo<To, From, Rounding::Down>(),
        roundingTo<To, From, Rounding::Up>()};
    return kHandlers[static_cast<std::size_t>(rounding)];
  } else {
    if (rounding != Rounding::None) return nullptr;
    if constexpr (std::is_floating_point_v<To>) return &integerToFloat<To, From>;
    return saturate ? &integerToInteger<To, From, true> : &integerToInteger<To, From, false>;
  }
}

}  // namespace

Handler convertHandler(Type to, Type from, Rounding rounding, bool saturate) {
  if (isBits(to) || isBits(from)) return nullptr;
  return forValue(to, [=](auto result) {
    return forValue(from, [=](auto source) {
      return between<typename decltype(result)::Value, typename decltype(source)::Value>(rounding,
                                                                                         saturate);
    });
  });
}

}  // namespace fermata::ptx::FERMATA_LANES
