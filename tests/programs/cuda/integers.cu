// Division and shifts of every width, products and reversals of 64 bits, SIMD within words and dot
// products of bytes, against plain C++ on the host. Functions of one instruction are checked by
// tests/cuda_programs/lane_functions_test.cpp.
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

uint64_t reversed(uint64_t x) {
  uint64_t r = 0;
  for (int j = 0; j < 64; ++j) r |= (x >> j & 1) << (63 - j);
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
  R(__brevll(ua), reversed(ua))                                                       \
  R(__mul64hi(a, b), uint64_t(__int128(a) * b >> 64))                                 \
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

void expected(const Operands& p, uint64_t* e) {
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
    expected(in[i], e);
    for (int k = 0; k < kResults; ++k)
      if (got[size_t(i) * kResults + k] != e[k])
        fail("%s of %llx %llx %x %x is %llx, expected %llx", names[k], (long long)in[i].a,
             (long long)in[i].b, in[i].c, in[i].d, (long long)got[size_t(i) * kResults + k],
             (long long)e[k]);
  }
  puts("PASS");
}
