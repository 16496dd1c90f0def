// The fundamental types of PTX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fermata::ptx {

enum class Type : std::uint8_t {
  B8,
  B16,
  B32,
  B64,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  F32,
  F64,
  F16x2,
  Bf16,
  Bf16x2,
  F32x2,  ///< of instructions only: a register of B64
  Pred,
  B128  ///< registers only: two of B64 (wide_registers.h)
};

inline constexpr std::string_view kTypeNames[] = {
    "b8",  "b16", "b32", "b64", "u8",    "u16",  "u32",    "u64",   "s8",   "s16", "s32",
    "s64", "f16", "f32", "f64", "f16x2", "bf16", "bf16x2", "f32x2", "pred", "b128"};

constexpr unsigned bytesOf(Type type) {
  constexpr unsigned kBytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4,
                                 8, 2, 4, 8, 4, 2, 4, 8, 0, 16};  // order of Type
  return kBytes[static_cast<unsigned>(type)];
}

constexpr bool isFloat(Type type) {
  return type >= Type::F16 && type <= Type::F32x2;
}
/// True for half precision and bfloat16, single or in pairs.
constexpr bool isHalf(Type type) {
  return type == Type::F16 || (type >= Type::F16x2 && type <= Type::Bf16x2);
}
constexpr bool isSigned(Type type) {
  return type >= Type::S8 && type <= Type::S64;
}
constexpr bool isUnsigned(Type type) {
  return type >= Type::U8 && type <= Type::U64;
}
constexpr bool isBits(Type type) {
  return type <= Type::B64;
}
constexpr bool isInteger(Type type) {
  return isSigned(type) || isUnsigned(type);
}

/// Returns the type of a name: "u32" -> U32. Returns nothing for unknown names, and for types that
/// few instructions have, such as .e4m3x2 and .b128, whose decoders take them by name.
inline std::optional<Type> typeNamed(std::string_view name) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(Type::B128); ++k) {
    if (kTypeNames[k] == name) return static_cast<Type>(k);
  }
  return std::nullopt;
}
constexpr std::string_view nameOf(Type type) {
  return kTypeNames[static_cast<std::size_t>(type)];
}

/// True if a register of type `held` may stand where an instruction wants `wanted`. The sizes must
/// be equal; bits go with everything, signed with unsigned, a float type only with itself.
constexpr bool compatible(Type wanted, Type held) {
  if (wanted == Type::Pred || held == Type::Pred) return wanted == held;
  if (bytesOf(wanted) != bytesOf(held)) return false;
  if (isBits(wanted) || isBits(held)) return true;
  return isFloat(wanted) || isFloat(held) ? wanted == held : true;
}

/// Names the type of a value.
template <class T>
struct ValueTag {
  using Value = T;
};
/// Returns f(ValueTag<T>()) for the type T of a lane's value, or the result's default for types
/// that C++ has not, such as f16.
template <class F>
auto forValue(Type type, F f) -> decltype(f(ValueTag<float>())) {
  switch (type) {
    case Type::B8:
    case Type::U8:
      return f(ValueTag<std::uint8_t>());
    case Type::S8:
      return f(ValueTag<std::int8_t>());
    case Type::B16:
    case Type::U16:
      return f(ValueTag<std::uint16_t>());
    case Type::S16:
      return f(ValueTag<std::int16_t>());
    case Type::B32:
    case Type::U32:
      return f(ValueTag<std::uint32_t>());
    case Type::S32:
      return f(ValueTag<std::int32_t>());
    case Type::B64:
    case Type::U64:
      return f(ValueTag<std::uint64_t>());
    case Type::S64:
      return f(ValueTag<std::int64_t>());
    case Type::F32:
      return f(ValueTag<float>());
    case Type::F64:
      return f(ValueTag<double>());
    default:
      return {};
  }
}

}  // namespace fermata::ptx
