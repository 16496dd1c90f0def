// Tiles of every type that nvcuda::wmma has: bf16, s8, u8 and f16 in three shapes, tf32, f64.
#include <mma.h>

#include "check.h"

using namespace nvcuda;

template <class T, class D, int m, int n, int k, class E>
__global__ void multiply(const E* a, const E* b, D* c, bool clamp) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, m, n, k, T, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, m, n, k, D> sum;
  wmma::load_matrix_sync(left, a, k);
  wmma::load_matrix_sync(right, b, k);
  wmma::load_matrix_sync(sum, c, n, wmma::mem_row_major);
  wmma::mma_sync(sum, left, right, sum, clamp);
  wmma::store_matrix_sync(c, sum, n, wmma::mem_row_major);
}

__device__ float asTf32(float value) {
  return wmma::__float_to_tf32(value);
}

__global__ void roundAll(float* values) {
  values[threadIdx.x] = asTf32(values[threadIdx.x]);
}

template <class T>
T* managed(int count) {
  T* p = nullptr;
  CHECK(cudaMallocManaged(&p, count * sizeof(T)));
  return p;
}

/// Multiplies with c counting up from `start`; integers may then saturate at their bound.
template <class T, class D, int m, int n, int k, class E, class Make>
void check(const char* name, Make make, double start = 0, bool clamp = false) {
  E *a = managed<E>(m * k), *b = managed<E>(k * n);
  D* c = managed<D>(m * n);
  for (int i = 0; i < m * k; i++) a[i] = make(i * 7 % 11);
  for (int i = 0; i < k * n; i++) b[i] = make(i * 5 % 13);
  for (int i = 0; i < m * n; i++) c[i] = D(start + i);
  multiply<T, D, m, n, k, E><<<1, 32>>>(a, b, c, clamp);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < m * n; i++) {
    double sum = start + i;
    for (int x = 0; x < k; x++) sum += (i / n * k + x) * 7 % 11 * double((i % n * k + x) * 5 % 13);
    if (clamp && sum > 2147483647.0) sum = 2147483647.0;
    right = right && double(c[i]) == sum;
  }
  if (!right) fail("%s of %d x %d x %d", name, m, n, k);
}

template <int m, int n>
void shapes() {
  check<__nv_bfloat16, float, m, n, 16, __nv_bfloat16>("bf16",
                                                       [](int x) { return __float2bfloat16(x); });
  check<half, float, m, n, 16, half>("f16", [](int x) { return __float2half(x); });
  check<signed char, int, m, n, 16, signed char>("s8", [](int x) { return (signed char)(x); });
  check<unsigned char, int, m, n, 16, unsigned char>("u8",
                                                     [](int x) { return (unsigned char)(x); });
  check<signed char, int, m, n, 16, signed char>(
      "s8, clamped", [](int x) { return (signed char)(x); }, 2147483000.0, true);
}

int main() {
  shapes<16, 16>();
  shapes<32, 8>();
  shapes<8, 32>();
  check<wmma::precision::tf32, float, 16, 16, 8, float>("tf32", [](int x) { return float(x); });
  check<double, double, 8, 8, 4, double>("f64", [](int x) { return double(x); });
  float* values = managed<float>(32);
  for (int i = 0; i < 32; i++) values[i] = 1.0f + i * 0.000244140625f;  // quarters of a step
  roundAll<<<1, 32>>>(values);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i++) {
    if (values[i] != 1.0f + (i + 2) / 4 * 0.0009765625f) fail("tf32 of %d", i);
  }
  printf("PASS\n");
}
