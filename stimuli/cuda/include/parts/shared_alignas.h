// Makes alignas behind __shared__ an attribute, which may stand among a declaration's specifiers:
// nvcc takes alignas there, clang-16 does not. Included for programs that need it.
#pragma once

#include <stddef.h>

namespace fermata_alignment {

/// Returns the alignment of the argument between the parentheses: a type, or a number.
template <class T>
constexpr size_t of() {
  return alignof(T);
}
template <size_t kBytes>
constexpr size_t of() {
  return kBytes;
}

}  // namespace fermata_alignment

#define alignas(...) __attribute__((aligned(::fermata_alignment::of<__VA_ARGS__>())))
