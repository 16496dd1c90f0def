// Sum of n integers in seven steps of refinement: each block of 256 threads writes one partial sum.
//   0  interleaved pairs, chosen by a remainder: warps diverge
//   1  interleaved pairs, threads packed: index 2 s t, conflict degree 2, 4, 8, 8, 8, 4, 2
//   2  sequential halves: no conflict
//   3  as 2, and each thread adds two elements as it loads
//   4  as 3, and the last warp runs without barriers, in lock step
//   5  as 4, every step unrolled
//   6  as 5, and each thread adds as many elements as the grid leaves it

constexpr unsigned kThreads = 256;

extern __shared__ int partial[];

/// Returns in[i], or 0 behind the end.
static __device__ __forceinline__ int element(const int* in, unsigned i, unsigned n) {
  return i < n ? in[i] : 0;
}

/// Adds the last 64 sums by one warp in lock step: volatile keeps stores and loads in place.
static __device__ __forceinline__ void reduceWarp(volatile int* sums, unsigned t) {
#pragma unroll
  for (unsigned s = 32; s > 0; s /= 2) sums[t] += sums[t + s];
}

/// Loads two elements per thread.
static __device__ __forceinline__ void loadTwo(const int* in, unsigned n) {
  const unsigned i = blockIdx.x * kThreads * 2 + threadIdx.x;
  partial[threadIdx.x] = element(in, i, n) + element(in, i + kThreads, n);
  __syncthreads();
}

/// Reduces 256 sums to one, with all steps unrolled.
static __device__ __forceinline__ void reduceUnrolled() {
  const unsigned t = threadIdx.x;
#pragma unroll
  for (unsigned s = kThreads / 2; s > 32; s /= 2) {
    if (t < s) partial[t] += partial[t + s];
    __syncthreads();
  }
  if (t < 32) reduceWarp(partial, t);
}

static __device__ __forceinline__ void writeSum(int* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void reduction_0(const int* in, int* out, unsigned n) {
  const unsigned t = threadIdx.x;
  partial[t] = element(in, blockIdx.x * kThreads + t, n);
  __syncthreads();
#pragma unroll 1
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0) partial[t] += partial[t + s];
    __syncthreads();
  }
  writeSum(out);
}

extern "C" __global__ void reduction_1(const int* in, int* out, unsigned n) {
  const unsigned t = threadIdx.x;
  partial[t] = element(in, blockIdx.x * kThreads + t, n);
  __syncthreads();
#pragma unroll 1
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    const unsigned i = 2 * s * t;
    if (i < blockDim.x) partial[i] += partial[i + s];
    __syncthreads();
  }
  writeSum(out);
}

/// Adds sequential halves from `first` down to `last`, exclusive.
static __device__ __forceinline__ void reduceHalves(unsigned first, unsigned last) {
  const unsigned t = threadIdx.x;
#pragma unroll 1
  for (unsigned s = first; s > last; s /= 2) {
    if (t < s) partial[t] += partial[t + s];
    __syncthreads();
  }
}

extern "C" __global__ void reduction_2(const int* in, int* out, unsigned n) {
  partial[threadIdx.x] = element(in, blockIdx.x * kThreads + threadIdx.x, n);
  __syncthreads();
  reduceHalves(blockDim.x / 2, 0);
  writeSum(out);
}

extern "C" __global__ void reduction_3(const int* in, int* out, unsigned n) {
  loadTwo(in, n);
  reduceHalves(blockDim.x / 2, 0);
  writeSum(out);
}

extern "C" __global__ void reduction_4(const int* in, int* out, unsigned n) {
  loadTwo(in, n);
  reduceHalves(blockDim.x / 2, 32);
  if (threadIdx.x < 32) reduceWarp(partial, threadIdx.x);
  writeSum(out);
}

extern "C" __global__ void reduction_5(const int* in, int* out, unsigned n) {
  loadTwo(in, n);
  reduceUnrolled();
  writeSum(out);
}

extern "C" __global__ void reduction_6(const int* in, int* out, unsigned n) {
  int sum = 0;
#pragma unroll 1
  for (unsigned i = blockIdx.x * kThreads * 2 + threadIdx.x; i < n; i += gridDim.x * kThreads * 2) {
    sum += in[i] + element(in, i + kThreads, n);
  }
  partial[threadIdx.x] = sum;
  __syncthreads();
  reduceUnrolled();
  writeSum(out);
}
