// Elements of each width through each memory: parameters, read-only and plain global memory, shared
// memory, local arrays, constants.
#include <helper_math.h>

#include <cstring>

#include "check.h"

const int kThreads = 64;

template <class T>
__global__ void carry(const T* __restrict__ in, T* out, T parameter, int n) {
  __shared__ T tile[kThreads];
  T held[8];  // in local memory: its index is known only at run time
  const int t = threadIdx.x;
  for (int i = 0; i < 8; ++i) held[i] = __ldg(in + (t + i) % n);
  tile[t] = held[(t * 3 + n) % 8];
  __syncthreads();
  out[t] = t == 0 ? parameter : tile[kThreads - 1 - t];
}

template <class T>
void test(const char* type) {
  std::vector<unsigned char> bytes(kThreads * sizeof(T));
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = (unsigned char)(i * 37 + i / 256 + 1);
  std::vector<T> in(kThreads);
  memcpy(in.data(), bytes.data(), bytes.size());
  T* const out = newOnDevice<T>(kThreads);
  carry<<<1, kThreads>>>(toDevice(in), out, in[5], kThreads);
  const std::vector<T> got = toHost(out, kThreads);
  for (int t = 0; t < kThreads; ++t) {
    const int other = kThreads - 1 - t, from = (other + (other * 3 + kThreads) % 8) % kThreads;
    if (memcmp(&got[t], &in[t == 0 ? 5 : from], sizeof(T)) != 0) fail("%s of thread %d", type, t);
  }
}

inline __host__ __device__ double2 operator+(double2 a, double b) {
  return make_double2(a.x + b, a.y + b);
}
inline __host__ __device__ double2 operator*(double2 a, double b) {
  return make_double2(a.x * b, a.y * b);
}

/// Computes with the elements, so that each has its own register.
template <class V, class E>
__global__ void shift(const V* in, V* out, E by) {
  __shared__ V tile[kThreads];
  tile[threadIdx.x] = in[threadIdx.x] + by;
  __syncthreads();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x] * by;
}

template <class V, class E>
void testElements(const char* type, E by) {
  const int each = sizeof(V) / sizeof(E);
  std::vector<V> in(kThreads), expected(kThreads);
  for (int i = 0; i < each * kThreads; ++i) (&in[0].x)[i] = E(i * 5 - 90);
  for (int t = 0; t < kThreads; ++t) expected[t] = (in[kThreads - 1 - t] + by) * by;
  V* const out = newOnDevice<V>(kThreads);
  shift<<<1, kThreads>>>(toDevice(in), out, by);
  const std::vector<V> got = toHost(out, kThreads);
  for (int i = 0; i < each * kThreads; ++i)
    if ((&got[0].x)[i] != (&expected[0].x)[i]) fail("element %d of %s", i, type);
}

__constant__ unsigned char letters[kThreads];
__constant__ uchar4 colours[kThreads];

__global__ void constants(const uchar4* in, uchar4 more, float4* out) {
  const int t = threadIdx.x;
  const uchar4 a = in[t], b = colours[kThreads - 1 - t];
  out[t] = make_float4(a.x + b.x + letters[t], a.y + b.y + more.x + more.y, a.z + more.z * b.z,
                       a.w / 4.0f + more.w * b.w);
}

void testConstants() {
  unsigned char bytes[kThreads];
  uchar4 table[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    bytes[i] = (unsigned char)(i * 3);
    table[i] = make_uchar4(i, 255 - i, i * i, i * 4);
  }
  CHECK(cudaMemcpyToSymbol(letters, bytes, sizeof bytes));
  CHECK(cudaMemcpyToSymbol(colours, table, sizeof table));
  float4* const out = newOnDevice<float4>(kThreads);
  constants<<<1, kThreads>>>(toDevice(std::vector<uchar4>(table, table + kThreads)),
                             make_uchar4(1, 2, 3, 4), out);
  const std::vector<float4> got = toHost(out, kThreads);
  for (int t = 0; t < kThreads; ++t) {
    const uchar4 a = table[t], b = table[kThreads - 1 - t];
    const float4 g = got[t];
    if (g.x != a.x + b.x + bytes[t] || g.y != a.y + b.y + 3 || g.z != a.z + 3 * b.z ||
        g.w != a.w / 4.0f + 4 * b.w)
      fail("the constants of %d", t);
  }
}

int main() {
#define TEST(type) test<type>(#type);
  TEST(signed char)
  TEST(unsigned char)
  TEST(short)
  TEST(unsigned short)
  TEST(int)
  TEST(long long)
  TEST(float)
  TEST(double)
  TEST(uchar4)
  TEST(short2)
  TEST(int2)
  TEST(uint4)
  TEST(float2)
  TEST(float4)
  TEST(double2)
  testElements<float2>("float2", 2.0f);
  testElements<float4>("float4", 3.0f);
  testElements<double2>("double2", 4.0);
  testElements<int2>("int2", 2);
  testElements<int4>("int4", -3);
  testElements<uint4>("uint4", 5u);
  testConstants();
  puts("PASS");
}
