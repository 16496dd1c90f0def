// The part of the CUDA language that Fermata's kernels use, for clang without an SDK. Include it
// before a kernel: clang++-16 -x cuda --cuda-device-only -S -nocudainc -nocudalib -nostdinc
// -include fermata_cuda.h. It has device code only, written over the compiler's builtins; the PTX
// ISA tells what each becomes.
#pragma once

#include "include/parts/device_words.h"
#define FERMATA_MAKE FERMATA_DEVICE

#include "include/vector_functions.h"

#define __noinline__ __attribute__((noinline))
#define __restrict__ __restrict

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef __INT64_TYPE__ int64_t;  // long where addresses have 64 bits
typedef __UINT64_TYPE__ uint64_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;

// Special registers. Naming a property of an empty object reads its register.
#define FERMATA_SPECIAL_REGISTER(Type, sreg)                                     \
  struct Type {                                                                  \
    __declspec(property(get = getX)) unsigned x;                                 \
    __declspec(property(get = getY)) unsigned y;                                 \
    __declspec(property(get = getZ)) unsigned z;                                 \
    FERMATA_DEVICE unsigned getX() { return __nvvm_read_ptx_sreg_##sreg##_x(); } \
    FERMATA_DEVICE unsigned getY() { return __nvvm_read_ptx_sreg_##sreg##_y(); } \
    FERMATA_DEVICE unsigned getZ() { return __nvvm_read_ptx_sreg_##sreg##_z(); } \
  }
FERMATA_SPECIAL_REGISTER(FermataThreadIndex, tid);
FERMATA_SPECIAL_REGISTER(FermataBlockDimension, ntid);
FERMATA_SPECIAL_REGISTER(FermataBlockIndex, ctaid);
FERMATA_SPECIAL_REGISTER(FermataGridDimension, nctaid);
#undef FERMATA_SPECIAL_REGISTER
extern const __device__ __attribute__((weak)) FermataThreadIndex threadIdx;
extern const __device__ __attribute__((weak)) FermataBlockDimension blockDim;
extern const __device__ __attribute__((weak)) FermataBlockIndex blockIdx;
extern const __device__ __attribute__((weak)) FermataGridDimension gridDim;
static const __attribute__((device)) int warpSize = 32;

// Barriers and fences. The barrier is assembly that the compiler knows to touch memory: with
// clang's own builtin, version 14 moved shared accesses across it.
#define __syncthreads() asm volatile("bar.sync 0;" ::: "memory")
FERMATA_DEVICE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
FERMATA_DEVICE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
/// Makes the compiler forget what it knows of memory; costs no instruction.
FERMATA_DEVICE void fermataForgetMemory() { asm volatile("" ::: "memory"); }

#include "fermata_cuda_bulk.h"
#include "fermata_cuda_cluster.h"
#include "fermata_cuda_integer.h"
#include "fermata_cuda_tensor.h"
#include "fermata_cuda_tile.h"
#include "fermata_cuda_warp.h"
#include "include/parts/atomics.h"

/// Prints: sends the text of each thread in turn to the output of the run (stimuli/ptx/executor.h).
extern "C" __attribute__((device)) int printf(const char* format, ...);

// Votes of a warp.
FERMATA_DEVICE unsigned __ballot(int predicate) {
  unsigned mask;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.ballot.b32 %0, p; }"
               : "=r"(mask)
               : "r"(predicate));
  return mask;
}

// Reinterpretation of bits.
FERMATA_DEVICE int __float_as_int(float a) { return __builtin_bit_cast(int, a); }
FERMATA_DEVICE float __int_as_float(int a) { return __builtin_bit_cast(float, a); }
FERMATA_DEVICE unsigned __float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
FERMATA_DEVICE float __uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }

// Floating point: exact operations.
FERMATA_DEVICE float fabsf(float a) { return __builtin_fabsf(a); }
FERMATA_DEVICE float fminf(float a, float b) { return __builtin_fminf(a, b); }
FERMATA_DEVICE float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
FERMATA_DEVICE float floorf(float a) { return __builtin_floorf(a); }
FERMATA_DEVICE float ceilf(float a) { return __builtin_ceilf(a); }
FERMATA_DEVICE float truncf(float a) { return __builtin_truncf(a); }
FERMATA_DEVICE float rintf(float a) { return __builtin_rintf(a); }
FERMATA_DEVICE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
FERMATA_DEVICE float sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
FERMATA_DEVICE double fabs(double a) { return __builtin_fabs(a); }
FERMATA_DEVICE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
FERMATA_DEVICE double sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
FERMATA_DEVICE float min(float a, float b) { return __builtin_fminf(a, b); }
FERMATA_DEVICE float max(float a, float b) { return __builtin_fmaxf(a, b); }
FERMATA_DEVICE double min(double a, double b) { return __builtin_fmin(a, b); }
FERMATA_DEVICE double max(double a, double b) { return __builtin_fmax(a, b); }

// Floating point: the special function unit. Its absolute errors are about 2^-21. Arguments of sine
// and cosine are first reduced to [-pi, pi], with 2 pi in two parts.
FERMATA_DEVICE float rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
FERMATA_DEVICE float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
FERMATA_DEVICE float exp2f(float a) { return __nvvm_ex2_approx_f(a); }
FERMATA_DEVICE float log2f(float a) { return __nvvm_lg2_approx_f(a); }
FERMATA_DEVICE float __expf(float a) { return exp2f(a * 1.44269504f); }
FERMATA_DEVICE float __logf(float a) { return log2f(a) * 0.693147181f; }
FERMATA_DEVICE float __powf(float a, float b) { return exp2f(b * log2f(a)); }
FERMATA_DEVICE float __sinf(float a) { return __nvvm_sin_approx_f(a); }
FERMATA_DEVICE float __cosf(float a) { return __nvvm_cos_approx_f(a); }
FERMATA_DEVICE float fermataReduceAngle(float a) {
  const float turns = rintf(a * 0.159154943f);
  return fmaf(turns, 1.74845553e-7f, fmaf(turns, -6.28318548f, a));
}
FERMATA_DEVICE float expf(float a) { return __expf(a); }
FERMATA_DEVICE float logf(float a) { return __logf(a); }
FERMATA_DEVICE float powf(float a, float b) { return __powf(a, b); }
FERMATA_DEVICE float sinf(float a) { return __sinf(fermataReduceAngle(a)); }
FERMATA_DEVICE float cosf(float a) { return __cosf(fermataReduceAngle(a)); }
