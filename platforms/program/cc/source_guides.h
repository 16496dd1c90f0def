// Deduction guides of class templates within class templates, which clang-16 does not make.
#pragma once

#include <string>

namespace fermata::platforms {

/// Returns the source with a guide for each constructor of a class template within a class
/// template, if the source deduces its arguments; lines stay where they are:
///
///     template <class A> struct P { __device__ P(A a); };
///     ... return P(1);
///     template <class A> struct P { ... }; template <class A> ... P(A a) -> P<A>;
std::string withDeductionGuides(const std::string& source);

}  // namespace fermata::platforms
