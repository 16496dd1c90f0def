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

template <class To>
inline To finishedConversion(To value, bool flush, bool saturate) {
  if constexpr (sizeof(To) == 4) value = flush ? flushed(value) : value;
  return canonical(saturate ? saturated(value) : value);
}
template <class To, class From>
void integerToFloat(Warp& w, const Instruction& i, LaneMask m) {
  const bool saturate = (i.floatFlags & kSaturateFlag) != 0;
  map<To, From>(w, i, m, [=](From a) {
    const To value = static_cast<To>(a);
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
    return finishedConversion(static_cast<To>(a), flush, saturate);
  });
}

template <class To, class From>
Handler toInteger(Rounding rounding) {
  switch (rounding) {
    case Rounding::Nearest:
      return &floatToInteger<To, From, Rounding::Nearest>;
    case Rounding::Zero:
      return &floatToInteger<To, From, Rounding::Zero>;
    case Rounding::Down:
      return &floatToInteger<To, From, Rounding::Down>;
    case Rounding::Up:
      return &floatToInteger<To, From, Rounding::Up>;
    case Rounding::None:
      break;
  }
  return nullptr;
}
template <class T>
Handler sameFloat(Rounding rounding) {
  switch (rounding) {
    case Rounding::None:
      return &floatToFloat<T, T, Rounding::None>;
    case Rounding::Nearest:
      return &floatToFloat<T, T, Rounding::Nearest>;
    case Rounding::Zero:
      return &floatToFloat<T, T, Rounding::Zero>;
    case Rounding::Down:
      return &floatToFloat<T, T, Rounding::Down>;
    case Rounding::Up:
      return &floatToFloat<T, T, Rounding::Up>;
  }
  return nullptr;
}
template <class To, class From>
Handler between(Rounding rounding, bool saturate) {
  constexpr bool kToFloat = std::is_floating_point_v<To>;
  constexpr bool kFromFloat = std::is_floating_point_v<From>;
  if constexpr (kToFloat && kFromFloat) {
    if constexpr (sizeof(To) == sizeof(From)) return sameFloat<To>(rounding);
    return rounding == Rounding::None ? &floatToFloat<To, From, Rounding::None> : nullptr;
  } else if constexpr (kFromFloat) {
    return toInteger<To, From>(rounding);
  } else if constexpr (kToFloat) {
    return rounding == Rounding::None ? &integerToFloat<To, From> : nullptr;
  } else {
    if (rounding != Rounding::None) return nullptr;
    return saturate ? &integerToInteger<To, From, true> : &integerToInteger<To, From, false>;
  }
}
template <class To>
Handler into(Type from, Rounding rounding, bool saturate) {
  switch (from) {
    case Type::U8:
      return between<To, std::uint8_t>(rounding, saturate);
    case Type::S8:
      return between<To, std::int8_t>(rounding, saturate);
    case Type::U16:
      return between<To, std::uint16_t>(rounding, saturate);
    case Type::S16:
      return between<To, std::int16_t>(rounding, saturate);
    case Type::U32:
      return between<To, std::uint32_t>(rounding, saturate);
    case Type::S32:
      return between<To, std::int32_t>(rounding, saturate);
    case Type::U64:
      return between<To, std::uint64_t>(rounding, saturate);
    case Type::S64:
      return between<To, std::int64_t>(rounding, saturate);
    case Type::F32:
      return between<To, float>(rounding, saturate);
    case Type::F64:
      return between<To, double>(rounding, saturate);
    default:
      return nullptr;
  }
}

}  // namespace

Handler convertHandler(Type to, Type from, Rounding rounding, bool saturate) {
  switch (to) {
    case Type::U8:
      return into<std::uint8_t>(from, rounding, saturate);
    case Type::S8:
      return into<std::int8_t>(from, rounding, saturate);
    case Type::U16:
      return into<std::uint16_t>(from, rounding, saturate);
    case Type::S16:
      return into<std::int16_t>(from, rounding, saturate);
    case Type::U32:
      return into<std::uint32_t>(from, rounding, saturate);
    case Type::S32:
      return into<std::int32_t>(from, rounding, saturate);
    case Type::U64:
      return into<std::uint64_t>(from, rounding, saturate);
    case Type::S64:
      return into<std::int64_t>(from, rounding, saturate);
    case Type::F32:
      return into<float>(from, rounding, saturate);
    case Type::F64:
      return into<double>(from, rounding, saturate);
    default:
      return nullptr;
  }
}

}  // namespace fermata::ptx::FERMATA_LANES
