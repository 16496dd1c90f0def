// Integer intrinsics, division and shifts of every width, SIMD within words and dot products of
// bytes, against plain C++ on the host.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                                \
  do {                                                                          \
    cudaError_t e = (x);                                                        \
    if (e != cudaSuccess) printf("FAIL: %s\n", cudaGetErrorString(e)), exit(1); \
  } while (0)

const int kResults = 40;

struct Operands {
  int64_t a, b;
  int32_t c, d;
};

__global__ void compute(const Operands* in, uint64_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int64_t a = in[i].a, b = in[i].b;
  const int32_t c = in[i].c, d = in[i].d;
  const uint32_t u = c, v = d;
  const uint64_t ua = a, ub = b;
  uint64_t* o = out + size_t(i) * kResults;
  int k = 0;
  o[k++] = __clz(c);
  o[k++] = __clzll(a);
  o[k++] = __popc(u);
  o[k++] = __popcll(ua);
  o[k++] = __ffs(c);
  o[k++] = __ffsll(a);
  o[k++] = __brev(u);
  o[k++] = __brevll(ua);
  o[k++] = __byte_perm(u, v, 0x5140 ^ (i & 0x7777));
  o[k++] = uint32_t(__mulhi(c, d));
  o[k++] = __umulhi(u, v);
  o[k++] = __mul64hi(a, b);
  o[k++] = __umul64hi(ua, ub);
  o[k++] = uint32_t(__mul24(c, d));
  o[k++] = __umul24(u, v);
  o[k++] = __sad(c, d, 17u);
  o[k++] = __usad(u, v, 17u);
  o[k++] = uint32_t(__hadd(c, d));
  o[k++] = uint32_t(__rhadd(c, d));
  o[k++] = __uhadd(u, v);
  o[k++] = __funnelshift_l(u, v, i);
  o[k++] = __funnelshift_rc(u, v, i % 40);
  o[k++] = a / (b | 1);
  o[k++] = a % (b | 1);
  o[k++] = ua / (ub | 1);
  o[k++] = ua % (ub | 1);
  o[k++] = uint32_t(c / (d | 1));
  o[k++] = uint32_t(c % (d | 1));
  o[k++] = u / (v | 1);
  o[k++] = uint8_t(c) / (uint8_t(d) | 1);
  o[k++] = uint16_t(int16_t(c) % (int16_t(d) | 1));
  o[k++] = a >> (d & 63);
  o[k++] = ua << (d & 63);
  o[k++] = uint32_t(__dp4a(c, d, int(a)));
  o[k++] = __dp4a(u, v, uint32_t(a));
  o[k++] = __vadd4(u, v);
  o[k++] = __vsub2(u, v);
  o[k++] = __vmaxs4(u, v);
  o[k++] = __vabsdiffu4(u, v);
  o[k++] = __vcmpeq4(u, v & 0xff00ff00u | u & 0x00ff00ffu);
}

static uint64_t expected(const Operands& p, int i, int k) {
  const int64_t a = p.a, b = p.b;
  const int32_t c = p.c, d = p.d;
  const uint32_t u = c, v = d;
  const uint64_t ua = a, ub = b;
  const auto reverse = [](uint64_t x, int bits) {
    uint64_t r = 0;
    for (int j = 0; j < bits; ++j) r |= (x >> j & 1) << (bits - 1 - j);
    return r;
  };
  const auto lanes = [&](int bits, auto f) {  // applies f to parts of u and v
    uint32_t r = 0;
    const uint32_t mask = (1ull << bits) - 1;
    for (int j = 0; j < 32; j += bits) r |= (uint32_t(f(u >> j & mask, v >> j & mask)) & mask) << j;
    return r;
  };
  const auto byte = [](uint32_t x, int j) { return int8_t(x >> 8 * j); };
  const auto sign24 = [](int32_t x) { return int32_t(uint32_t(x) << 8) >> 8; };
  switch (k) {
    case 0:
      return u ? __builtin_clz(u) : 32;
    case 1:
      return ua ? __builtin_clzll(ua) : 64;
    case 2:
      return __builtin_popcount(u);
    case 3:
      return __builtin_popcountll(ua);
    case 4:
      return __builtin_ffs(c);
    case 5:
      return __builtin_ffsll(a);
    case 6:
      return reverse(u, 32);
    case 7:
      return reverse(ua, 64);
    case 8: {
      const int s = 0x5140 ^ (i & 0x7777);
      uint32_t r = 0;
      for (int j = 0; j < 4; ++j)
        r |= uint32_t((uint64_t(v) << 32 | u) >> 8 * (s >> 4 * j & 7) & 0xff) << 8 * j;
      return r;
    }
    case 9:
      return uint32_t(int64_t(c) * d >> 32);
    case 10:
      return uint64_t(u) * v >> 32;
    case 11:
      return uint64_t(__int128(a) * b >> 64);
    case 12:
      return uint64_t((unsigned __int128)ua * ub >> 64);
    case 13:
      return uint32_t(int64_t(sign24(c)) * sign24(d));
    case 14:
      return uint32_t(uint64_t(u & 0xffffff) * (v & 0xffffff));
    case 15:
      return uint32_t(llabs(int64_t(c) - d)) + 17u;
    case 16:
      return (u > v ? u - v : v - u) + 17u;
    case 17:
      return uint32_t((int64_t(c) + d) >> 1);
    case 18:
      return uint32_t((int64_t(c) + d + 1) >> 1);
    case 19:
      return (uint64_t(u) + v) >> 1;
    case 20:
      return uint32_t((uint64_t(v) << 32 | u) << (i & 31) >> 32);
    case 21:
      return uint32_t((uint64_t(v) << 32 | u) >> (i % 40 > 32 ? 32 : i % 40));
    case 22:
      return a / (b | 1);
    case 23:
      return a % (b | 1);
    case 24:
      return ua / (ub | 1);
    case 25:
      return ua % (ub | 1);
    case 26:
      return uint32_t(c / (d | 1));
    case 27:
      return uint32_t(c % (d | 1));
    case 28:
      return u / (v | 1);
    case 29:
      return uint8_t(c) / (uint8_t(d) | 1);
    case 30:
      return uint16_t(int16_t(c) % (int16_t(d) | 1));
    case 31:
      return a >> (d & 63);
    case 32:
      return ua << (d & 63);
    case 33: {
      int64_t sum = int32_t(a);
      for (int j = 0; j < 4; ++j) sum += byte(u, j) * byte(v, j);
      return uint32_t(sum);
    }
    case 34: {
      uint64_t sum = uint32_t(a);
      for (int j = 0; j < 4; ++j) sum += uint32_t(uint8_t(byte(u, j))) * uint8_t(byte(v, j));
      return uint32_t(sum);
    }
    case 35:
      return lanes(8, [](uint32_t x, uint32_t y) { return x + y; });
    case 36:
      return lanes(16, [](uint32_t x, uint32_t y) { return x - y; });
    case 37:
      return lanes(8, [](uint32_t x, uint32_t y) { return int8_t(x) > int8_t(y) ? x : y; });
    case 38:
      return lanes(8, [](uint32_t x, uint32_t y) { return x > y ? x - y : y - x; });
    default:
      return lanes(8, [](uint32_t x, uint32_t y) { return x == y ? 0xff : 0; }) | 0x00ff00ff;
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 600;
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
    if (i == 3) in[i] = {0, 0, 0, 0};
    if (i == 4) in[i] = {INT64_MAX, INT64_MIN, INT32_MIN, INT32_MAX};
  }
  Operands* dIn;
  uint64_t* dOut;
  std::vector<uint64_t> out(size_t(n) * kResults);
  CHECK(cudaMalloc(&dIn, n * sizeof(Operands)));
  CHECK(cudaMalloc(&dOut, out.size() * 8));
  CHECK(cudaMemcpy(dIn, in.data(), n * sizeof(Operands), cudaMemcpyHostToDevice));
  compute<<<(n + 63) / 64, 64>>>(dIn, dOut, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), dOut, out.size() * 8, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(dIn));
  CHECK(cudaFree(dOut));
  int wrong = 0;
  for (int k = 0; k < kResults; ++k)
    for (int i = 0; i < n; ++i) {
      const uint64_t g = out[size_t(i) * kResults + k], e = expected(in[i], i, k);
      if (g == e) continue;
      printf("result %d of %d (%llx %llx %x %x) is %llx, expected %llx\n", k, i, (long long)in[i].a,
             (long long)in[i].b, in[i].c, in[i].d, (long long)g, (long long)e);
      ++wrong;
      break;
    }
  printf(wrong ? "FAIL: %d operations are wrong\n" : "PASS\n", wrong);
  return wrong != 0;
}
