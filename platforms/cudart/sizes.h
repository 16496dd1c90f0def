// Checked sums and products of the sizes that a program asks for.
#pragma once

#include <fermata/platforms/cudart/api_error.h>

#include <cstddef>

namespace fermata::cudart {

/// Limit of the pitch of a copy or a fill, in bytes: cudaDeviceProp::memPitch.
inline constexpr std::size_t kMostPitch = 2147483647;

// The functions below throw ApiError with `code` if the result has more than 64 bits.
inline std::size_t sum(std::size_t a, std::size_t b, cudaError_t code = cudaErrorInvalidValue) {
  std::size_t result = 0;
  require(!__builtin_add_overflow(a, b, &result), code, "a size of more than 64 bits");
  return result;
}
inline std::size_t product(std::size_t a, std::size_t b, cudaError_t code = cudaErrorInvalidValue) {
  std::size_t result = 0;
  require(!__builtin_mul_overflow(a, b, &result), code, "a size of more than 64 bits");
  return result;
}
/// Returns the next multiple of `unit`.
inline std::size_t roundedUp(std::size_t size, std::size_t unit,
                             cudaError_t code = cudaErrorInvalidValue) {
  return sum(size, unit - 1, code) / unit * unit;
}

}  // namespace fermata::cudart
