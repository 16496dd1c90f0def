// A figure describes a count of a module, so that a table can show it. The module counts in plain
// integers; a figure only tells how to read them when the run is over.
//
// A module declares its figures beside its counters, as a static function, because a table has
// their columns even if a platform lacks the module:
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

/// The value of a figure; std::monostate: not defined, for example the mean of no accesses.
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

/// A figure read from a Source, which is the class that holds the counts.
template <class Source>
struct Figure {
  std::string name;  ///< name of the column: lower case with underscores
  std::string unit;  ///< in the plural; empty for a text, and for a number that is only a name
  std::string description;  ///< what the figure counts, and when it is not defined
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

/// Figures in the order of their columns.
template <class Source>
using Figures = std::vector<Figure<Source>>;

/// Returns the quotient of `of` and `to` as a figure; nothing if `to` is 0.
inline std::optional<double> ratio(std::uint64_t of, std::uint64_t to) {
  if (to == 0) return std::nullopt;
  return static_cast<double>(of) / static_cast<double>(to);
}

}  // namespace fermata
