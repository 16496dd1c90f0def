// Sums of an array by five kernels: interleaved addressing to shuffles and one atomic per block.
#include <numeric>

#include "check.h"

template <class T>
struct SharedMemory {
  __device__ operator T*() {
    extern __shared__ int bytes[];
    return (T*)bytes;
  }
};
template <>
struct SharedMemory<double> {
  __device__ operator double*() {
    extern __shared__ double doubles[];
    return doubles;
  }
};

template <class T>
__global__ void interleaved(const T* in, T* out, unsigned n) {
  T* data = SharedMemory<T>();
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  data[t] = i < n ? in[i] : T(0);
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0) data[t] += data[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = data[0];
}

template <class T>
__global__ void sequential(const T* in, T* out, unsigned n) {
  T* data = SharedMemory<T>();
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  data[t] = i < n ? in[i] : T(0);
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) data[t] += data[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = data[0];
}

template <class T, unsigned blockSize>
__global__ void unrolled(const T* in, T* out, unsigned n) {
  T* data = SharedMemory<T>();
  unsigned t = threadIdx.x;
  T sum = 0;
  for (unsigned i = blockIdx.x * blockSize * 2 + t; i < n; i += blockSize * 2 * gridDim.x) {
    sum += in[i];
    if (i + blockSize < n) sum += in[i + blockSize];
  }
  data[t] = sum;
  __syncthreads();
  if (blockSize >= 512) {
    if (t < 256) data[t] += data[t + 256];
    __syncthreads();
  }
  if (blockSize >= 256) {
    if (t < 128) data[t] += data[t + 128];
    __syncthreads();
  }
  if (blockSize >= 128) {
    if (t < 64) data[t] += data[t + 64];
    __syncthreads();
  }
  if (t < 32) {
    sum = data[t];
    if (blockSize >= 64) sum += data[t + 32];
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  if (t == 0) out[blockIdx.x] = sum;
}

template <class T>
__global__ void shuffled(const T* in, T* out, unsigned n) {
  __shared__ T ofWarp[32];
  const unsigned lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  T sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(~0u, sum, offset);
  if (lane == 0) ofWarp[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / warpSize ? ofWarp[lane] : T(0);
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
      sum += __shfl_xor_sync(~0u, sum, offset);
    if (lane == 0) atomicAdd(out, sum);
  }
}

__device__ unsigned arrived = 0;

// The last block to arrive sums the partial sums of the others.
template <class T>
__global__ void lastBlock(const T* in, volatile T* partial, T* out, unsigned n) {
  __shared__ bool last;
  T* data = SharedMemory<T>();
  T sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  data[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) data[threadIdx.x] += data[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = data[0];
    __threadfence();
    last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    T total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];
    *out = total;
    arrived = 0;
  }
}

// Every value is a small integer: the sum is exact in any order.
template <class T>
void reduce(const char* name, unsigned n) {
  std::vector<T> host(n);
  for (unsigned i = 0; i < n; ++i) host[i] = T(int(i * 2654435761u >> 24) - 100);
  const T expected = std::accumulate(host.begin(), host.end(), T(0));

  const unsigned threads = 256, blocks = (n + threads - 1) / threads;
  T *in, *partial, *out;
  CHECK(cudaMalloc(&in, n * sizeof(T)));
  CHECK(cudaMalloc(&partial, blocks * sizeof(T)));
  CHECK(cudaMalloc(&out, sizeof(T)));
  CHECK(cudaMemcpy(in, host.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  std::vector<T> parts(blocks);
  const auto expect = [&](const char* kernel, unsigned count, const T* from) {
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(parts.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
    const T sum = std::accumulate(parts.begin(), parts.begin() + count, T(0));
    if (sum == expected) return;
    fail("%s of %s: %g, expected %g", kernel, name, double(sum), double(expected));
  };
  const size_t shared = threads * sizeof(T);
  interleaved<T><<<blocks, threads, shared>>>(in, partial, n);
  expect("interleaved", blocks, partial);
  sequential<T><<<blocks, threads, shared>>>(in, partial, n);
  expect("sequential", blocks, partial);
  for (int size : {64, 128, 256, 512}) {
    switch (size) {
      case 64:
        unrolled<T, 64><<<7, 64, 64 * sizeof(T)>>>(in, partial, n);
        break;
      case 128:
        unrolled<T, 128><<<7, 128, 128 * sizeof(T)>>>(in, partial, n);
        break;
      case 256:
        unrolled<T, 256><<<7, 256, 256 * sizeof(T)>>>(in, partial, n);
        break;
      case 512:
        unrolled<T, 512><<<7, 512, 512 * sizeof(T)>>>(in, partial, n);
        break;
    }
    expect("unrolled", 7, partial);
  }
  CHECK(cudaMemset(out, 0, sizeof(T)));
  shuffled<T><<<5, threads>>>(in, out, n);
  expect("shuffled", 1, out);
  for (int again = 0; again < 2; ++again) {
    lastBlock<T><<<6, threads, shared>>>(in, partial, out, n);
    expect("last block", 1, out);
  }
}

int main() {
  const unsigned n = 20011;
  reduce<int>("int", n);
  reduce<unsigned long long>("unsigned long long", n);
  reduce<float>("float", n);
  reduce<double>("double", n);
  puts("PASS");
}
