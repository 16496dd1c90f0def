// Generic code: device lambdas as arguments of kernel templates, functors, variadic templates,
// constexpr.
#include "check.h"

template <class F>
__global__ void forEachIndex(size_t n, F f) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    f(i);
}

template <class F>
void parallelFor(size_t n, F f) {
  forEachIndex<<<8, 128>>>(n, f);
  CHECK(cudaGetLastError());
}

template <class T, class Op>
__global__ void reduceKernel(const T* data, size_t n, T identity, Op op, T* out) {
  __shared__ T parts[128];
  T value = identity;
  for (size_t i = threadIdx.x; i < n; i += blockDim.x) value = op(value, data[i]);
  parts[threadIdx.x] = value;
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s) parts[threadIdx.x] = op(parts[threadIdx.x], parts[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = parts[0];
}

template <class T, class Op>
T reduce(const T* data, size_t n, T identity, Op op) {
  T* const out = newOnDevice<T>(1);
  reduceKernel<<<1, 128>>>(data, n, identity, op, out);
  return toHost(out, 1)[0];
}

struct Max {
  template <class T>
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

// Applies any number of functions, one after another.
template <class T>
__host__ __device__ T pipe(T x) {
  return x;
}
template <class T, class F, class... Rest>
__host__ __device__ auto pipe(T x, F f, Rest... rest) {
  return pipe(f(x), rest...);
}

template <class... F>
__global__ void pipeKernel(const int* in, double* out, int n, F... f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = pipe(in[i], f...);
}

constexpr int power(int base, int n) {
  return n == 0 ? 1 : base * power(base, n - 1);
}

template <class T, int N>
struct Polynomial {
  T c[N];
  __host__ __device__ T operator()(T x) const {
    T y = 0;
#pragma unroll
    for (int i = N - 1; i >= 0; --i) y = y * x + c[i];
    return y;
  }
};

int main() {
  const int n = 1500;
  std::vector<int> ints(n);
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) ints[i] = (i * 7919) % 1000, a[i] = i, b[i] = 3 * i;
  int* const data = toDevice(ints);
  double* const dPiped = newOnDevice<double>(n);
  const int offset = 5;
  parallelFor(n, [=] __device__(size_t i) { data[i] += offset; });
  const auto got = toHost(data, n);
  for (int i = 0; i < n; ++i)
    if (got[i] != ints[i] + offset) fail("a lambda's sum");
  long long sum = 0;
  int most = 0;
  for (int v : got) sum += v, most = Max()(most, v);
  if (reduce(data, n, 0, [] __host__ __device__(int x, int y) { return x + y; }) != sum)
    fail("reduction by a lambda");
  if (reduce(data, n, 0, Max()) != most) fail("reduction by a functor");

  const Polynomial<double, 4> cubic = {{1, -2, 0.5, power(2, 3)}};
  pipeKernel<<<(n + 127) / 128, 128>>>(
      data, dPiped, n, [] __device__(int x) { return x % 10; },
      [] __device__(int x) { return x * 0.5; }, cubic);
  const auto piped = toHost(dPiped, n);
  for (int i = 0; i < n; ++i)
    if (piped[i] != cubic((got[i] % 10) * 0.5)) fail("the pipe");  // halves are exact

  const float *const dA = toDevice(a), *const dB = toDevice(b);
  float* const out = newOnDevice<float>(n);
  parallelFor(n, [=] __device__(size_t i) {
    auto twice = [](float x) { return x + x; };
    out[i] = twice(dA[i]) - dB[i];
  });
  const auto sums = toHost(out, n);
  for (int i = 0; i < n; ++i)
    if (sums[i] != -i) fail("a lambda within a lambda");
  puts("PASS");
}
