// The contents of cuBLASLt's descriptors, whose words are opaque to programs.
#pragma once

#include <fermata/platforms/cudart/api_blas.h>
#include <fermata/stimuli/cuda/include/cublasLt.h>

#include <type_traits>

namespace fermata::cudart {

struct LtLayout {
  std::int32_t type;
  std::int32_t order;
  std::uint64_t rows, columns;
  std::int64_t lead;
  std::int64_t stride;  ///< elements from matrix to matrix
  std::int32_t count;
};

struct LtProduct {
  std::int32_t compute, scale;  ///< how sums are computed; the type of alpha and beta
  std::int32_t pointers;
  std::int32_t ofA, ofB, ofC;
  std::int32_t fill;
  std::uint32_t epilogue;
  std::int32_t biasType, auxType;  ///< -1: as the matrices' types say
  std::int32_t scaleModes[4];      ///< of a, b, c and d
  std::int32_t processors;
  std::int8_t fast;
  const void* bias;
  std::int64_t biasStride;
  void* aux;
  std::int64_t auxLead, auxStride;
  const void* scales[4];  ///< floats of the device, of a, b, c and d; null: 1
  void* largest;          ///< a float of the device: the largest magnitude before d's scale
};

struct LtPreference {
  std::int32_t search;
  std::uint32_t reductions;
  std::uint64_t workspace;
  std::uint32_t alignments[4];
  float waves;
  std::uint64_t ways;
};

/// Returns what a descriptor holds. Throws BlasError where there is no descriptor.
template <class T, class Opaque>
T& heldBy(Opaque* descriptor) {
  static_assert(sizeof(T) <= sizeof(Opaque) && alignof(T) <= alignof(Opaque));
  static_assert(std::is_trivially_copyable_v<T>);
  requireBlas(descriptor != nullptr, "no descriptor");
  return *reinterpret_cast<T*>(descriptor->data);
}

/// Throws BlasError unless the handle is one of cuBLASLt or cuBLAS.
void requireLtHandle(cublasLtHandle_t handle);
/// Throws BlasError for a product that cannot be computed.
void checkProduct(const LtProduct& product, const LtLayout& a, const LtLayout& b, const LtLayout& c,
                  const LtLayout& d);

}  // namespace fermata::cudart
