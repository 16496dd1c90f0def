// Random numbers in kernels, by cuRAND's names, from generators as their authors published them.
// Philox counts, and XORWOW and MRG32k3a are seeded, like cuRAND's.
#pragma once
#define CURAND_KERNEL_H_  // programs test whether it was included

#include "cuda_runtime.h"

#ifndef FERMATA_CUDA_LANGUAGE
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

/// State of MRG32k3a (parts/random_recurrences.h).
struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  int spares;
  int unused;
  float spare;
  double spareDouble;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

#include "parts/random_recurrences.h"
#include "parts/random_words.h"

namespace fermata_cuda {

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
  fermata_cuda::skipSequences(n, s->v);
}
/// Seeds the state, then skips whole sequences and `offset` numbers.
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,
                                   unsigned long long offset, curandStateXORWOW* s) {
  *s = {};
  s->d = fermata_cuda::seedShifts(seed, s->v);
  skipahead_sequence(sequence, s);
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

__device__ inline unsigned curand(curandStateMRG32k3a* s) {
  return fermata_cuda::combinedBits(fermata_cuda::nextCombined(s->s1, s->s2));
}
__device__ inline void skipahead(unsigned long long n, curandStateMRG32k3a* s) {
  fermata_cuda::jumpBoth(0, n, s->s1, s->s2);
}
__device__ inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* s) {
  fermata_cuda::jumpBoth(fermata_cuda::kCombinedSubsequence, n, s->s1, s->s2);
}
__device__ inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* s) {
  fermata_cuda::jumpBoth(fermata_cuda::kCombinedSequence, n, s->s1, s->s2);
}
/// Seeds the state, then skips whole subsequences and `offset` numbers.
__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                   unsigned long long offset, curandStateMRG32k3a* s) {
  *s = {};
  fermata_cuda::seedCombined(seed, s->s1, s->s2);
  skipahead_subsequence(subsequence, s);
  skipahead(offset, s);
}
__device__ inline double curand_uniform_double(curandStateMRG32k3a* s) {
  return fermata_cuda::combinedUniform(fermata_cuda::nextCombined(s->s1, s->s2));
}
__device__ inline float curand_uniform(curandStateMRG32k3a* s) {
  return static_cast<float>(curand_uniform_double(s));
}

// Functions of all generators.
template <class State>
__device__ inline float curand_uniform(State* s) {
  return fermata_cuda::uniform(curand(s));
}
template <class State>
__device__ inline double curand_uniform_double(State* s) {
  const unsigned low = curand(s), high = curand(s);
  return fermata_cuda::uniform(low, high);
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
/// Returns a Poisson number: by a product of uniform numbers for a small lambda, as cuRAND does
/// (Knuth); by the number of exponential times that fit into lambda; or, for a large one, by the
/// normal approximation.
template <class State>
__device__ inline unsigned curand_poisson(State* s, double lambda) {
  if (lambda < 64.0) {
    unsigned drawn = 1;
    for (float p = expf(static_cast<float>(lambda)) * curand_uniform(s); p > 1.0f; ++drawn)
      p *= curand_uniform(s);
    return drawn - 1;
  }
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
