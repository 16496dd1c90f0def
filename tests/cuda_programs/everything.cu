// Names what no program of tests/programs names of the CUDA language and its interfaces, and mixes
// types in calls of overloaded functions. For the compiler alone: nothing of it runs.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <crt/host_config.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>
#include <helper_timer.h>
#include <math_constants.h>
#include <mma.h>
#include <nvToolsExt.h>
// The samples' helper_cuda.h and others ask for these macros.
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) ||                      \
    !defined(__CUDA_RUNTIME_API_H__) || !defined(__cuda_cuda_h__) ||                     \
    !defined(__VECTOR_TYPES_H__) || !defined(__DEVICE_FUNCTIONS_H__) ||                  \
    !defined(__CUDA_FP16_H__) || !defined(__CUDA_BF16_H__) || !defined(CU_COMPLEX_H_) || \
    !defined(_COOPERATIVE_GROUPS_H_) || !defined(CURAND_KERNEL_H_)
#error "a header does not say that it was read"
#endif
#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <complex>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

__device__ int counter;
__managed__ int mg;
// CUDA lacks these, so programs define them.
__device__ long long atomicAdd(long long* address, long long value) {
  return (long long)atomicAdd((unsigned long long*)address, (unsigned long long)value);
}
__device__ unsigned long atomicAdd(unsigned long* address, unsigned long value) {
  return atomicAdd((unsigned long long*)address, value);
}
__device__ unsigned long atomicExch(unsigned long* address, unsigned long value) {
  return atomicExch((unsigned long long*)address, value);
}
__device__ long long atomicCAS(long long* address, long long compare, long long value) {
  return (long long)atomicCAS((unsigned long long*)address, (unsigned long long)compare,
                              (unsigned long long)value);
}

texture<float, 2> tex;
surface<void, cudaSurfaceType2D> sf;
template <class T>
__device__ T sq(T x) {
  return x * x;
}
__global__ void language(float* a, double* d, int n, int* ip, unsigned long long* ull) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  dim3 b = blockDim;
  (void)b;
  if (i < n)
    a[i] = sinf(a[i]) + std::sqrt(a[i]) + std::pow(a[i], 2.f) + pow(d[i], 2) + fmaxf(a[i], 1.f) +
           max(i, 3) + min(1.0f, a[i]) + std::max(i, 2) + std::abs(a[i]) + abs(i);
  atomicExch(a, 2.f);
  atomicAdd_block(ip, 2);
  atomicOr((long long*)ull, 4ll);
  ip[1] += mul24(i, 3) + mulhi(i, 5) + static_cast<int>(__cvta_generic_to_shared(ip));
  atomicAdd((long long*)ull, 4ll);
  surf2Dwrite(a[i], sf, i * 4, 0);
  a[i] += surf2Dread<float>(sf, 4 * i, 0, cudaBoundaryModeZero);
  a[i] += __shfl_down_sync(0xffffffffu, a[i], 1) + __ballot_sync(~0u, i) + __ldg(ip + i) +
          __ldcg(a + i) + __fdividef(a[i], 3) + rsqrtf(a[i]) + __fmaf_rn(a[i], 2, 3);
  d[i] += exp(d[i]) + tgamma(d[i]) + norm3d(1, 2, d[i]) + __longlong_as_double(clock64()) +
          clock() + erfinv(d[i]) + sinpi(d[i]) + cyl_bessel_i0(d[i]) + isnan(d[i]) +
          std::isinf(d[i]) + signbit(d[i]);
  unsigned m = __match_any_sync(~0u, i);
  ip[0] = m + __activemask() + __dp4a(i, i, i) + __vmaxs2(i, 5) + __umulhi(i, i) + __sad(i, i, 2);
  std::complex<float> c(a[i], 1);
  c *= c;
  a[i] += c.real();
  std::array<int, 3> ar = {1, 2, 3};
  ip[1] = ar[i % 3];
  float f = std::numeric_limits<float>::max();
  a[i] *= f;
  std::swap(a[0], a[1]);
  d[i] = sq(d[i]);
  mg++;
  double sn, cs;
  sincos(d[i], &sn, &cs);
  d[i] = sn * cs + fmod(d[i], 2.0) + remainder(d[i], 2.0);
  __trap();
}
__host__ __device__ float both(float x) {
  return rsqrtf(x) + max(1, 2) + min(3u, 4u) + sinpif(x) + erfinvf(x);
}
int languageOnHost() {
  std::vector<float> v(10);
  std::sort(v.begin(), v.end());
  float* a;
  cudaMalloc(&a, 40);
  cudaChannelFormatDesc ds = cudaCreateChannelDesc<float>();
  cudaBindTexture2D(0, tex, a, ds, 2, 2, 16);
  void* args[] = {&a};
  cudaLaunchKernel((void*)language, dim3(1), dim3(1), args, 0, 0);
  cudaLaunchKernel(language, dim3(1), dim3(1), args);
  int mb, bs;
  cudaOccupancyMaxPotentialBlockSize(&mb, &bs, language, 0, 0);
  cudaFuncSetAttribute(language, cudaFuncAttributeMaxDynamicSharedMemorySize, 3);
  printf("%f\n", both(2));
  cudaEvent_t e;
  cudaEventCreate(&e);
  cudaEventRecord(e);
  language<<<1, 2>>>(a, nullptr, 1, nullptr, nullptr);
  mg = 3;
  return cudaDeviceSynchronize() != cudaSuccess;
}

__global__ void small(half* a, half2* b, __nv_bfloat16* c, __nv_bfloat162* d, float* f) {
  int i = threadIdx.x;
  a[i] = a[i] * a[i + 1] + __float2half(2.0f) - __hfma(a[i], a[2], a[3]) / a[4];
  b[i] = __hfma2(b[i], b[1], b[2]) + __half2half2(a[1]);
  if (a[i] > a[i + 1]) a[i] = hexp(a[i]);
  f[i] = __half2float(a[i]) + (float)a[2] + __half22float2(b[i]).x;
  a[i] += 1;
  a[i] = 3.5;
  a[1] = half(2);
  a[2] = a[3] > __int2half_rn(3) ? a[1] : a[2];
  a[i] = __hmax(a[i], a[1]);
  b[i] = __shfl_xor_sync(~0u, b[i], 1);
  atomicAdd(a, a[1]);
  atomicAdd(b, b[1]);
  atomicAdd(c, c[1]);
  atomicAdd(d, d[1]);
  c[i] = c[i] * c[1] + c[2];
  d[i] = __hadd2(d[i], d[1]);
  c[1] = __float2bfloat16(f[2]);
  int z = __half2int_rz(a[1]);
  f[z] = 1;
  a[3] = -a[3];
  a[4]++;
  a[5] = __hadd_sat(a[5], a[6]);
  b[4] = __ldg(b + 2);
  a[8] = z;
  c[9] = 3;
  b[3] = {a[1], a[2]};
  b[5] = __floats2half2_rn(f[0], f[1]);
  f[7] = a[3];
  if (a[2]) f[3] = 1;
  a[6] = hsqrt(a[6]);
}
__global__ void tiles(const half* a, float* c) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, a, 16);
  wmma::fill_fragment(sum, 0.0f);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
int smallOnHost() {
  half h = 1.5f;
  half g(2);
  float f = h * g;
  printf("%f\n", f);
  __nv_bfloat16 b = 2.0f;
  printf("%f %d\n", (float)(b + b), (int)h);
  half2 q = __half2(h, g);
  q = q + q;
  return h < g && __low2float(q) > 0;
}

namespace cg = cooperative_groups;
using namespace cooperative_groups;
template <int sz>
__device__ int rt(thread_block_tile<sz> g, int val) {
  for (int i = g.size() / 2; i > 0; i /= 2) val += g.shfl_down(val, i);
  return val;
}
__global__ void groups(int* a, double* d, float* f) {
  thread_block b = this_thread_block();
  auto t = tiled_partition<32>(b);
  auto t4 = tiled_partition<4>(t);
  cg::grid_group gr = this_grid();
  a[gr.thread_rank()] = rt<4>(t4, a[0]) + b.group_index().x;
  if (a[1] > 3) {
    auto c = coalesced_threads();
    a[5] = c.ballot(a[2]) + c.any(1);
    d[1] = cg::reduce(c, d[1], cg::greater<double>());
  }
  d[threadIdx.x] = cg::inclusive_scan(t, d[threadIdx.x]);
  f[threadIdx.x] = cg::exclusive_scan(t, f[threadIdx.x]);
  thread_group tg = tiled_partition(b, 8);
  tg.sync();
  cg::tiled_partition<16>(b).sync();
}

__global__ void helpers(float4* v, curandState* s, curandStatePhilox4_32_10_t* p,
                        cuDoubleComplex* c) {
  int i = threadIdx.x;
  curand_init(1234, i, 0, &s[i]);
  curand_init(1234, i, 3, &p[i]);
  v[i] = v[i] * 2.0f + make_float4(curand_uniform(&s[i]), curand_normal(&s[i]),
                                   curand_uniform(&p[i]), CUDART_PI_F);
  v[i] += make_float4(normalize(make_float3(v[i])), 1);
  c[i] = cuCdiv(cuCmul(c[i], c[i]), c[1]);
  v[1].x = dot(v[0], v[1]) + curand_poisson(&s[i], 3.0) + curand_normal4(&p[i]).x + CUDART_INF_F;
}
int helpersOnHost(int argc, char** argv) {
  int dev = findCudaDevice(argc, (const char**)argv);
  StopWatchInterface* t = 0;
  sdkCreateTimer(&t);
  sdkStartTimer(&t);
  int n = getCmdLineArgumentInt(argc, (const char**)argv, "n");
  helpers<<<1, 1>>>(0, 0, 0, 0);
  getLastCudaError("k");
  checkCudaErrors(cudaDeviceSynchronize());
  sdkStopTimer(&t);
  cudaProfilerStart();
  float3 a = make_float3(1, 2, 3);
  nvtxRangePushA("x");
  nvtxRangePop();
  CUdevice d;
  cuInit(0);
  cuDeviceGet(&d, 0);
  return n + dev + (int)length(a) + (int)sdkGetTimerValue(&t) + std::min(1, 2);
}

int main(int argc, char** argv) {
  return languageOnHost() + smallOnHost() + helpersOnHost(argc, argv);
}
