// __nv_bfloat16 and __nv_bfloat162: the first 16 bits of a float, on the host and the device.
#pragma once
#define __CUDA_BF16_H__  // programs test whether it was included

#include "cuda_runtime.h"

#ifdef __cplusplus
#include "parts/bfloat16_arithmetic.h"
#endif

#ifdef FERMATA_CUDA_LANGUAGE
// Adds by compare-and-swap: no instruction adds them in memory before sm_90.
FERMATA_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 a) {
  unsigned* const word = reinterpret_cast<unsigned*>(address);
  unsigned old = *reinterpret_cast<volatile unsigned*>(word);
  for (;;) {
    const unsigned next =
        fermata_cuda::pairBits(__hadd2(fermata_cuda::pairOf(__nv_bfloat16(), old), a));
    const unsigned seen = atomicCAS(word, old, next);
    if (seen == old) return fermata_cuda::pairOf(__nv_bfloat16(), old);
    old = seen;
  }
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
FERMATA_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 a) {
  unsigned short* const half = reinterpret_cast<unsigned short*>(address);
  unsigned short old = *reinterpret_cast<volatile unsigned short*>(half);
  for (;;) {
    const unsigned short next = __hadd(__nv_bfloat16::of(old), a).bits();
    const unsigned short seen = atomicCAS(half, old, next);
    if (seen == old) return __nv_bfloat16::of(old);
    old = seen;
  }
}
#endif
#endif
