// Overloads of function templates that clang-16 finds ambiguous and nvcc does not.
#pragma once

#include <set>
#include <string>
#include <utility>

namespace fermata::platforms {

/// A function template and the class template of its first parameter.
using FirstParameter = std::pair<std::string, std::string>;

/// Returns the functions whose first parameter has a pack of types: (f, T) for
/// `f(T<Op, Args...> const& t)`.
std::set<FirstParameter> packOverloads(const std::string& source);

/// Returns the source with the overloads marked that a function with a pack must give way to; lines
/// stay where they are. clang-16 does not see that `f(T<Op>)` is more special than `f(T<Op,
/// Args...>)`, but it prefers a function with a condition to one without:
///
///     template <class Op> void f(T<Op> const& t) __attribute__((enable_if(true, ""))) {
std::string withOverloadsMarked(const std::string& source, const std::set<FirstParameter>& packs);

}  // namespace fermata::platforms
