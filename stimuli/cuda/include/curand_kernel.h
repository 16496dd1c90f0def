// Random numbers in kernels, by cuRAND's names, from generators as their authors published them.
// Philox counts like cuRAND's. XORWOW's states are seeded in our own way, so its numbers differ
// from cuRAND's but are as good.
#pragma once
#define CURAND_KERNEL_H_  // programs test whether it was included

#include "cuda_runtime.h"

#if !defined(__CUDA__) || !defined(__clang__)
#error "curand_kernel.h needs a .cu file: fermata cc compiles it with the CUDA language"
#endif

/// State of Marsaglia's xorwow (Xorshift RNGs, 2003): five words of shifts, and a counter. It has
/// the size of cuRAND's.
struct curandStateXORWOW {
  unsigned d, v[5];
  int spares;  ///< 1: a normal float is left over; 2: a normal double
  int unused;
  float spare;
  double spareDouble;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

/// State of Philox4x32-10 (Salmon and others, Parallel Random Numbers: As Easy as 1, 2, 3; 2011).
struct curandStatePhilox4_32_10 {
  uint4 counter, output;
  uint2 key;
  unsigned taken;  ///< words of `output` already taken, of four
  int spares;
  float spare;
  double spareDouble;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace fermata_cuda {

/// Returns the next number of Vigna's splitmix64, so that states of neighbouring seeds are
/// unrelated.
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
/// Returns a pair of normal numbers (Box and Muller) from two uniform numbers in (0, 1].
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
/// Returns a uniform number in (0, 1].
__device__ inline float uniform(unsigned x) { return x * 0x1p-32f + 0x1p-33f; }
__device__ inline double uniform(unsigned long long x) {
  return static_cast<double>(x >> 11) * 0x1p-53 + 0x1p-53;
}

__device__ inline void shift(unsigned* v) {
  const unsigned t = v[0] ^ v[0] >> 2;
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
}

/// A polynomial over bits with a degree below 160, modulo the characteristic polynomial of xorwow's
/// shifts; the lowest coefficient comes first. x^n stands for n shifts.
struct Shifts {
  unsigned w[5];
};
__device__ inline void timesX(Shifts* a) {
  const unsigned over = 0u - (a->w[4] >> 31);
#pragma unroll
  for (int i = 4; i > 0; --i) a->w[i] = a->w[i] << 1 | a->w[i - 1] >> 31;
  a->w[0] <<= 1;
  a->w[0] ^= over & 0x00060001u;
  a->w[1] ^= over & 0x08610030u;
  a->w[2] ^= over & 0x00062121u;
  a->w[3] ^= over & 0x0f3c0035u;
  a->w[4] ^= over & 0x00000f0eu;
}
__device__ __attribute__((noinline)) inline Shifts product(const Shifts& a, const Shifts& b) {
  Shifts r = {};
  for (int bit = 159; bit >= 0; --bit) {
    timesX(&r);
    const unsigned set = 0u - (b.w[bit / 32] >> bit % 32 & 1);
    for (int i = 0; i < 5; ++i) r.w[i] ^= set & a.w[i];
  }
  return r;
}
__device__ inline Shifts power(const Shifts& a, unsigned long long n) {
  Shifts r = {{1}};
  for (int bit = 63 - __clzll(static_cast<long long>(n)); bit >= 0; --bit) {
    r = product(r, r);
    if ((n >> bit & 1) != 0) r = product(r, a);
  }
  return r;
}
__device__ inline void apply(const Shifts& shifts, unsigned* v) {
  unsigned sum[5] = {};
  for (int bit = 0; bit < 160; ++bit) {
    const unsigned set = 0u - (shifts.w[bit / 32] >> bit % 32 & 1);
    for (int i = 0; i < 5; ++i) sum[i] ^= set & v[i];
    shift(v);
  }
  for (int i = 0; i < 5; ++i) v[i] = sum[i];
}

}  // namespace fermata_cuda

__device__ inline unsigned curand(curandStateXORWOW* s) {
  fermata_cuda::shift(s->v);
  s->d += 362437;
  return s->v[4] + s->d;
}
/// Skips `n` numbers; if n is large, in about as many steps as n has bits.
__device__ inline void skipahead(unsigned long long n, curandStateXORWOW* s) {
  s->d += static_cast<unsigned>(n) * 362437u;
  if (n < 4096) {
    for (unsigned i = 0; i < static_cast<unsigned>(n); ++i) fermata_cuda::shift(s->v);
  } else {
    fermata_cuda::apply(fermata_cuda::power({{2}}, n), s->v);
  }
}
/// Skips `n` sequences of 2^67 numbers each.
__device__ inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* s) {
  const fermata_cuda::Shifts one = {
      {0x26294934u, 0x77bbc248u, 0x1a87dad0u, 0x930052d4u, 0x947e6dd2u}};
  fermata_cuda::apply(fermata_cuda::power(one, n), s->v);
}
/// Seeds the state. The number of a sequence tells a seed's sequences apart; `offset` numbers are
/// skipped.
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,
                                   unsigned long long offset, curandStateXORWOW* s) {
  unsigned long long state = seed;
  state = fermata_cuda::mixed(&state) + sequence * 0xd1342543de82ef95ull;
  *s = {};
  for (int i = 0; i < 5; ++i)
    s->v[i] = static_cast<unsigned>(fermata_cuda::mixed(&state)) | 1u << i;
  s->d = 6615241;
  skipahead(offset, s);
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
__device__ inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* s) {
  const unsigned long long high = s->counter.z | static_cast<unsigned long long>(s->counter.w)
                                                     << 32;
  s->counter.z = static_cast<unsigned>(high + n);
  s->counter.w = static_cast<unsigned>((high + n) >> 32);
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
  return {curand(s), curand(s), curand(s), curand(s)};  // braces keep the order
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

// Functions of both generators.
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
__device__ inline float2 curand_log_normal2(State* s, float mean, float deviation) {
  const float2 pair = curand_normal2(s);
  return {expf(mean + deviation * pair.x), expf(mean + deviation * pair.y)};
}
template <class State>
__device__ inline double2 curand_log_normal2_double(State* s, double mean, double deviation) {
  const double2 pair = curand_normal2_double(s);
  return {exp(mean + deviation * pair.x), exp(mean + deviation * pair.y)};
}
template <class State>
__device__ inline double curand_log_normal_double(State* s, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(s));
}
/// Returns the number of exponential times that fit into `lambda`; for a large lambda, the normal
/// approximation.
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

// Functions of Philox alone: several numbers at once.
__device__ inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t* s) {
  return {curand_uniform_double(s), curand_uniform_double(s)};
}
__device__ inline float4 curand_log_normal4(curandStatePhilox4_32_10_t* s, float mean,
                                            float deviation) {
  const float4 n = curand_normal4(s);
  return {expf(mean + deviation * n.x), expf(mean + deviation * n.y), expf(mean + deviation * n.z),
          expf(mean + deviation * n.w)};
}
__device__ inline uint4 curand_poisson4(curandStatePhilox4_32_10_t* s, double lambda) {
  return {curand_poisson(s, lambda), curand_poisson(s, lambda), curand_poisson(s, lambda),
          curand_poisson(s, lambda)};
}

#pragma clang attribute pop
