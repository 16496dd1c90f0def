// The numbers of MRG32k3a, for kernels and for the library's own generators: L'Ecuyer's combined
// recurrences (Good Parameters and Implementations for Combined Multiple Recursive Random Number
// Generators, 1999), seeded like cuRAND's.
//
// Each recurrence keeps its last three numbers, the oldest first. A step is a product with a matrix
// of 3x3, modulo its prime; a jump is a product with a power of the matrix.
#pragma once

#include "random_words.h"

namespace fermata_cuda {

struct Recurrence {
  unsigned long long modulus;
  unsigned long long factors[3];  ///< of the last three numbers, the oldest first
};
constexpr Recurrence kFirstRecurrence = {4294967087u, {4294967087u - 810728, 1403580, 0}};
constexpr Recurrence kSecondRecurrence = {4294944443u, {4294944443u - 1370589, 0, 527612}};

/// Powers of a recurrence's matrix: power 2^k of k steps.
struct RecurrencePowers {
  static constexpr int kCount = 191;  ///< sequences, 2^127 apart, have numbers of 64 bits
  unsigned of[kCount][3][3];
};
constexpr RecurrencePowers powersOf(Recurrence r) {
  RecurrencePowers powers = {};
  powers.of[0][0][1] = powers.of[0][1][2] = 1;
  for (int c = 0; c < 3; ++c) powers.of[0][2][c] = static_cast<unsigned>(r.factors[c]);
  for (int k = 1; k < RecurrencePowers::kCount; ++k) {
    for (int i = 0; i < 9; ++i) {
      unsigned long long sum = 0;
      for (int j = 0; j < 3; ++j)
        sum += 1ull * powers.of[k - 1][i / 3][j] * powers.of[k - 1][j][i % 3] % r.modulus;
      powers.of[k][i / 3][i % 3] = static_cast<unsigned>(sum % r.modulus);
    }
  }
  return powers;
}

/// Skips n * 2^first numbers.
FERMATA_RANDOM void jump(const RecurrencePowers& powers, unsigned long long modulus, int first,
                         unsigned long long n, unsigned* s) {
  for (; n != 0; n >>= 1, ++first) {
    if ((n & 1) == 0) continue;
    unsigned to[3];
    for (int i = 0; i < 3; ++i) {
      unsigned long long sum = 0;
      for (int j = 0; j < 3; ++j) sum += 1ull * powers.of[first][i][j] * s[j] % modulus;
      to[i] = static_cast<unsigned>(sum % modulus);
    }
    for (int i = 0; i < 3; ++i) s[i] = to[i];
  }
}
/// Skips n * 2^first numbers of both recurrences; the tables are made only where it is used.
template <class Word>
FERMATA_RANDOM_LONG void jumpBoth(int first, unsigned long long n, Word* s1, Word* s2) {
  static constexpr RecurrencePowers kFirst = powersOf(kFirstRecurrence);
  static constexpr RecurrencePowers kSecond = powersOf(kSecondRecurrence);
  jump(kFirst, kFirstRecurrence.modulus, first, n, s1);
  jump(kSecond, kSecondRecurrence.modulus, first, n, s2);
}
FERMATA_RANDOM unsigned step(const Recurrence& r, unsigned* s) {
  const unsigned long long next =
      (r.factors[0] * s[0] % r.modulus + r.factors[1] * s[1] + r.factors[2] * s[2]) % r.modulus;
  s[0] = s[1];
  s[1] = s[2];
  s[2] = static_cast<unsigned>(next);
  return s[2];
}
/// Returns the next number, from 1 to the first modulus.
FERMATA_RANDOM unsigned nextCombined(unsigned* s1, unsigned* s2) {
  const unsigned a = step(kFirstRecurrence, s1), b = step(kSecondRecurrence, s2);
  return a > b ? a - b : a - b + static_cast<unsigned>(kFirstRecurrence.modulus);
}
FERMATA_RANDOM void seedCombined(unsigned long long seed, unsigned* s1, unsigned* s2) {
  for (int i = 0; i < 3; ++i) s1[i] = s2[i] = 12345;
  if (seed == 0) return;
  const unsigned long long mixed[2] = {static_cast<unsigned>(seed) ^ 0x55555555u,
                                       static_cast<unsigned>(seed >> 32) ^ 0xaaaaaaaau};
  for (int i = 0; i < 3; ++i) {
    s1[i] = static_cast<unsigned>(mixed[i % 2] * s1[i] % kFirstRecurrence.modulus);
    s2[i] = static_cast<unsigned>(mixed[(i + 1) % 2] * s2[i] % kSecondRecurrence.modulus);
  }
}
constexpr int kCombinedSubsequence = 76;  ///< subsequences are 2^76 numbers apart
constexpr int kCombinedSequence = 127;    ///< sequences are 2^127 numbers apart

/// Returns 32 bits, or a uniform number in (0, 1), of a number of MRG32k3a.
FERMATA_RANDOM unsigned combinedBits(unsigned x) {
  return static_cast<unsigned>(x * 1.000000048662);
}
FERMATA_RANDOM double combinedUniform(unsigned x) { return x * 2.3283065498378288e-10; }

}  // namespace fermata_cuda
