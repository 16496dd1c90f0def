// Prefix sums by Hillis and Steele, Blelloch (padded banks) and warps, joined over blocks.
#include <cuda_runtime.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

static void check(cudaError_t status, const char* what, int line) {
  if (status == cudaSuccess) return;
  std::cerr << "line " << line << ": " << what << ": " << cudaGetErrorName(status) << std::endl;
  std::exit(EXIT_FAILURE);
}
#define CUDA(call) check(call, #call, __LINE__)

constexpr int kBlock = 128;

__global__ void hillisSteele(const int* in, int* out, int* sums, int n) {
  extern __shared__ int buffer[];  // two buffers in one
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int from = 1, to = 0;
  buffer[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    to = 1 - to;
    from = 1 - to;
    int value = buffer[from * blockDim.x + t];
    if (t >= offset) value += buffer[from * blockDim.x + t - offset];
    buffer[to * blockDim.x + t] = value;
    __syncthreads();
  }
  if (i < n) out[i] = buffer[to * blockDim.x + t];
  if (sums && t == blockDim.x - 1) sums[blockIdx.x] = buffer[to * blockDim.x + t];
}

#define PADDED(i) ((i) + ((i) >> 5))

// Exclusive scan; two elements per thread.
__global__ void blelloch(const int* in, int* out, int* sums, int n) {
  __shared__ int tree[PADDED(2 * kBlock)];
  const int t = threadIdx.x, base = blockIdx.x * 2 * kBlock;
  const int a = t, b = t + kBlock;
  tree[PADDED(a)] = base + a < n ? in[base + a] : 0;
  tree[PADDED(b)] = base + b < n ? in[base + b] : 0;
  int offset = 1;
  for (int d = kBlock; d > 0; d >>= 1, offset *= 2) {
    __syncthreads();
    if (t < d) tree[PADDED(offset * (2 * t + 2) - 1)] += tree[PADDED(offset * (2 * t + 1) - 1)];
  }
  if (t == 0) {
    if (sums) sums[blockIdx.x] = tree[PADDED(2 * kBlock - 1)];
    tree[PADDED(2 * kBlock - 1)] = 0;
  }
  for (int d = 1; d <= kBlock; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int left = PADDED(offset * (2 * t + 1) - 1), right = PADDED(offset * (2 * t + 2) - 1);
      int held = tree[left];
      tree[left] = tree[right];
      tree[right] += held;
    }
  }
  __syncthreads();
  if (base + a < n) out[base + a] = tree[PADDED(a)];
  if (base + b < n) out[base + b] = tree[PADDED(b)];
}

__device__ __forceinline__ int warpInclusive(int value) {
  for (int d = 1; d < 32; d <<= 1) {
    int other = __shfl_up_sync(0xffffffff, value, d);
    if ((threadIdx.x & 31) >= d) value += other;
  }
  return value;
}

__global__ void __launch_bounds__(1024) byWarps(const int* in, int* out, int* sums, int n) {
  __shared__ int warps[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x >> 5;
  int value = warpInclusive(i < n ? in[i] : 0);
  if ((threadIdx.x & 31) == 31) warps[warp] = value;
  __syncthreads();
  if (warp == 0)
    warps[threadIdx.x] = warpInclusive(threadIdx.x < (blockDim.x >> 5) ? warps[threadIdx.x] : 0);
  __syncthreads();
  if (warp > 0) value += warps[warp - 1];
  if (i < n) out[i] = value;
  if (sums && threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = value;
}

__global__ void addOffsets(int* data, const int* offsets, int perBlock, int n) {
  for (int i = threadIdx.x; i < perBlock; i += blockDim.x) {
    const int at = blockIdx.x * perBlock + i;
    if (at < n) data[at] += offsets[blockIdx.x];
  }
}

enum Method { Steele, Blelloch, Warps };

// Inclusive or exclusive by `method`; the sums of blocks are scanned recursively with it.
void scan(Method method, const int* in, int* out, int n) {
  const int perBlock = method == Blelloch ? 2 * kBlock : kBlock,
            blocks = (n + perBlock - 1) / perBlock;
  int* sums = nullptr;
  if (blocks > 1) CUDA(cudaMalloc((void**)&sums, blocks * sizeof(int)));
  if (method == Steele)
    hillisSteele<<<blocks, kBlock, 2 * kBlock * sizeof(int)>>>(in, out, sums, n);
  if (method == Blelloch) blelloch<<<blocks, kBlock>>>(in, out, sums, n);
  if (method == Warps) byWarps<<<blocks, kBlock>>>(in, out, sums, n);
  CUDA(cudaGetLastError());
  if (blocks == 1) return;
  int* offsets;
  CUDA(cudaMalloc((void**)&offsets, blocks * sizeof(int)));
  scan(method, sums, offsets, blocks);
  if (method == Blelloch) {
    addOffsets<<<blocks, kBlock>>>(out, offsets, perBlock, n);
  } else {
    addOffsets<<<blocks - 1, kBlock>>>(out + perBlock, offsets, perBlock, n - perBlock);
  }
  CUDA(cudaGetLastError());
  CUDA(cudaFree(sums));
  CUDA(cudaFree(offsets));
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::stoi(argv[1]) : 33000;
  std::vector<int> input(n), inclusive(n), exclusive(n), got(n);
  srand(7);
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    input[i] = rand() % 1000 - 300;
    exclusive[i] = sum;
    inclusive[i] = sum += input[i];
  }
  int *in, *out;
  CUDA(cudaMalloc((void**)&in, n * sizeof(int)));
  CUDA(cudaMalloc((void**)&out, n * sizeof(int)));
  CUDA(cudaMemcpy(in, input.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  bool fine = true;
  const char* names[] = {"Hillis-Steele", "Blelloch", "warps"};
  for (Method method : {Steele, Blelloch, Warps}) {
    CUDA(cudaMemset(out, 0xff, n * sizeof(int)));
    scan(method, in, out, n);
    CUDA(cudaMemcpy(got.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    const std::vector<int>& expected = method == Blelloch ? exclusive : inclusive;
    for (int i = 0; i < n && fine; ++i) {
      if (got[i] == expected[i]) continue;
      std::cout << names[method] << ": element " << i << " is " << got[i] << ", expected "
                << expected[i] << "\n";
      fine = false;
    }
  }
  CUDA(cudaFree(in));
  CUDA(cudaFree(out));
  CUDA(cudaDeviceReset());
  std::cout << (fine ? "PASS" : "FAIL: prefix sums differ") << std::endl;
  return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
