// Waves: shuffles and ballots over all lanes, reductions, and the builtins of AMD's compiler.
#include <hip/hip_runtime.h>

#include "check.h"

constexpr int kWave = __AMDGCN_WAVEFRONT_SIZE;

__global__ void shuffles(int* up, int* down, int* cross, int* first, int* narrow, double* wide) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  up[i] = __shfl_up(i, 3);
  down[i] = __shfl_down(i, 40);
  cross[i] = __shfl_xor(i, warpSize / 2);
  first[i] = __shfl(i, 1);
  narrow[i] = __shfl_down(i, 5, 16);
  wide[i] = __shfl(i * 0.5, 63);
}

static void testShuffles() {
  const int n = 3 * 2 * kWave;
  int *up = managed<int>(n), *down = managed<int>(n), *cross = managed<int>(n);
  int *first = managed<int>(n), *narrow = managed<int>(n);
  double* wide = managed<double>(n);
  shuffles<<<3, 2 * kWave>>>(up, down, cross, first, narrow, wide);
  CHECK(hipDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    const int lane = i % kWave, base = i - lane;
    SAME(i, up[i], lane < 3 ? i : i - 3);
    SAME(i, down[i], lane + 40 < kWave ? i + 40 : i);
    SAME(i, cross[i], base + (lane ^ kWave / 2));
    SAME(i, first[i], base + 1);
    SAME(i, narrow[i], i % 16 + 5 < 16 ? i + 5 : i);
    SAME(i, wide[i], (base + 63 % kWave) * 0.5);
  }
}

// Sums a block: shuffles within waves, then the first wave.
__global__ void sumBlocks(const float* in, float* out, int n) {
  __shared__ float partial[1024 / 32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? in[i] : 0;
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down(sum, offset);
  const int lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize;
  if (lane == 0) partial[wave] = sum;
  __syncthreads();
  if (wave != 0) return;
  sum = lane < int(blockDim.x) / warpSize ? partial[lane] : 0;
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down(sum, offset);
  if (lane == 0) out[blockIdx.x] = sum;
}

static void testReduction() {
  for (const int threads : {kWave, 256, 1024}) {
    const int n = 3 * threads - 7;
    float *in = managed<float>(n), *out = managed<float>(3);
    double expected = 0;
    for (int i = 0; i < n; ++i) expected += in[i] = float(i % 13);
    hipLaunchKernelGGL(sumBlocks, dim3(3), dim3(threads), 0, 0, in, out, n);
    CHECK(hipDeviceSynchronize());
    SAME(threads, double(out[0]) + out[1] + out[2], expected);
  }
}

__global__ void ballots(unsigned long long* odd, unsigned long long* part, int* any, int* lane) {
  const int i = threadIdx.x;
  odd[i] = __ballot(i & 1);
  if (i % 3 == 0) part[i] = __ballot(1);  // lanes of both halves
  any[i] = __any(i == 40) + 2 * __all(i < 200) + 4 * __all(i < 100);
  lane[i] = __lane_id() + 1000 * __popcll(__activemask());
}

static void testBallots() {
  const int n = 2 * kWave;
  auto *odd = managed<unsigned long long>(n), *part = managed<unsigned long long>(n);
  int *any = managed<int>(n), *lane = managed<int>(n);
  ballots<<<1, n>>>(odd, part, any, lane);
  CHECK(hipDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    const int base = i / kWave * kWave;
    unsigned long long odds = 0, thirds = 0;
    for (int k = 0; k < kWave; ++k) {
      if ((base + k) % 2 == 1) odds |= 1ULL << k;
      if ((base + k) % 3 == 0) thirds |= 1ULL << k;
    }
    SAME(i, odd[i], odds);
    SAME(i, part[i], i % 3 == 0 ? thirds : 0);
    const bool has = base <= 40 && 40 < base + kWave;
    SAME(i, any[i], int(has) + 2 + (base + kWave <= 100 ? 4 : 0));
    SAME(i, lane[i], i % kWave + 1000 * kWave);
  }
}

// A wave whose halves part: one ends, or waits at a barrier, while the other asks its lanes.
__global__ void parted(unsigned long long* out, int live) {
  __shared__ int stage;
  const int i = threadIdx.x;
  if (i == 0) stage = 0;
  __syncthreads();
  if (i < 32) out[i] = __ballot(i < 3);
  if (i == 0) stage = 1;
  __syncthreads();
  if (i >= live) return;
  out[i + 64] = __ballot(stage) + i * 0ULL;
}

static void testParted() {
  auto* const out = managed<unsigned long long>(128);
  parted<<<1, 64>>>(out, 20);
  CHECK(hipDeviceSynchronize());
  for (int i = 0; i < 32; ++i) SAME(i, out[i], 7ULL);
  for (int i = 0; i < 20; ++i) SAME(i, out[i + 64], (1ULL << 20) - 1);
}

__global__ void builtins(int* out) {
  const int i = threadIdx.x, n = blockDim.x;
  out[i] = i >= 5 ? __builtin_amdgcn_readfirstlane(i) : -1;
  out[n + i] = __builtin_amdgcn_ds_bpermute(4 * (kWave - 1 - i), 10 * i);
  out[2 * n + i] = __builtin_amdgcn_ds_permute(4 * (i / 2), i);
  out[3 * n + i] = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  out[4 * n + i] = __builtin_amdgcn_ds_swizzle(i, 0x041f);               // xor 1
  out[5 * n + i] = __builtin_amdgcn_mov_dpp(i, 0x1b, 0xf, 0xf, true);    // quads reversed
  out[6 * n + i] = __builtin_amdgcn_update_dpp(-7, i, 0x112, 0xf, 0xf, false);  // row_shr:2
  out[7 * n + i] = __builtin_amdgcn_update_dpp(-7, i, 0x142, 0xa, 0xf, false);  // row_bcast:15
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_s_barrier();
}

static void testBuiltins() {
  const int n = kWave;
  int* const out = managed<int>(8 * n);
  builtins<<<1, n>>>(out);
  CHECK(hipDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    SAME(i, out[i], i >= 5 ? 5 : -1);
    SAME(i, out[n + i], 10 * (n - 1 - i));
    SAME(i, out[2 * n + i], i < n / 2 ? 2 * i + 1 : 0);
    SAME(i, out[3 * n + i], i);
    SAME(i, out[4 * n + i], i ^ 1);
    SAME(i, out[5 * n + i], i ^ 3);
    SAME(i, out[6 * n + i], i % 16 >= 2 ? i - 2 : -7);
    SAME(i, out[7 * n + i], i / 16 % 2 == 1 ? i / 16 * 16 - 1 : -7);
  }
}

int main() {
  testShuffles();
  testReduction();
  testBallots();
  if (kWave == 64) testParted();
  testBuiltins();
  std::puts("PASS");
}
