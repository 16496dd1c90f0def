// Random numbers in kernels, by cuRAND's names: generators as their authors published them. Philox
// counts as cuRAND's does; XORWOW's states are seeded in a way of our own, so its numbers are
// others than cuRAND's, as good.
#pragma once
#define CURAND_KERNEL_H_  // programs ask whether it was read

#include "cuda_runtime.h"

#if !defined(__CUDA__) || !defined(__clang__)
#error "curand_kernel.h needs a .cu file: fermata cc compiles it with the CUDA language"
#endif

/// Marsaglia's xorwow (Xorshift RNGs, 2003): five words of shifts, and a counter.
struct curandStateXORWOW {
  unsigned d, v[5];
  int spares;  ///< 1: a normal number is left over; 2: one of doubles
  float spare;
  double spareDouble;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

/// Salmon and others' Philox4x32-10 (Parallel Random Numbers: As Easy as 1, 2, 3; 2011).
struct curandStatePhilox4_32_10 {
  uint4 counter, output;
  uint2 key;
  unsigned taken;  ///< of the four words of `output`
  int spares;
  float spare;
  double spareDouble;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace fermata_cuda {

/// Vigna's splitmix64: the states of neighbouring seeds have nothing in common.
__device__ inline unsigned long long mixed(unsigned long long* state) {
  unsigned long long z = *state += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
__device__ inline uint4 philox(uint4 c, uint2 k) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
    c = {static_cast<unsigned>(b >> 32) ^ c.y ^ k.x, static_cast<unsigned>(b),
         static_cast<unsigned>(a >> 32) ^ c.w ^ k.y, static_cast<unsigned>(a)};
    k.x += 0x9e3779b9u;
    k.y += 0xbb67ae85u;
  }
  return c;
}
__device__ inline void advance(uint4* counter, unsigned long long n) {
  const unsigned long long low = counter->x | static_cast<unsigned long long>(counter->y) << 32;
  const unsigned long long sum = low + n;
  counter->x = static_cast<unsigned>(sum);
  counter->y = static_cast<unsigned>(sum >> 32);
  if (sum < low && ++counter->z == 0) ++counter->w;
}
/// Box and Muller's pair, of two uniform numbers in (0, 1].
__device__ inline float2 normalPair(float u, float v) {
  const float radius = sqrtf(-2.0f * logf(u));
  float s, c;
  sincospif(2.0f * v, &s, &c);
  return {radius * s, radius * c};
}
__device__ inline double2 normalPair(double u, double v) {
  const double radius = sqrt(-2.0 * log(u));
  double s, c;
  sincospi(2.0 * v, &s, &c);
  return {radius * s, radius * c};
}
/// In (0, 1].
__device__ inline float uniform(unsigned x) {
  return x * 0x1p-32f + 0x1p-33f;
}
__device__ inline double uniform(unsigned long long x) {
  return static_cast<double>(x >> 11) * 0x1p-53 + 0x1p-53;
}

}  // namespace fermata_cuda

__device__ inline unsigned curand(curandStateXORWOW* s) {
  const unsigned t = s->v[0] ^ s->v[0] >> 2;
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ s->v[4] << 4) ^ (t ^ t << 1);
  s->d += 362437;
  return s->v[4] + s->d;
}
/// A seed's sequences are told apart by their number; `offset` numbers are left out.
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,
                                   unsigned long long offset, curandStateXORWOW* s) {
  unsigned long long state = seed;
  state = fermata_cuda::mixed(&state) + sequence * 0xd1342543de82ef95ull;
  *s = {};
  for (int i = 0; i < 5; ++i)
    s->v[i] = static_cast<unsigned>(fermata_cuda::mixed(&state)) | 1u << i;
  s->d = 6615241;
  for (unsigned long long i = 0; i < offset; ++i) curand(s);
}
__device__ inline void skipahead(unsigned long long n, curandStateXORWOW* s) {
  for (unsigned long long i = 0; i < n; ++i) curand(s);
}

__device__ inline unsigned curand(curandStatePhilox4_32_10* s) {
  if (s->taken == 4) {
    fermata_cuda::advance(&s->counter, 1);
    s->output = fermata_cuda::philox(s->counter, s->key);
    s->taken = 0;
  }
  const unsigned which = s->taken++;
  return which == 0   ? s->output.x
         : which == 1 ? s->output.y
         : which == 2 ? s->output.z
                      : s->output.w;
}
__device__ inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* s) {
  s->taken += static_cast<unsigned>(n & 3);
  n /= 4;
  if (s->taken > 3) {
    ++n;
    s->taken -= 4;
  }
  fermata_cuda::advance(&s->counter, n);
  s->output = fermata_cuda::philox(s->counter, s->key);
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,
                                   unsigned long long offset, curandStatePhilox4_32_10* s) {
  *s = {};
  s->key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  s->counter.z = static_cast<unsigned>(sequence);
  s->counter.w = static_cast<unsigned>(sequence >> 32);
  skipahead(offset, s);
}
__device__ inline uint4 curand4(curandStatePhilox4_32_10* s) {
  uint4 r;
  r.x = curand(s);
  r.y = curand(s);
  r.z = curand(s);
  r.w = curand(s);
  return r;
}
__device__ inline float4 curand_uniform4(curandStatePhilox4_32_10* s) {
  const uint4 r = curand4(s);
  using fermata_cuda::uniform;
  return {uniform(r.x), uniform(r.y), uniform(r.z), uniform(r.w)};
}
__device__ inline float4 curand_normal4(curandStatePhilox4_32_10* s) {
  const float4 u = curand_uniform4(s);
  const float2 a = fermata_cuda::normalPair(u.x, u.y), b = fermata_cuda::normalPair(u.z, u.w);
  return {a.x, a.y, b.x, b.y};
}

// What both generators give.
template <class State>
__device__ inline float curand_uniform(State* s) {
  return fermata_cuda::uniform(curand(s));
}
template <class State>
__device__ inline double curand_uniform_double(State* s) {
  const unsigned low = curand(s), high = curand(s);
  return fermata_cuda::uniform(static_cast<unsigned long long>(high) << 32 | low);
}
template <class State>
__device__ inline float2 curand_normal2(State* s) {
  const float u = curand_uniform(s), v = curand_uniform(s);
  return fermata_cuda::normalPair(u, v);
}
template <class State>
__device__ inline double2 curand_normal2_double(State* s) {
  const double u = curand_uniform_double(s), v = curand_uniform_double(s);
  return fermata_cuda::normalPair(u, v);
}
template <class State>
__device__ inline float curand_normal(State* s) {
  if ((s->spares & 1) != 0) {
    s->spares &= ~1;
    return s->spare;
  }
  const float2 pair = curand_normal2(s);
  s->spares |= 1;
  s->spare = pair.y;
  return pair.x;
}
template <class State>
__device__ inline double curand_normal_double(State* s) {
  if ((s->spares & 2) != 0) {
    s->spares &= ~2;
    return s->spareDouble;
  }
  const double2 pair = curand_normal2_double(s);
  s->spares |= 2;
  s->spareDouble = pair.y;
  return pair.x;
}
template <class State>
__device__ inline float curand_log_normal(State* s, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(s));
}
template <class State>
__device__ inline double curand_log_normal_double(State* s, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(s));
}
/// How many exponential times fit into `lambda`; of a large one the normal number that is as far
/// out.
template <class State>
__device__ inline unsigned curand_poisson(State* s, double lambda) {
  if (lambda > 4000.0) {
    const double n = lambda + sqrt(lambda) * curand_normal_double(s) + 0.5;
    return n < 0.0 ? 0u : static_cast<unsigned>(n);
  }
  unsigned n = 0;
  for (double time = -log(curand_uniform_double(s)); time < lambda; ++n)
    time -= log(curand_uniform_double(s));
  return n;
}

#pragma clang attribute pop
