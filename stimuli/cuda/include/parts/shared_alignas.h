// alignas behind __shared__, where nvcc takes it and clang-16 does not: as the attribute that may
// stand among the specifiers of a declaration. Read with a program that has it there.
#pragma once

#include <stddef.h>

namespace fermata_alignment {

/// Of what stands between the parentheses: a type, or a number.
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
