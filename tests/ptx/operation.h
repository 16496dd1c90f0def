// Oracle tables: an instruction, and a function that computes its result for one lane.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace fermata::ptx::test {

using Word = std::uint64_t;
__extension__ typedef __int128 Wide;

template <class T>
T as(Word bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
Word bits(T value) {
  Word result = 0;
  std::memcpy(&result, &value, sizeof value);
  return result;
}

unsigned widthOf(const std::string& type);
/// Returns the low bits as an integer of the type, for example "s16" or "b32".
Wide valueOf(const std::string& type, Word bits);

/// Computes the bits of a result from the bits of four sources, whose types are given.
using Oracle = std::function<Word(const std::vector<std::string>& types, const Word* sources)>;

/// Returns a source as a parameter of a function: as an integer of the source's type (Wide), its
/// low bits (integers), a predicate (bool) or a number (float, double).
template <class T>
T argument(const std::string& type, Word bits) {
  if constexpr (std::is_same_v<T, Wide>) return valueOf(type, bits);
  if constexpr (std::is_same_v<T, bool>) return (bits & 1) != 0;
  if constexpr (std::is_floating_point_v<T>) return as<T>(bits);
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return static_cast<T>(widthOf(type) < 64 ? bits & ((Word{1} << widthOf(type)) - 1) : bits);
}
/// Returns the bits of a result. A NaN in f32 is the one that PTX prescribes.
inline Word outcome(float x) {
  return std::isnan(x) ? 0x7fffffff : bits(x);
}
inline Word outcome(double x) {
  return bits(x);
}
template <class T>
Word outcome(T x) {
  return static_cast<Word>(x);
}

/// Number of parameters of a function or a lambda, and its oracle.
template <class F>
struct Signature : Signature<decltype(&F::operator())> {};
template <class R, class... A>
struct Signature<R (*)(A...)> {
  static constexpr unsigned kSources = sizeof...(A);
  template <class F, std::size_t... I>
  static Oracle make(const F& f, std::index_sequence<I...>) {
    return [f](const std::vector<std::string>& types, const Word* sources) {
      return outcome(f(argument<std::decay_t<A>>(types[I], sources[I])...));
    };
  }
  template <class F>
  static Oracle oracle(const F& f) {
    return make(f, std::index_sequence_for<A...>());
  }
};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const> : Signature<R (*)(A...)> {};

template <class F>
Oracle oracleOf(const F& f) {
  return Signature<F>::oracle(f);
}

/// Registers have types of 8 bits or more, or "pred". Values of 8 bits stand in registers of 32.
struct Operation {
  /// The instruction with types for registers: "slct.u32.s32 u32, u32, u32, s32". Numbers behind
  /// the types are operands.
  std::string form;
  Oracle oracle;
  /// Result and oracle may differ by this many units in the last place (f32).
  std::uint32_t ulp = 0;
};

/// Checks each lane of the operation on pairs of edge values and random values of `valueType`
/// (empty: the type of the first source): with full warps, partial warps and a predicate. Lanes
/// that the predicate excludes must keep their old value. "f32x2" is a pair of values.
void checkOperation(const Operation& operation, const std::string& valueType = "");

template <class F>
void checkOperation(const std::string& form, const F& f, const std::string& valueType = "",
                    std::uint32_t ulp = 0) {
  checkOperation(Operation{form, oracleOf(f), ulp}, valueType);
}

/// Returns the form of an operation whose result and `sources` sources have one type.
std::string uniform(const std::string& opcode, const std::string& type, unsigned sources);

/// Checks `name`.`type`, whose result and sources have the type.
template <class F>
void checkUniform(const std::string& name, const std::string& type, const F& f,
                  const std::string& valueType = "", std::uint32_t ulp = 0) {
  checkOperation(uniform(name + "." + type, type, Signature<F>::kSources), f, valueType, ulp);
}

}  // namespace fermata::ptx::test
