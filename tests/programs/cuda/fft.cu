// Fast Fourier transforms: radix 2 in shared memory, batched, forward and back, against a direct
// sum in double.
#include <cuda_runtime.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define cuda(...)                                                     \
  {                                                                   \
    cudaError_t e = cuda##__VA_ARGS__;                                \
    if (e != cudaSuccess) {                                           \
      printf("FAIL: line %d: %s\n", __LINE__, cudaGetErrorString(e)); \
      exit(1);                                                        \
    }                                                                 \
  }

template <class T>
struct Pair;
template <>
struct Pair<float> {
  using type = float2;
};
template <>
struct Pair<double> {
  using type = double2;
};

__device__ inline void turn(float angle, float* s, float* c) {
  sincosf(angle, s, c);
}
__device__ inline void turn(double angle, double* s, double* c) {
  sincospi(angle / 3.14159265358979323846, s, c);
}

template <class T>
__global__ void fft(typename Pair<T>::type* data, int bits, T sign, T scale) {
  using C = typename Pair<T>::type;
  extern __shared__ __align__(16) unsigned char memory[];
  C* x = reinterpret_cast<C*>(memory);
  const int n = 1 << bits, half = n / 2;
  data += blockIdx.x * n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[__brev(i) >> (32 - bits)] = data[i];
  __syncthreads();
  for (int span = 1; span < n; span *= 2) {
    for (int b = threadIdx.x; b < half; b += blockDim.x) {
      const int k = b & (span - 1), i = 2 * b - k, j = i + span;
      T s, c;
      turn(sign * T(3.14159265358979323846) * k / span, &s, &c);
      const C t = {x[j].x * c - x[j].y * s, x[j].x * s + x[j].y * c};
      x[j] = {x[i].x - t.x, x[i].y - t.y};
      x[i] = {x[i].x + t.x, x[i].y + t.y};
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    C v = x[i];
    v.x *= scale;
    v.y *= scale;
    data[i] = v;
  }
}

template <class T>
bool test(int bits, int batch, double bound) {
  const int n = 1 << bits;
  std::vector<std::complex<T>> signal(n * batch), spectrum(n * batch), back(n * batch);
  for (int i = 0; i < n * batch; ++i)
    signal[i] = {T(std::sin(0.3 * i) + (i % 7)), T(std::cos(1.1 * i * (i / n)))};
  typename Pair<T>::type* device;
  const size_t bytes = signal.size() * sizeof(signal[0]);
  cuda(Malloc(&device, bytes));
  cuda(Memcpy(device, signal.data(), bytes, cudaMemcpyHostToDevice));
  fft<T><<<batch, n / 4, n * sizeof(signal[0])>>>(device, bits, T(-1), T(1));
  cuda(GetLastError());
  cuda(Memcpy(spectrum.data(), device, bytes, cudaMemcpyDeviceToHost));
  fft<T><<<batch, n / 4, n * sizeof(signal[0])>>>(device, bits, T(1), T(1) / n);
  cuda(GetLastError());
  cuda(Memcpy(back.data(), device, bytes, cudaMemcpyDeviceToHost));
  cuda(Free(device));
  double worst = 0, worstBack = 0;
  for (int b = 0; b < batch; ++b)
    for (int k = 0; k < n; ++k) {
      std::complex<double> sum = 0;
      for (int i = 0; i < n; ++i)
        sum += std::complex<double>(signal[b * n + i]) *
               std::polar(1., -2 * M_PI * ((long(k) * i) % n) / n);
      worst = std::max(worst, std::abs(sum - std::complex<double>(spectrum[b * n + k])) / n);
      worstBack = std::max<double>(worstBack, std::abs(signal[b * n + k] - back[b * n + k]));
    }
  const bool fine = worst < bound && worstBack < 16 * bound;
  printf("%zu bytes: spectrum off by %.2g, signal by %.2g%s\n", sizeof(T), worst, worstBack,
         fine ? "" : ": too much");
  return fine;
}

int main(int argc, char** argv) {
  const int bits = argc > 1 ? atoi(argv[1]) : 8;
  bool fine = test<float>(bits, 3, 1e-6);
  fine = test<double>(bits, 2, 1e-14) && fine;
  puts(fine ? "PASS" : "FAIL: transforms are inexact");
  return !fine;
}
