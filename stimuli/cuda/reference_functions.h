// The references themselves, one function a checked buffer; parameters and buffers as in the launch
// file of the same name. Sums of floats are kept in double. See references.h.
#pragma once

#include <cstdint>
#include <vector>

#include "stimuli/cuda/references.h"

namespace fermata::cuda {

using Bytes = std::vector<std::uint8_t>;

template <class T>
Bytes bytesOf(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// references_memory.cpp: kernels that move, count or add.
Bytes stride(const ReferenceInput& input);
Bytes transpose(const ReferenceInput& input);
Bytes reductionPartial(const ReferenceInput& input);
Bytes reductionTotal(const ReferenceInput& input);
Bytes histogram64(const ReferenceInput& input);
Bytes histogram256(const ReferenceInput& input);
Bytes scan(const ReferenceInput& input);
Bytes scanTotal(const ReferenceInput& input);
// references_algebra.cpp: transforms, products, factors, alignment.
Bytes walshTransform(const ReferenceInput& input);
Bytes matrixProduct(const ReferenceInput& input);
Bytes scalarProducts(const ReferenceInput& input);
Bytes luFactors(const ReferenceInput& input);
Bytes alignmentScores(const ReferenceInput& input);

}  // namespace fermata::cuda
