// __half and __half2: numbers of half precision, on the host and the device.
#pragma once
#define __CUDA_FP16_H__  // programs test whether it was included

#include "cuda_runtime.h"

#ifdef __cplusplus
#include "parts/half_arithmetic.h"
#endif

#ifdef FERMATA_CUDA_LANGUAGE
FERMATA_DEVICE __half2 atomicAdd(__half2* address, __half2 a) {
  unsigned old;
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
               : "=r"(old)
               : "l"(address), "r"(fermata_cuda::pairBits(a))
               : "memory");
  return fermata_cuda::pairOf(__half(), old);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
FERMATA_DEVICE __half atomicAdd(__half* address, __half a) {
  unsigned short old;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
               : "=h"(old)
               : "l"(address), "h"(a.bits())
               : "memory");
  return __half::of(old);
}
#endif
#endif
