// Copies from global to shared memory that kernels wait for later: here each is done at once, by
// loads and stores.
#pragma once

#include "cuda_runtime.h"

#if !defined(__CUDA__) || !defined(__clang__)
#error "cuda_pipeline.h needs a .cu file: fermata cc compiles it with the CUDA language"
#endif

/// `size`: 4, 8 or 16 bytes, to which both are aligned; the last `zeros` of them are zeros.
FERMATA_DEVICE void __pipeline_memcpy_async(void* shared, const void* global, size_t size,
                                            size_t zeros = 0) {
  if (zeros != 0) {
    const char* const from = static_cast<const char*>(global);
    for (size_t i = 0; i < size; ++i)
      static_cast<char*>(shared)[i] = i + zeros < size ? from[i] : char(0);
  } else if (size == 16) {
    *static_cast<uint4*>(shared) = *static_cast<const uint4*>(global);
  } else if (size == 8) {
    *static_cast<uint2*>(shared) = *static_cast<const uint2*>(global);
  } else {
    *static_cast<unsigned*>(shared) = *static_cast<const unsigned*>(global);
  }
}
FERMATA_DEVICE void __pipeline_commit() {}
/// All but the last so many commits: all are done.
FERMATA_DEVICE void __pipeline_wait_prior(size_t) {}
