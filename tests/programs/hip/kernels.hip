// A HIP program as users write them: vectors, a transpose through the LDS, atomics, streams, events,
// properties, constants, errors.
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>

#include <cstring>
#include <vector>

#include "check.h"

#if !defined(__HIPCC__) || !defined(__HIP_PLATFORM_AMD__)
#error "no HIP"
#endif
#ifdef __HIP_DEVICE_COMPILE__
#define SIDE 1
#else
#define SIDE 0
#endif

__constant__ float factor;
__device__ int counter;

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < n) c[i] = factor * a[i] + b[i];
}

template <class T, int Tile>
__global__ void transpose(const T* in, T* out, int n) {
  __shared__ T tile[Tile][Tile + 1];
  const int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  out[(blockIdx.x * Tile + threadIdx.y) * n + blockIdx.y * Tile + threadIdx.x] =
      tile[threadIdx.x][threadIdx.y];
}

__global__ void histogram(const int* in, int* bins, int n) {
  HIP_DYNAMIC_SHARED(int, local)
  for (int i = threadIdx.x; i < 16; i += blockDim.x) local[i] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&local[in[i] & 15], 1);
  __syncthreads();
  for (int k = threadIdx.x; k < 16; k += blockDim.x) atomicAdd(&bins[k], local[k]);
  if (threadIdx.x == 0) atomicAdd(&counter, SIDE);
}

// One atomic per wave: its first active lane adds for all.
__global__ void countPositive(const int* in, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long mask = __ballot(i < n && in[i] > 0);
  if (__lane_id() == 0) atomicAdd(count, __popcll(mask));
}

__global__ void halves(__half* data) {
  data[threadIdx.x] = __hmul(data[threadIdx.x], __float2half(2.0f));
}

static void testVectors() {
  const int n = 1000;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) a[i] = i, b[i] = 2 * i;
  float *da, *db, *dc;
  const float three = 3;
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factor), &three, sizeof three));
  for (float** each : {&da, &db, &dc}) CHECK(hipMalloc(each, n * sizeof(float)));
  hipStream_t stream;
  hipEvent_t start, stop;
  CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  CHECK(hipEventCreate(&start));
  CHECK(hipEventCreate(&stop));
  CHECK(hipMemcpyAsync(da, a.data(), n * 4, hipMemcpyHostToDevice, stream));
  CHECK(hipMemcpyHtoD(db, b.data(), n * 4));
  CHECK(hipEventRecord(start, stream));
  hipLaunchKernelGGL(add, dim3((n + 255) / 256), dim3(256), 0, stream, da, db, dc, n);
  CHECK(hipGetLastError());
  CHECK(hipEventRecord(stop, stream));
  CHECK(hipMemcpyAsync(c.data(), dc, n * 4, hipMemcpyDeviceToHost, stream));
  CHECK(hipStreamSynchronize(stream));
  float milliseconds = -1;
  CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  SAME(0, milliseconds >= 0, true);
  for (int i = 0; i < n; ++i) SAME(i, c[i], 5 * i);
  for (float* each : {da, db, dc}) CHECK(hipFree(each));
  CHECK(hipStreamDestroy(stream));
}

static void testTranspose() {
  const int n = 64;
  double *in = managed<double>(n * n), *out = managed<double>(n * n);
  for (int i = 0; i < n * n; ++i) in[i] = i;
  hipLaunchKernelGGL(HIP_KERNEL_NAME(transpose<double, 16>), dim3(n / 16, n / 16), dim3(16, 16), 0,
                     nullptr, in, out, n);
  CHECK(hipDeviceSynchronize());
  for (int i = 0; i < n * n; ++i) SAME(i, out[i], i % n * n + i / n);
}

static void testAtomics() {
  const int n = 5000;
  int *in = managed<int>(n), *bins = managed<int>(17), expected[17] = {};
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 7919) % 101 - 50;
    ++expected[in[i] & 15];
    expected[16] += in[i] > 0;
  }
  histogram<<<(n + 127) / 128, 128, 16 * sizeof(int)>>>(in, bins, n);
  countPositive<<<(n + 127) / 128, 128>>>(in, bins + 16, n);
  CHECK(hipDeviceSynchronize());
  for (int i = 0; i < 17; ++i) SAME(i, bins[i], expected[i]);
  int blocks = 0;
  CHECK(hipMemcpyFromSymbol(&blocks, HIP_SYMBOL(counter), sizeof blocks));
  SAME(0, blocks, (n + 127) / 128);
}

static void testHost() {
  hipDeviceProp_t prop;
  CHECK(hipGetDeviceProperties(&prop, 0));
  int lanes = 0, device = -1;
  CHECK(hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0));
  CHECK(hipGetDevice(&device));
  SAME(0, prop.warpSize, __AMDGCN_WAVEFRONT_SIZE);
  SAME(1, lanes, prop.warpSize);
  SAME(2, std::strncmp(prop.gcnArchName, "gfx", 3), 0);
  SAME(3, std::strcmp(hipGetErrorName(hipErrorInvalidValue), "hipErrorInvalidValue"), 0);
  SAME(4, hipMalloc(static_cast<void**>(nullptr), 4), hipErrorInvalidValue);
  SAME(5, hipGetLastError(), hipErrorInvalidValue);
  __half* const data = managed<__half>(64);
  for (int i = 0; i < 64; ++i) data[i] = __float2half(i);
  halves<<<1, 64>>>(data);
  int* pinned = nullptr;
  CHECK(hipHostMalloc(&pinned, 64, hipHostMallocDefault));
  CHECK(hipHostFree(pinned));
  CHECK(hipDeviceSynchronize());
  for (int i = 0; i < 64; ++i) SAME(i, __half2float(data[i]), 2 * i);
}

int main() {
  testVectors();
  testTranspose();
  testAtomics();
  testHost();
  std::puts("PASS");
}
