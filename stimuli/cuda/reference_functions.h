// The functions of the references. See references.h.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/stimuli/cuda/references.h>

namespace fermata::cuda {

using Bytes = std::vector<std::uint8_t>;

template <class T>
Bytes bytesOf(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// Returns f32 elements as doubles.
std::vector<double> doubles(const ReferenceInput& input, std::string_view name, std::size_t count);
/// Returns numbers rounded to f32.
Bytes floatBytes(const std::vector<double>& values);

#define FERMATA_REFERENCE(name, function) Bytes function(const ReferenceInput& input);
#include <fermata/stimuli/cuda/reference_list.inl>

/// Returns the product of two n x n matrices, by rows.
std::vector<double> squareProduct(const std::vector<double>& a, const std::vector<double>& b,
                                  std::size_t n);

}  // namespace fermata::cuda
