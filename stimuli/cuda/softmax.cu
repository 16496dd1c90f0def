// Softmax of each row, one block per row. Its largest number and sum of weights go from lane to
// lane by shuffles and from warp to warp through shared memory. No conflict.

constexpr unsigned kThreads = 128;
constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kAll = ~0U;

struct Larger {
  static __device__ float of(float a, float b) { return fmaxf(a, b); }
};
struct Sum {
  static __device__ float of(float a, float b) { return a + b; }
};

/// Returns the result over all threads of the block to each of them.
template <class Operation>
static __device__ __forceinline__ float reduce(float mine, float* warps) {
#pragma unroll
  for (unsigned distance = 16; distance > 0; distance /= 2)
    mine = Operation::of(mine, __shfl_xor_sync(kAll, mine, distance));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
  __syncthreads();
  float result = warps[0];
#pragma unroll
  for (unsigned warp = 1; warp < kWarps; ++warp) result = Operation::of(result, warps[warp]);
  __syncthreads();
  return result;
}

extern "C" __global__ void softmax(const float* in, float* out, unsigned columns) {
  __shared__ float warps[kWarps];
  const float* from = in + blockIdx.x * columns;
  float* to = out + blockIdx.x * columns;
  float largest = from[0];
  for (unsigned i = threadIdx.x; i < columns; i += kThreads) largest = fmaxf(largest, from[i]);
  largest = reduce<Larger>(largest, warps);
  float sum = 0;
  for (unsigned i = threadIdx.x; i < columns; i += kThreads) sum += expf(from[i] - largest);
  const float scale = 1 / reduce<Sum>(sum, warps);
  for (unsigned i = threadIdx.x; i < columns; i += kThreads)
    to[i] = expf(from[i] - largest) * scale;
}
