// The fundamental types of PTX.
#pragma once

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

constexpr unsigned bytesOf(Type type) {
  switch (type) {
    case Type::B8:
    case Type::U8:
    case Type::S8:
      return 1;
    case Type::B16:
    case Type::U16:
    case Type::S16:
    case Type::F16:
    case Type::Bf16:
      return 2;
    case Type::B32:
    case Type::U32:
    case Type::S32:
    case Type::F32:
    case Type::F16x2:
    case Type::Bf16x2:
      return 4;
    case Type::B64:
    case Type::U64:
    case Type::S64:
    case Type::F64:
    case Type::F32x2:
      return 8;
    case Type::B128:
      return 16;
    case Type::Pred:
      return 0;
  }
  return 0;
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
std::optional<Type> typeNamed(std::string_view name);
std::string_view nameOf(Type type);

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
