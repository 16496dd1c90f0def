// Generic code: device lambdas as arguments of kernel templates, functors, variadic templates,
// constexpr, expression templates, a device-side array class and iterators.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

inline void throwOnError(cudaError_t e, const char* file, int line) {
  if (e == cudaSuccess) return;
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " +
                           cudaGetErrorString(e));
}
#define CHECK(x) throwOnError((x), __FILE__, __LINE__)

/// Memory of the device, freed with its owner.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t n) : size_(n) { CHECK(cudaMalloc(&data_, n * sizeof(T))); }
  explicit DeviceArray(const std::vector<T>& v) : DeviceArray(v.size()) {
    CHECK(cudaMemcpy(data_, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceArray(DeviceArray&& o) noexcept : data_(o.data_), size_(o.size_) { o.data_ = nullptr; }
  DeviceArray(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  T* begin() const { return data_; }
  size_t size() const { return size_; }
  std::vector<T> host() const {
    std::vector<T> v(size_);
    CHECK(cudaMemcpy(v.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }

 private:
  T* data_ = nullptr;
  size_t size_;
};

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
T reduce(const DeviceArray<T>& a, T identity, Op op) {
  DeviceArray<T> out(1);
  reduceKernel<<<1, 128>>>(a.begin(), a.size(), identity, op, out.begin());
  CHECK(cudaGetLastError());
  return out.host()[0];
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

// An expression is built first and evaluated once per element.
template <class L, class R>
struct Sum {
  L l;
  R r;
  __device__ float operator[](size_t i) const { return l[i] + r[i]; }
};
struct Scaled {
  const float* p;
  float s;
  __device__ float operator[](size_t i) const { return s * p[i]; }
};
template <class L, class R>
Sum<L, R> operator+(L l, R r) {
  return {l, r};
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

static int test(int n) {
  std::vector<int> ints(n);
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) ints[i] = (i * 7919) % 1000, a[i] = i, b[i] = 3 * i;
  DeviceArray<int> dInts(ints);
  DeviceArray<float> dA(a), dB(b), dSum(n);
  DeviceArray<double> dPiped(n);
  const auto wrong = [](const char* what) { return printf("FAIL: %s\n", what), 1; };

  int* data = dInts.begin();
  const int offset = 5;
  parallelFor(n, [=] __device__(size_t i) { data[i] += offset; });
  const auto got = dInts.host();
  for (int i = 0; i < n; ++i)
    if (got[i] != ints[i] + offset) return wrong("a lambda's sum");
  long long sum = 0;
  int most = 0;
  for (int v : got) sum += v, most = Max()(most, v);
  if (reduce(dInts, 0, [] __host__ __device__(int x, int y) { return x + y; }) != sum)
    return wrong("reduction by a lambda");
  if (reduce(dInts, 0, Max()) != most) return wrong("reduction by a functor");

  const Polynomial<double, 4> cubic = {{1, -2, 0.5, power(2, 3)}};
  pipeKernel<<<(n + 127) / 128, 128>>>(
      data, dPiped.begin(), n, [] __device__(int x) { return x % 10; },
      [] __device__(int x) { return x * 0.5; }, cubic);
  CHECK(cudaGetLastError());
  const auto piped = dPiped.host();
  for (int i = 0; i < n; ++i)
    if (piped[i] != cubic((got[i] % 10) * 0.5)) return wrong("the pipe");  // halves are exact

  auto expression = Scaled{dA.begin(), 2} + Scaled{dB.begin(), -1} + Scaled{dA.begin(), 4};
  static_assert(std::is_trivially_copyable<decltype(expression)>::value, "a kernel's argument");
  float* out = dSum.begin();
  parallelFor(n, [=] __device__(size_t i) {
    auto twice = [](float x) { return x + x; };
    out[i] = twice(expression[i]);
  });
  const auto sums = dSum.host();
  for (int i = 0; i < n; ++i)
    if (sums[i] != 2 * (2.f * i - 3.f * i + 4.f * i)) return wrong("the expression");
  return 0;
}

int main() {
  try {
    if (test(1500)) return 1;
  } catch (const std::exception& e) {
    printf("FAIL: %s\n", e.what());
    return 1;
  }
  puts("PASS");
  return 0;
}
