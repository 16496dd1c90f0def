// Integer intrinsics, division and shifts of every width, SIMD within words and dot products of
// bytes, against plain C++ on the host.
#include <cstdint>

#include "check.h"

struct Operands {
  int64_t a, b;
  int32_t c, d;
};
#define NAMES(p)                                            \
  const int64_t a = (p).a, b = (p).b;                       \
  const int32_t c = (p).c, d = (p).d;                       \
  const uint32_t u = c, v = d;                              \
  const uint64_t ua = a, ub = b;                            \
  const uint32_t w = (v & 0xff00ff00u) | (u & 0x00ff00ffu); \
  (void)ub, (void)w

template <class T>
T reversed(T x) {
  T r = 0;
  for (unsigned j = 0; j < 8 * sizeof x; ++j) r |= (x >> j & 1) << (8 * sizeof x - 1 - j);
  return r;
}
uint32_t permuted(uint32_t u, uint32_t v, int selector) {
  uint32_t r = 0;
  for (int j = 0; j < 4; ++j)
    r |= uint32_t((uint64_t(v) << 32 | u) >> 8 * (selector >> 4 * j & 7) & 0xff) << 8 * j;
  return r;
}
/// Applies f to parts of the words.
template <class Function>
uint32_t lanes(int bits, uint32_t u, uint32_t v, Function f) {
  uint32_t r = 0;
  const uint32_t mask = (1ull << bits) - 1;
  for (int j = 0; j < 32; j += bits) r |= (uint32_t(f(u >> j & mask, v >> j & mask)) & mask) << j;
  return r;
}
template <class Byte>
uint32_t dot(uint32_t u, uint32_t v, uint32_t sum) {
  for (int j = 0; j < 4; ++j) sum += uint32_t(Byte(u >> 8 * j) * Byte(v >> 8 * j));
  return sum;
}
int32_t low24(int32_t x) {
  return int32_t(uint32_t(x) << 8) >> 8;
}
uint32_t sum(uint32_t x, uint32_t y) {
  return x + y;
}
uint32_t difference(uint32_t x, uint32_t y) {
  return x - y;
}
uint32_t greater(uint32_t x, uint32_t y) {
  return int8_t(x) > int8_t(y) ? x : y;
}
uint32_t distance(uint32_t x, uint32_t y) {
  return x > y ? x - y : y - x;
}
uint32_t equal(uint32_t x, uint32_t y) {
  return x == y ? 0xff : 0;
}

// Columns: on the device, and on the host.
#define RESULTS(R)                                                                    \
  R(__clz(c), u ? __builtin_clz(u) : 32)                                              \
  R(__clzll(a), ua ? __builtin_clzll(ua) : 64)                                        \
  R(__popc(u), __builtin_popcount(u))                                                 \
  R(__popcll(ua), __builtin_popcountll(ua))                                           \
  R(__ffs(c), __builtin_ffs(c))                                                       \
  R(__ffsll(a), __builtin_ffsll(a))                                                   \
  R(__brev(u), reversed(u))                                                           \
  R(__brevll(ua), reversed(ua))                                                       \
  R(__byte_perm(u, v, 0x5140 ^ (i & 0x7777)), permuted(u, v, 0x5140 ^ (i & 0x7777)))  \
  R(uint32_t(__mulhi(c, d)), uint32_t(int64_t(c) * d >> 32))                          \
  R(__umulhi(u, v), uint64_t(u) * v >> 32)                                            \
  R(__mul64hi(a, b), uint64_t(__int128(a) * b >> 64))                                 \
  R(__umul64hi(ua, ub), uint64_t((unsigned __int128)ua* ub >> 64))                    \
  R(uint32_t(__mul24(c, d)), uint32_t(int64_t(low24(c)) * low24(d)))                  \
  R(__umul24(u, v), uint32_t(uint64_t(u & 0xffffff) * (v & 0xffffff)))                \
  R(__sad(c, d, 17u), uint32_t(llabs(int64_t(c) - d)) + 17u)                          \
  R(__usad(u, v, 17u), distance(u, v) + 17u)                                          \
  R(uint32_t(__hadd(c, d)), uint32_t((int64_t(c) + d) >> 1))                          \
  R(uint32_t(__rhadd(c, d)), uint32_t((int64_t(c) + d + 1) >> 1))                     \
  R(__uhadd(u, v), (uint64_t(u) + v) >> 1)                                            \
  R(__funnelshift_l(u, v, i), uint32_t((uint64_t(v) << 32 | u) << (i & 31) >> 32))    \
  R(__funnelshift_rc(u, v, i % 40),                                                   \
    uint32_t((uint64_t(v) << 32 | u) >> (i % 40 > 32 ? 32 : i % 40)))                 \
  R(a / (b | 1), a / (b | 1))                                                         \
  R(a % (b | 1), a % (b | 1))                                                         \
  R(ua / (ub | 1), ua / (ub | 1))                                                     \
  R(ua % (ub | 1), ua % (ub | 1))                                                     \
  R(uint32_t(c / (d | 1)), uint32_t(c / (d | 1)))                                     \
  R(uint32_t(c % (d | 1)), uint32_t(c % (d | 1)))                                     \
  R(u / (v | 1), u / (v | 1))                                                         \
  R(uint8_t(c) / (uint8_t(d) | 1), uint8_t(c) / (uint8_t(d) | 1))                     \
  R(uint16_t(int16_t(c) % (int16_t(d) | 1)), uint16_t(int16_t(c) % (int16_t(d) | 1))) \
  R(a >> (d & 63), a >> (d & 63))                                                     \
  R(ua << (d & 63), ua << (d & 63))                                                   \
  R(uint32_t(__dp4a(c, d, int(a))), dot<int8_t>(u, v, uint32_t(a)))                   \
  R(__dp4a(u, v, uint32_t(a)), dot<uint8_t>(u, v, uint32_t(a)))                       \
  R(__vadd4(u, v), lanes(8, u, v, sum))                                               \
  R(__vsub2(u, v), lanes(16, u, v, difference))                                       \
  R(__vmaxs4(u, v), lanes(8, u, v, greater))                                          \
  R(__vabsdiffu4(u, v), lanes(8, u, v, distance))                                     \
  R(__vcmpeq4(u, w), lanes(8, u, w, equal))

#define NAME(device, host) #device,
const char* const names[] = {RESULTS(NAME)};
const int kResults = sizeof names / sizeof names[0];

__global__ void compute(const Operands* in, uint64_t* o, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  NAMES(in[i]);
  o += size_t(i) * kResults;
#define ON_DEVICE(device, host) *o++ = device;
  RESULTS(ON_DEVICE)
}

void expected(const Operands& p, int i, uint64_t* e) {
  NAMES(p);
#define ON_HOST(device, host) *e++ = host;
  RESULTS(ON_HOST)
}

int main() {
  const int n = 600;
  std::vector<Operands> in(n);
  uint64_t s = 88172645463325252ull;
  const auto next = [&s] {
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    return s;
  };
  for (int i = 0; i < n; ++i) {
    in[i] = {int64_t(next() >> next() % 64), int64_t(next() >> next() % 64),
             int32_t(next() >> next() % 32), int32_t(next() >> (32 + next() % 32))};
    if (i % 5 == 0) in[i].a = -in[i].a;
    if (i % 7 == 0) in[i].d = -in[i].d;
  }
  in[3] = {0, 0, 0, 0};
  in[4] = {INT64_MAX, INT64_MIN, INT32_MIN, INT32_MAX};
  uint64_t* const out = newOnDevice<uint64_t>(size_t(n) * kResults);
  compute<<<(n + 63) / 64, 64>>>(toDevice(in), out, n);
  const std::vector<uint64_t> got = toHost(out, size_t(n) * kResults);
  for (int i = 0; i < n; ++i) {
    uint64_t e[kResults];
    expected(in[i], i, e);
    for (int k = 0; k < kResults; ++k)
      if (got[size_t(i) * kResults + k] != e[k])
        fail("%s of %llx %llx %x %x is %llx, expected %llx", names[k], (long long)in[i].a,
             (long long)in[i].b, in[i].c, in[i].d, (long long)got[size_t(i) * kResults + k],
             (long long)e[k]);
  }
  puts("PASS");
}
