// IEEE arithmetic bit for bit: four rounding modes of each intrinsic against the host's fesetround,
// plain operators, fma, conversions, minimum and maximum with NaN, subnormals. And the fast
// functions, within wider bounds.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "check.h"

const int kModes = 4, kPerMode = 6;

__global__ void floats(const float* a, const float* b, const float* c, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = a[i], y = b[i], z = c[i];
  float* o = out + i * kModes * kPerMode;
#define MODE(m)                 \
  *o++ = __fadd_##m(x, y);      \
  *o++ = __fmul_##m(x, y);      \
  *o++ = __fmaf_##m(x, y, z);   \
  *o++ = __fdiv_##m(x, y);      \
  *o++ = __fsqrt_##m(fabsf(x)); \
  *o++ = __int2float_##m(__float_as_int(x));
  MODE(rn) MODE(rz) MODE(ru) MODE(rd)
#undef MODE
}

__global__ void doubles(const double* a, const double* b, const double* c, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = a[i], y = b[i], z = c[i];
  double* o = out + i * kModes * kPerMode;
#define MODE(m)                \
  *o++ = __dadd_##m(x, y);     \
  *o++ = __dmul_##m(x, y);     \
  *o++ = __fma_##m(x, y, z);   \
  *o++ = __ddiv_##m(x, y);     \
  *o++ = __dsqrt_##m(fabs(x)); \
  *o++ = __double2float_##m(x);
  MODE(rn) MODE(rz) MODE(ru) MODE(rd)
#undef MODE
}

// Results of plain operators and of the library's exact functions.
struct Plain {
  double values[12];
  long long whole[10];
};
__global__ void plain(const double* a, const double* b, Plain* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = a[i], y = b[i];
  const double small = fmod(x, 1e6);
  out[i] = {{x / y, sqrt(fabs(x)), fmin(x, y), fmax(x, y), floor(x), ceil(x), trunc(x), rint(x),
             fmod(x, y), copysign(x, y), x - y, double(float(x)) * 0.5},
            {__double2ll_rn(small), __double2ll_rz(small), __double2ll_ru(small),
             __double2ll_rd(small), (long long)small, llround(small), x < y, ilogb(x),
             __float2ll_rn(float(small)), (long long)(unsigned long long)fabs(small)}};
}

template <class T, class Bits>
T random(uint64_t& s, int i) {
  s = s * 6364136223846793005ull + 1442695040888963407ull;
  Bits bits = Bits(s >> (64 - 8 * sizeof(T)));
  T value;
  memcpy(&value, &bits, sizeof value);
  if (i % 3 == 1) value = T(int32_t(s >> 33)) / T(1024);
  if (i % 17 == 2) value = std::numeric_limits<T>::denorm_min() * T(s >> 50);
  if (i % 29 == 3) value = i % 2 ? INFINITY : -T(0);
  return value;
}

template <class T>
bool same(T a, T b) {
  return memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

// The compiler must not move these calls over fesetround.
#define NOINLINE __attribute__((noinline, optnone))
template <class T>
NOINLINE T add(T x, T y) {
  return x + y;
}
template <class T>
NOINLINE T multiply(T x, T y) {
  return x * y;
}
template <class T>
NOINLINE T divide(T x, T y) {
  return x / y;
}
template <class T>
NOINLINE T root(T x) {
  return std::sqrt(x);
}
template <class T>
NOINLINE T fused(T x, T y, T z) {
  return std::fma(x, y, z);
}
template <class To, class From>
NOINLINE To convert(From x) {
  return To(x);
}

__global__ void fast(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i], y = fabsf(x);
  float s, c;
  __sincosf(x, &s, &c);
  const float results[] = {
      s, c, __expf(x), __logf(y + 2), __fdividef(1, y + 1), __powf(y + 1, 1.5f), rsqrtf(y + 1)};
  for (int k = 0; k < 7; ++k) out[7 * i + k] = results[k];
}

void testFast() {
  const int n = 200;
  const char* names[] = {"sin", "cos", "exp", "log", "divide", "pow", "rsqrt"};
  std::vector<float> in(n);
  for (int i = 0; i < n; ++i) in[i] = -3.1f + 6.2f * i / n;
  float* const out = newOnDevice<float>(7 * n);
  fast<<<(n + 63) / 64, 64>>>(toDevice(in), out, n);
  const std::vector<float> got = toHost(out, 7 * n);
  for (int i = 0; i < n; ++i) {
    const double x = in[i], y = std::fabs(x);
    const double e[] = {std::sin(x), std::cos(x),          std::exp(x),         std::log(y + 2),
                        1 / (y + 1), std::pow(y + 1, 1.5), 1 / std::sqrt(y + 1)};
    for (int k = 0; k < 7; ++k)
      if (!(std::fabs(got[7 * i + k] - e[k]) <= 2e-6 * std::fmax(1, std::fabs(e[k]))))
        fail("fast %s of %g is %g, expected %g", names[k], x, got[7 * i + k], e[k]);
  }
}

void testRounding() {
  const int n = 500, each = kModes * kPerMode;
  const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  const char* names[] = {"add", "mul", "fma", "div", "sqrt", "convert"};
  uint64_t s = 42;
  std::vector<float> f[3];
  std::vector<double> d[3];
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < n; ++i) {
      f[k].push_back(random<float, uint32_t>(s, i + 5 * k));
      d[k].push_back(random<double, uint64_t>(s, i + 7 * k));
      if (k == 2 && i % 2)
        f[2][i] = -f[0][i] * f[1][i], d[2][i] = -d[0][i] * d[1][i];  // makes fma cancel
    }
  float *df[3], *const dfOut = newOnDevice<float>(n * each);
  double *dd[3], *const ddOut = newOnDevice<double>(n * each);
  for (int k = 0; k < 3; ++k) {
    df[k] = toDevice(f[k]);
    dd[k] = toDevice(d[k]);
  }
  floats<<<(n + 127) / 128, 128>>>(df[0], df[1], df[2], dfOut, n);
  doubles<<<(n + 127) / 128, 128>>>(dd[0], dd[1], dd[2], ddOut, n);
  const std::vector<float> fOut = toHost(dfOut, n * each);
  const std::vector<double> dOut = toHost(ddOut, n * each);
  for (int m = 0; m < kModes; ++m)
    for (int i = 0; i < n; ++i) {
      const float x = f[0][i], y = f[1][i], z = f[2][i];
      const double u = d[0][i], v = d[1][i], w = d[2][i];
      int bits;
      memcpy(&bits, &x, 4);
      fesetround(modes[m]);
      const float ef[] = {add(x, y),    multiply(x, y),     fused(x, y, z),
                          divide(x, y), root(std::fabs(x)), convert<float>(bits)};
      const double ed[] = {add(u, v),    multiply(u, v),     fused(u, v, w),
                           divide(u, v), root(std::fabs(u)), convert<float>(u)};
      fesetround(FE_TONEAREST);
      for (int k = 0; k < kPerMode; ++k) {
        const float gf = fOut[i * each + m * kPerMode + k];
        const double gd = dOut[i * each + m * kPerMode + k];
        if (!same(gf, ef[k]))
          fail("float %s, mode %d of %a %a %a is %a, expected %a", names[k], m, x, y, z, gf, ef[k]);
        if (!same(gd, ed[k]))
          fail("double %s, mode %d of %a %a %a is %a, expected %a", names[k], m, u, v, w, gd,
               ed[k]);
      }
    }

  Plain* const dPlain = newOnDevice<Plain>(n);
  plain<<<(n + 127) / 128, 128>>>(dd[0], dd[1], dPlain, n);
  const std::vector<Plain> got = toHost(dPlain, n);
  for (int i = 0; i < n; ++i) {
    const double x = d[0][i], y = d[1][i], small = std::fmod(x, 1e6);
    const double e[] = {x / y,           std::sqrt(std::fabs(x)),
                        std::fmin(x, y), std::fmax(x, y),
                        std::floor(x),   std::ceil(x),
                        std::trunc(x),   std::rint(x),
                        std::fmod(x, y), std::copysign(x, y),
                        x - y,           double(float(x)) * 0.5};
    for (int k = 0; k < 12; ++k) {
      const bool zeros =
          (k == 2 || k == 3) && x == 0 && y == 0;  // min and max of two zeros: either zero will do
      if (!same(got[i].values[k], e[k]) && !(zeros && got[i].values[k] == 0))
        fail("value %d of %a %a is %a, expected %a", k, x, y, got[i].values[k], e[k]);
    }
    if (!std::isfinite(small)) continue;
    const long long w[] = {llrint(small),
                           (long long)small,
                           (long long)std::ceil(small),
                           (long long)std::floor(small),
                           (long long)small,
                           llround(small),
                           x < y,
                           std::ilogb(x),
                           llrintf(float(small)),
                           (long long)std::fabs(small)};
    for (int k = 0; k < 10; ++k)
      if (got[i].whole[k] != w[k])
        fail("whole %d of %a %a is %lld, expected %lld", k, x, y, got[i].whole[k], w[k]);
  }
}

int main() {
  testRounding();
  testFast();
  puts("PASS");
}
