// A kernel for each elementary function, in double and in float: d_NAME and f_NAME(in, out, n).
#define ONE(name, of_double, of_float)                                                        \
  extern "C" __global__ void d_##name(const double* in, double* out, int n) {                 \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { \
      const double x = in[2 * i], y = in[2 * i + 1];                                          \
      (void)y;                                                                                \
      out[i] = of_double;                                                                     \
    }                                                                                         \
  }                                                                                           \
  extern "C" __global__ void f_##name(const float* in, float* out, int n) {                   \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { \
      const float x = in[2 * i], y = in[2 * i + 1];                                           \
      (void)y;                                                                                \
      out[i] = of_float;                                                                      \
    }                                                                                         \
  }
// Second results of functions with two results.
template <class T>
__device__ T fractionOf(T x) {
  int exponent;
  return frexp(x, &exponent);
}
template <class T>
__device__ T exponentOf(T x) {
  int exponent;
  frexp(x, &exponent);
  return exponent;
}
template <class T>
__device__ T partOf(T x) {
  T whole;
  return modf(x, &whole);
}
template <class T>
__device__ T wholeOf(T x) {
  T whole;
  modf(x, &whole);
  return whole;
}
template <class T>
__device__ T restOf(T x, T y) {
  int quotient;
  return remquo(x, y, &quotient);
}
template <class T>
__device__ T quotientOf(T x, T y) {  // C promises three bits of the quotient
  int quotient;
  remquo(x, y, &quotient);
  return quotient % 8;
}
template <class T>
__device__ T bounded(T x, T most) {
  return fmin(fmax(x, -most), most);
}
/// Returns the integer that the second argument stands for.
template <class T>
__device__ int number(T y) {
  return static_cast<int>(bounded(y, T(3000)));
}
/// Returns an argument near 0, where the fast functions are accurate.
template <class T>
__device__ T small(T x) {
  return bounded(x, T(3));
}
__device__ float fastWave(float x) {
  float s, c;
  __sincosf(x, &s, &c);
  return s + 2 * c;
}

#define UNARY(name, ...) ONE(name, name(x), name##f(x))
#define BINARY(name, ...) ONE(name, name(x, y), name##f(x, y))
#define FUNCTION(name, of_double, of_float, ...) ONE(name, of_double, of_float)
#include "math_functions.inl"
