// Kernel parameters by value: structs of mixed alignment, arrays, unions, bit fields, vectors, a
// big struct. Also launch bounds, and dynamic shared memory carved into several types.
#include <cstdint>
#include <cstring>

#include "check.h"

struct Small {
  char tag;
  double weight;
  short counts[3];
  unsigned low : 5, high : 11;
  bool negative;
};
union Word {
  float f;
  uint32_t u;
  uint8_t bytes[4];
};
struct __align__(16) Wide {
  float4 v;
  long long n;
};
struct Big {
  int values[500];
};
struct Empty {};
struct Base {
  int a;
};
struct Derived : Base {
  char b;
  float2 c;
};

__host__ __device__ double combine(const Small& s, Word w, const Wide& wide, const Derived& d,
                                   char3 c, unsigned char last) {
  double sum = s.weight * (s.negative ? -1 : 1) + s.tag + s.counts[0] - s.counts[1] +
               2 * s.counts[2] + s.low + 100 * s.high;
  sum += (w.u >> 8) + w.bytes[3];
  sum += wide.v.x + 2 * wide.v.y + 3 * wide.v.z + 4 * wide.v.w + double(wide.n);
  sum += d.a + d.b + d.c.x - d.c.y + c.x + 2 * c.y + 3 * c.z;
  return sum + last;
}

__global__ void mixed(Small s, Word w, Wide wide, Empty, Derived d, char3 c, double* out,
                      unsigned char last) {
  s.counts[1] += threadIdx.x;  // each thread has its own copy
  w.bytes[1] ^= threadIdx.x;
  out[threadIdx.x] = combine(s, w, wide, d, c, last);
}

__global__ void big(Big b, int scale, int* out) {
  out[threadIdx.x] = b.values[(threadIdx.x * 7) % 500] * scale + b.values[499];
}

__global__ void __launch_bounds__(64, 2)
    carve(const unsigned char* in, double* out, int doubles, int ints) {
  extern __shared__ double memory[];
  double* d = memory;
  int* i = (int*)(d + doubles);
  unsigned char* c = (unsigned char*)(i + ints);
  const int t = threadIdx.x;
  if (t < doubles) d[t] = in[t] * 0.25;
  if (t < ints) i[t] = in[t] * 1000;
  c[t] = in[t] + 1;
  __syncthreads();
  const int other = blockDim.x - 1 - t;
  out[t] = d[other % doubles] + i[other % ints] + c[other];
}

int main() {
  const int n = 64;
  Small s = {'k', 3.5, {1, -2, 300}, 21, 1234, true};
  Word w;
  w.f = -1.75f;
  Wide wide = {{1, 2, 3, 4}, 1ll << 40};
  Derived d;
  d.a = -7;
  d.b = 'x';
  d.c = make_float2(0.5f, 8);
  const char3 c = make_char3(-1, 2, -3);
  double* out = newOnDevice<double>(64);
  mixed<<<1, n>>>(s, w, wide, Empty(), d, c, out, 200);
  std::vector<double> got = toHost(out, n);
  for (int t = 0; t < n; ++t) {
    Small copy = s;
    copy.counts[1] += t;
    Word word = w;
    word.bytes[1] ^= t;
    const double e = combine(copy, word, wide, d, c, 200);
    if (got[t] != e) fail("thread %d has %.17g, expected %.17g", t, got[t], e);
  }

  Big b;
  for (int i = 0; i < 500; ++i) b.values[i] = i * i - 9;
  int* const ints = newOnDevice<int>(n);
  big<<<1, n>>>(b, 3, ints);
  const std::vector<int> gotInts = toHost(ints, n);
  for (int t = 0; t < n; ++t)
    if (gotInts[t] != b.values[t * 7 % 500] * 3 + b.values[499]) fail("big, thread %d", t);

  std::vector<unsigned char> bytes(64);
  for (int i = 0; i < 64; ++i) bytes[i] = (unsigned char)(i * 5 + 3);
  unsigned char* dBytes = toDevice(bytes);
  const int doubles = 10, counts = 7;
  void* arguments[] = {&dBytes, &out, (void*)&doubles, (void*)&counts};
  CHECK(cudaLaunchKernel((const void*)carve, dim3(1), dim3(64), arguments,
                         doubles * 8 + counts * 4 + 64, 0));
  got = toHost(out, 64);
  for (int t = 0; t < 64; ++t) {
    const int o = 63 - t;
    const double e = bytes[o % 10] * 0.25 + bytes[o % 7] * 1000 + (unsigned char)(bytes[o] + 1);
    if (got[t] != e) fail("carved, thread %d has %g, expected %g", t, got[t], e);
  }
  puts("PASS");
}
