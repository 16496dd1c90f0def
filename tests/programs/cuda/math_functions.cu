// The library's functions on the device against long double on the host, in units of the last
// place: float and double, and the fast functions within wider bounds.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                                \
  do {                                                                          \
    cudaError_t e = (x);                                                        \
    if (e != cudaSuccess) printf("FAIL: %s\n", cudaGetErrorString(e)), exit(1); \
  } while (0)

// Columns: name, error bounds in ulp for float and double as CUDA documents them (rounded up),
// range of x.
#define FUNCTIONS(F)          \
  F(sin, 2, 2, -30, 30)       \
  F(cos, 2, 2, -30, 30)       \
  F(tan, 4, 2, -1.5, 1.5)     \
  F(asin, 2, 2, -1, 1)        \
  F(acos, 2, 2, -1, 1)        \
  F(atan, 2, 2, -100, 100)    \
  F(sinh, 3, 2, -20, 20)      \
  F(cosh, 2, 2, -20, 20)      \
  F(tanh, 2, 2, -5, 5)        \
  F(asinh, 3, 3, -50, 50)     \
  F(acosh, 4, 3, 1, 50)       \
  F(atanh, 3, 2, -0.99, 0.99) \
  F(exp, 2, 1, -80, 80)       \
  F(exp2, 2, 1, -100, 100)    \
  F(expm1, 1, 1, -10, 40)     \
  F(log, 1, 1, 1e-30, 1e30)   \
  F(log2, 1, 1, 1e-30, 1e30)  \
  F(log10, 2, 1, 1e-30, 1e30) \
  F(log1p, 1, 1, -0.9, 1e6)   \
  F(cbrt, 1, 1, -1e6, 1e6)    \
  F(erf, 2, 2, -4, 4)         \
  F(erfc, 4, 5, -4, 9)        \
  F(tgamma, 5, 10, 0.1, 20)   \
  F(lgamma, 6, 6, 3, 90)      \
  F(sqrt, 0.501, 0.501, 0, 1e20)

#define COUNT(...) +1
const int kFunctions = 0 FUNCTIONS(COUNT);

template <class T>
__global__ void evaluate(const T* in, T* out, int n) {  // in: n arguments per function
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = 0;
#define EVALUATE(name, f, d, low, high) out[k * n + i] = name(in[k * n + i]), ++k;
  FUNCTIONS(EVALUATE)
#undef EVALUATE
}

template <class T>
__global__ void two(const T* a, const T* b, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = pow(a[i], b[i]);
  out[n + i] = atan2(b[i], a[i]);
  out[2 * n + i] = hypot(a[i], b[i]);
  out[3 * n + i] = rsqrt(a[i]);
}

__global__ void fast(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float s, c;
  __sincosf(x, &s, &c);
  out[i] = s;
  out[n + i] = c;
  out[2 * n + i] = __expf(x);
  out[3 * n + i] = __logf(fabsf(x) + 2);
  out[4 * n + i] = __fdividef(1.f, fabsf(x) + 1);
  out[5 * n + i] = __powf(fabsf(x) + 1, 1.5f);
}

template <class T>
double ulps(T got, long double e) {
  if (T(e) == got) return 0;
  int exponent;
  std::frexp(T(e), &exponent);
  const int digits = std::numeric_limits<T>::digits,
            least = std::numeric_limits<T>::min_exponent - digits;
  return double(std::fabs(got - e) / std::ldexp(1.0L, std::max(exponent - digits, least)));
}

template <class T>
int test(const char* type, int n) {
  std::vector<T> in(kFunctions * n), out(kFunctions * n);
  int k = 0, wrong = 0;
#define FILL(name, f, d, low, high)                                                        \
  for (int i = 0; i < n; ++i) {                                                            \
    const double t = (i + 0.37) / n;                                                       \
    in[k * n + i] =                                                                        \
        T((low) > 0 && (high) / ((low) + 1e-300) > 1e4 ? (low)*std::pow((high) / (low), t) \
                                                       : (low) + ((high) - (low)) * t);    \
  }                                                                                        \
  ++k;
  FUNCTIONS(FILL)
  T *dIn, *dOut;
  CHECK(cudaMalloc(&dIn, in.size() * sizeof(T)));
  CHECK(cudaMalloc(&dOut, out.size() * sizeof(T)));
  CHECK(cudaMemcpy(dIn, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice));
  evaluate<T><<<(n + 63) / 64, 64>>>(dIn, dOut, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), dOut, out.size() * sizeof(T), cudaMemcpyDeviceToHost));
  k = 0;
#define COMPARE(name, f, d, low, high)                                               \
  {                                                                                  \
    double worst = 0, at = 0;                                                        \
    for (int i = 0; i < n; ++i) {                                                    \
      const double u = ulps(out[k * n + i], name##l((long double)in[k * n + i]));    \
      if (!(u <= worst) && !std::isnan(worst)) worst = u, at = in[k * n + i];        \
    }                                                                                \
    if (!(worst <= (sizeof(T) == 4 ? f : d)))                                        \
      printf("%s(%s) is off by %g ulp at %.17g\n", #name, type, worst, at), ++wrong; \
    ++k;                                                                             \
  }
  FUNCTIONS(COMPARE)

  std::vector<T> a(n), b(n), pairs(4 * n);
  for (int i = 0; i < n; ++i) a[i] = T(0.01 + i * 0.05), b[i] = T(std::sin(i * 1.7) * 8);
  CHECK(cudaMemcpy(dIn, a.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dIn + n, b.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  two<T><<<(n + 63) / 64, 64>>>(dIn, dIn + n, dOut, n);
  CHECK(cudaMemcpy(pairs.data(), dOut, pairs.size() * sizeof(T), cudaMemcpyDeviceToHost));
  const char* names[] = {"pow", "atan2", "hypot", "rsqrt"};
  const double bounds[] = {sizeof(T) == 4 ? 4. : 2., sizeof(T) == 4 ? 3. : 2.,
                           sizeof(T) == 4 ? 3. : 2., 2};
  for (int f = 0; f < 4; ++f)
    for (int i = 0; i < n; ++i) {
      const long double x = a[i], y = b[i];
      const long double e = f == 0   ? powl(x, y)
                            : f == 1 ? atan2l(y, x)
                            : f == 2 ? hypotl(x, y)
                                     : 1 / sqrtl(x);
      if (ulps(pairs[f * n + i], e) <= bounds[f]) continue;
      printf("%s(%s) is off by %g ulp at %.17g, %.17g\n", names[f], type, ulps(pairs[f * n + i], e),
             double(x), double(y)),
          ++wrong;
      break;
    }
  CHECK(cudaFree(dIn));
  CHECK(cudaFree(dOut));
  return wrong;
}

static int testFast(int n) {
  std::vector<float> in(n), out(6 * n);
  for (int i = 0; i < n; ++i) in[i] = -3.1f + 6.2f * i / n;
  float *dIn, *dOut;
  CHECK(cudaMalloc(&dIn, n * 4));
  CHECK(cudaMalloc(&dOut, 6 * n * 4));
  CHECK(cudaMemcpy(dIn, in.data(), n * 4, cudaMemcpyHostToDevice));
  fast<<<(n + 63) / 64, 64>>>(dIn, dOut, n);
  CHECK(cudaMemcpy(out.data(), dOut, out.size() * 4, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(dIn));
  CHECK(cudaFree(dOut));
  for (int i = 0; i < n; ++i) {
    const double x = in[i], y = std::fabs(x);
    const double e[] = {std::sin(x),     std::cos(x), std::exp(x),
                        std::log(y + 2), 1 / (y + 1), std::pow(y + 1, 1.5)};
    for (int k = 0; k < 6; ++k)
      if (!(std::fabs(out[k * n + i] - e[k]) <= 2e-6 * std::fmax(1, std::fabs(e[k]))))
        return printf("fast function %d of %g is %g, expected %g\n", k, x, out[k * n + i], e[k]), 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 200;
  const int wrong = test<float>("float", n) + test<double>("double", n) + testFast(n);
  printf(wrong ? "FAIL: %d functions are inexact\n" : "PASS\n", wrong);
  return wrong != 0;
}
