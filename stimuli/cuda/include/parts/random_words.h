// The words of Philox and XORWOW, for kernels and for the library's own generators.
//
// Philox4x32-10 is as its authors publish it (Salmon and others, 2011). XORWOW is Marsaglia's
// (Xorshift RNGs, 2003), seeded so that cuRAND's published example (its programming guide, the
// example of the host interface) comes out.
#pragma once

#include "../vector_types.h"

#define FERMATA_RANDOM __host__ __device__ inline
#ifdef FERMATA_CUDA_LANGUAGE
#define FERMATA_RANDOM_LONG __host__ __device__ __attribute__((noinline)) inline
#define FERMATA_RANDOM_UNROLL _Pragma("unroll")
#else
#define FERMATA_RANDOM_LONG inline
#define FERMATA_RANDOM_UNROLL
#endif

namespace fermata_cuda {

FERMATA_RANDOM uint4 philox(uint4 c, uint2 k) {
  FERMATA_RANDOM_UNROLL
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
    c = {static_cast<unsigned>(b >> 32) ^ c.y ^ k.x, static_cast<unsigned>(b),
         static_cast<unsigned>(a >> 32) ^ c.w ^ k.y, static_cast<unsigned>(a)};
    k.x += 0x9e3779b9u;
    k.y += 0xbb67ae85u;
  }
  return c;
}
FERMATA_RANDOM void advance(uint4* counter, unsigned long long n) {
  const unsigned long long low = counter->x | static_cast<unsigned long long>(counter->y) << 32;
  const unsigned long long sum = low + n;
  counter->x = static_cast<unsigned>(sum);
  counter->y = static_cast<unsigned>(sum >> 32);
  if (sum < low && ++counter->z == 0) ++counter->w;
}
/// Returns a uniform number in (0, 1].
FERMATA_RANDOM float uniform(unsigned x) { return x * 0x1p-32f + 0x1p-33f; }
FERMATA_RANDOM double uniform(unsigned low, unsigned high) {
  const unsigned long long x = low ^ static_cast<unsigned long long>(high) << 21;
  return static_cast<double>(x) * 0x1p-53 + 0x1p-54;
}

FERMATA_RANDOM void shift(unsigned* v) {
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
FERMATA_RANDOM void timesX(Shifts* a) {
  const unsigned over = 0u - (a->w[4] >> 31);
  FERMATA_RANDOM_UNROLL
  for (int i = 4; i > 0; --i) a->w[i] = a->w[i] << 1 | a->w[i - 1] >> 31;
  a->w[0] <<= 1;
  a->w[0] ^= over & 0x00060001u;
  a->w[1] ^= over & 0x08610030u;
  a->w[2] ^= over & 0x00062121u;
  a->w[3] ^= over & 0x0f3c0035u;
  a->w[4] ^= over & 0x00000f0eu;
}
FERMATA_RANDOM_LONG Shifts product(const Shifts& a, const Shifts& b) {
  Shifts r = {};
  for (int bit = 159; bit >= 0; --bit) {
    timesX(&r);
    const unsigned set = 0u - (b.w[bit / 32] >> bit % 32 & 1);
    for (int i = 0; i < 5; ++i) r.w[i] ^= set & a.w[i];
  }
  return r;
}
FERMATA_RANDOM Shifts power(const Shifts& a, unsigned long long n) {
  Shifts r = {{1}};
  int bit = 63;
  while (bit >= 0 && (n >> bit & 1) == 0) --bit;
  for (; bit >= 0; --bit) {
    r = product(r, r);
    if ((n >> bit & 1) != 0) r = product(r, a);
  }
  return r;
}
FERMATA_RANDOM void apply(const Shifts& shifts, unsigned* v) {
  unsigned sum[5] = {};
  for (int bit = 0; bit < 160; ++bit) {
    const unsigned set = 0u - (shifts.w[bit / 32] >> bit % 32 & 1);
    for (int i = 0; i < 5; ++i) sum[i] ^= set & v[i];
    shift(v);
  }
  for (int i = 0; i < 5; ++i) v[i] = sum[i];
}
/// Skips `n` sequences of 2^67 numbers each.
FERMATA_RANDOM_LONG void skipSequences(unsigned long long n, unsigned* v) {
  static constexpr Shifts kJumps[64] = {
#include "random_jumps.inl"
  };
  for (int k = 0; n >> k != 0; ++k) {
    if ((n >> k & 1) != 0) apply(kJumps[k], v);
    if (k == 63) return;
  }
}
/// Sets the first state of a seed; returns the counter that is added to the shifts.
FERMATA_RANDOM unsigned seedShifts(unsigned long long seed, unsigned* v) {
  const unsigned low = 1099087573u * (static_cast<unsigned>(seed) ^ 0xaad26b49u);
  const unsigned high = 2591861531u * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu);
  v[0] = 123456789u + low;  // Marsaglia's state, mixed with the seed
  v[1] = 362436069u ^ low;
  v[2] = 521288629u + high;
  v[3] = 88675123u ^ high;
  v[4] = 5783321u + low;
  return 6615241u + high + low;
}

}  // namespace fermata_cuda
