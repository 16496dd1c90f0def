// A figure: what a module says of something that it counts, so that a table can show it. The module
// counts in plain integers; a figure only says how they are read when the run is over.
//
// A module declares its figures beside its counters, as a function that needs no instance, because
// a table has their columns whether or not a platform has the module:
//
//   const Figures<Cache::Counts>& Cache::figures() {
//     static const Figures<Counts> all{
//         {"l0_hits", "accesses", "accesses found in the cache", &Counts::hits}};
//     return all;
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace fermata {

enum class FigureKind : std::uint8_t { Text, Integer, Real };

/// A figure read; std::monostate: it is not defined, as a mean of no accesses.
using FigureValue = std::variant<std::monostate, std::uint64_t, double, std::string>;

/// Type is T, or what an optional T holds.
template <class T>
struct FigureType {
  using Type = T;
};
template <class T>
struct FigureType<std::optional<T>> {
  using Type = T;
};

template <class T>
constexpr FigureKind figureKind() {
  if constexpr (std::is_floating_point_v<T>) return FigureKind::Real;
  if constexpr (std::is_unsigned_v<T>) return FigureKind::Integer;
  static_assert(
      std::is_floating_point_v<T> || std::is_unsigned_v<T> || std::is_convertible_v<T, std::string>,
      "a figure is an unsigned integer, a real number or a text");
  return FigureKind::Text;
}

template <class T>
FigureValue figureValue(const T& value) {
  if constexpr (std::is_floating_point_v<T>)
    return double{value};
  else if constexpr (std::is_unsigned_v<T>)
    return std::uint64_t{value};
  else
    return std::string(value);
}
template <class T>
FigureValue figureValue(const std::optional<T>& value) {
  return value ? figureValue(*value) : FigureValue();
}

/// A figure of a Source: whatever holds the counts.
template <class Source>
struct Figure {
  std::string name;  ///< lower case with underscores, as the column is called
  std::string unit;  ///< in the plural; empty for a text, and for a number that is only a name
  std::string description;  ///< what it counts, and when it is not defined
  FigureKind kind;
  std::function<FigureValue(const Source&)> read;

  /// `get`: a member of Source or a function of it. Its type decides the kind: an unsigned integer,
  /// a real number, a text, or an optional of one.
  template <class Get>
  Figure(std::string itsName, std::string itsUnit, std::string itsDescription, Get get)
      : name(std::move(itsName)),
        unit(std::move(itsUnit)),
        description(std::move(itsDescription)),
        kind(figureKind<
             typename FigureType<std::decay_t<std::invoke_result_t<Get, const Source&>>>::Type>()),
        read([get](const Source& source) { return figureValue(std::invoke(get, source)); }) {}
};

/// In the order of their columns.
template <class Source>
using Figures = std::vector<Figure<Source>>;

/// The quotient as a figure; nothing where the divisor is 0.
inline std::optional<double> ratio(std::uint64_t of, std::uint64_t to) {
  if (to == 0) return std::nullopt;
  return static_cast<double>(of) / static_cast<double>(to);
}

}  // namespace fermata
