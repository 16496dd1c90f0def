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

#define UNARY(name) ONE(name, name(x), name##f(x))
#define BINARY(name) ONE(name, name(x, y), name##f(x, y))

UNARY(exp)
UNARY(exp2)
UNARY(exp10)
UNARY(expm1)
UNARY(log)
UNARY(log2)
UNARY(log10)
UNARY(log1p)
BINARY(pow)
UNARY(sin)
UNARY(cos)
UNARY(tan)
UNARY(sinpi)
UNARY(cospi)
UNARY(asin)
UNARY(acos)
UNARY(atan)
BINARY(atan2)
UNARY(sinh)
UNARY(cosh)
UNARY(tanh)
UNARY(asinh)
UNARY(acosh)
UNARY(atanh)
UNARY(cbrt)
UNARY(rcbrt)
UNARY(rsqrt)
BINARY(hypot)
BINARY(rhypot)
ONE(norm3d, norm3d(x, y, x), norm3df(x, y, x))
UNARY(erf)
UNARY(erfc)
UNARY(erfcx)
UNARY(erfinv)
UNARY(erfcinv)
UNARY(normcdf)
UNARY(normcdfinv)
UNARY(tgamma)
UNARY(lgamma)
UNARY(cyl_bessel_i0)
UNARY(cyl_bessel_i1)
UNARY(j0)
UNARY(j1)
UNARY(y0)
UNARY(y1)
ONE(fast_wave, sin(small(x)) + 2 * cos(small(x)), fastWave(small(x)))
ONE(fast_exp, exp(small(x)), __expf(small(x)))
ONE(fast_log, log(fabs(small(x)) + 2), __logf(fabsf(small(x)) + 2))
ONE(fast_divide, 1 / (fabs(small(x)) + 1), __fdividef(1, fabsf(small(x)) + 1))
ONE(fast_pow, pow(fabs(small(x)) + 1, 1.5), __powf(fabsf(small(x)) + 1, 1.5f))
ONE(divide, x / y, x / y)
BINARY(fmin)
BINARY(fmax)
BINARY(copysign)
UNARY(floor)
UNARY(ceil)
UNARY(trunc)
ONE(ilogb, ilogb(isfinite(x) ? x : 1), ilogbf(isfinite(x) ? x : 1))
ONE(llround, llround(bounded(x, 3000.0)), llroundf(bounded(x, 3000.0f)))
BINARY(fmod)
BINARY(remainder)
BINARY(nextafter)
ONE(ldexp, ldexp(x, number(y)), ldexpf(x, number(y)))
ONE(frexp, fractionOf(x), fractionOf(x))
ONE(frexp_exponent, exponentOf(x), exponentOf(x))
ONE(modf, partOf(x), partOf(x))
ONE(modf_whole, wholeOf(x), wholeOf(x))
ONE(remquo, restOf(x, y), restOf(x, y))
ONE(remquo_quotient, quotientOf(x, y), quotientOf(x, y))
ONE(jn, jn(number(y) & 7, x), jnf(number(y) & 7, x))
ONE(yn, yn(number(y) & 7, x), ynf(number(y) & 7, x))
UNARY(round)
UNARY(rint)
UNARY(sqrt)
BINARY(fdim)
