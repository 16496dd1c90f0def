// c = alpha * a * b + beta * c with nvcuda::wmma, on f16 with sums in f32 and in f16: tiles from
// global memory, and tiles that a CTA stages in shared memory with padded rows.
#include <mma.h>

#include <cmath>

#include "check.h"

using namespace nvcuda;

const int kM = 64, kN = 48, kK = 80;

/// One warp per tile of 16 x 16; b is column-major.
__global__ void simple(const half* a, const half* b, float* c, float alpha, float beta) {
  const int row = 16 * blockIdx.y, column = 16 * blockIdx.x;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, old;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < kK; k += 16) {
    wmma::load_matrix_sync(left, a + row * kK + k, kK);
    wmma::load_matrix_sync(right, b + column * kK + k, kK);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::load_matrix_sync(old, c + row * kN + column, kN, wmma::mem_row_major);
  for (int i = 0; i < old.num_elements; i++) old.x[i] = alpha * sum.x[i] + beta * old.x[i];
  wmma::store_matrix_sync(c + row * kN + column, old, kN, wmma::mem_row_major);
}

/// Four warps per tile of 32 x 32, a quarter each; d is column-major and f16.
__global__ void staged(const half* a, const half* b, half* d) {
  const int kPitch = 24;
  __shared__ half left[32 * kPitch], right[32 * kPitch];
  const int warp = threadIdx.x / 32, row = 16 * (warp / 2), column = 16 * (warp % 2);
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum;
  wmma::fill_fragment(sum, __float2half(0.0f));
  for (int k = 0; k < kK; k += 16) {
    for (int i = threadIdx.x; i < 32 * 16; i += blockDim.x) {
      left[i / 16 * kPitch + i % 16] = a[(32 * blockIdx.y + i / 16) * kK + k + i % 16];
      const int n = 32 * blockIdx.x + i / 16;
      right[i / 16 * kPitch + i % 16] = n < kN ? b[n * kK + k + i % 16] : __float2half(0.0f);
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
    wmma::load_matrix_sync(x, left + row * kPitch, kPitch);
    wmma::load_matrix_sync(y, right + column * kPitch, kPitch);
    wmma::mma_sync(sum, x, y, sum);
    __syncthreads();
  }
  if (32 * blockIdx.x + column < kN)
    wmma::store_matrix_sync(d + (32 * blockIdx.x + column) * kM + 32 * blockIdx.y + row, sum, kM,
                            wmma::mem_col_major);
}

/// The long shapes: a of 32 x 16 with b of 16 x 8, and a of 8 x 16 with b of 16 x 32.
template <int m, int n>
__global__ void oneTile(const half* a, const half* b, float* c) {
  wmma::fragment<wmma::matrix_a, m, n, 16, half, wmma::col_major> left;
  wmma::fragment<wmma::matrix_b, m, n, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, m, n, 16, float> sum;
  wmma::load_matrix_sync(left, a, m);
  wmma::load_matrix_sync(right, b, n);
  wmma::fill_fragment(sum, 0.5f);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c, sum, m, wmma::mem_col_major);
}

template <int m, int n>
void checkTile(const std::vector<float>& x, const half* a, const half* b, float* c) {
  oneTile<m, n><<<1, 32>>>(a, b, c);
  const std::vector<float> got = toHost(c, m * n);
  for (int i = 0; i < m * n; i++) {
    float sum = 0.5f;
    for (int k = 0; k < 16; k++) sum += x[k * m + i % m] * x[k * n + i / m];
    if (got[i] != sum) fail("long tile at %d", i);
  }
}

int main() {
  std::vector<float> a(kM * kK), b(kN * kK), c(kM * kN);  // multiples of 1/4: no sum is rounded
  for (size_t i = 0; i < a.size(); i++) a[i] = (int(i * 7 % 17) - 8) * 0.25f;
  for (size_t i = 0; i < b.size(); i++) b[i] = (int(i * 5 % 13) - 6) * 0.25f;
  for (size_t i = 0; i < c.size(); i++) c[i] = float(i % 11);
  std::vector<half> halfA(a.size()), halfB(b.size());
  for (size_t i = 0; i < a.size(); i++) halfA[i] = __float2half(a[i]);
  for (size_t i = 0; i < b.size(); i++) halfB[i] = __float2half(b[i]);
  half *da = toDevice(halfA), *db = toDevice(halfB), *dd = toDevice(std::vector<half>(c.size()));
  float* dc = toDevice(c);
  simple<<<dim3(kN / 16, kM / 16), 32>>>(da, db, dc, 2.0f, 0.5f);
  staged<<<dim3((kN + 31) / 32, kM / 32), 128>>>(da, db, dd);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> gotC = toHost(dc, c.size());
  const std::vector<half> gotD = toHost(dd, c.size());
  for (int row = 0; row < kM; row++) {
    for (int column = 0; column < kN; column++) {
      float sum = 0;
      for (int k = 0; k < kK; k++) sum += a[row * kK + k] * b[column * kK + k];
      const int i = row * kN + column;
      if (gotC[i] != 2.0f * sum + 0.5f * c[i]) fail("simple at %d", i);
      if (__half2float(gotD[column * kM + row]) != sum) fail("staged at %d", i);
    }
  }
  checkTile<32, 8>(a, da, da, dc);
  checkTile<8, 32>(a, da, da, dc);
  printf("PASS\n");
}
