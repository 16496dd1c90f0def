// A kernel for each function of one instruction: NAME(in, out, n), with three words per result.
#include <cuda_runtime.h>

__device__ unsigned folded(unsigned long long value) {
  return static_cast<unsigned>(value) * 3 ^ static_cast<unsigned>(value >> 32);
}

#define EACH(name, expression)                                                                  \
  extern "C" __global__ void name(const unsigned* in, unsigned* out, int n) {                   \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                        \
    for (int k = i; k < n; k += gridDim.x * blockDim.x) {                                       \
      const unsigned a = in[3 * k], b = in[3 * k + 1], c = in[3 * k + 2];                       \
      const float x = __uint_as_float(a), y = __uint_as_float(b), z = __uint_as_float(c);       \
      const long long l = static_cast<long long>(static_cast<unsigned long long>(a) << 32 | b); \
      const long long m = static_cast<long long>(static_cast<unsigned long long>(c) << 32 | a); \
      const double d = __longlong_as_double(l);                                                 \
      const int i32 = static_cast<int>(a), j32 = static_cast<int>(b);                           \
      (void)x, (void)y, (void)z, (void)d, (void)m, (void)i32, (void)j32;                        \
      out[k] = static_cast<unsigned>(expression);                                               \
    }                                                                                           \
  }
#define FLOAT(name, expression) EACH(name, __float_as_uint(expression))
#define DOUBLE(name, expression)            \
  EACH(name, isnan(expression) ? 0x7ff80000 \
                               : __double2hiint(expression) ^ (__double2loint(expression) * 3))
#define ROUNDINGS(R)                                         \
  FLOAT(fadd_##R, __fadd_##R(x, y))                          \
  FLOAT(fsub_##R, __fsub_##R(x, y))                          \
  FLOAT(fmul_##R, __fmul_##R(x, y))                          \
  FLOAT(fmaf_##R, __fmaf_##R(x, y, z))                       \
  FLOAT(fdiv_##R, __fdiv_##R(x, y))                          \
  FLOAT(frcp_##R, __frcp_##R(x))                             \
  FLOAT(fsqrt_##R, __fsqrt_##R(x))                           \
  EACH(float2int_##R, __float2int_##R(x))                    \
  EACH(float2uint_##R, __float2uint_##R(x))                  \
  EACH(double2int_##R, __double2int_##R(d))                  \
  EACH(float2ll_##R, folded(__float2ll_##R(x)))              \
  EACH(double2ll_##R, folded(__double2ll_##R(d)))            \
  EACH(double2ull_##R, folded(__double2ull_##R(d)))          \
  FLOAT(int2float_##R, __int2float_##R(static_cast<int>(a))) \
  FLOAT(uint2float_##R, __uint2float_##R(a))                 \
  FLOAT(ll2float_##R, __ll2float_##R(l))                     \
  FLOAT(double2float_##R, __double2float_##R(d))             \
  DOUBLE(dadd_##R, __dadd_##R(d, 1.0))                       \
  DOUBLE(dmul_##R, __dmul_##R(d, 0x1.123456789abcdp-3))      \
  DOUBLE(dfma_##R, __fma_##R(d, 0x1.123456789abcdp-3, 1.0))  \
  DOUBLE(ddiv_##R, __ddiv_##R(d, 0x1.123456789abcdp-3))      \
  DOUBLE(dsqrt_##R, __dsqrt_##R(d))                          \
  DOUBLE(ll2double_##R, __ll2double_##R(l))

ROUNDINGS(rn)
ROUNDINGS(rz)
ROUNDINGS(ru)
ROUNDINGS(rd)

EACH(clz, __clz(a))
EACH(clzll, __clzll(l))
EACH(popc, __popc(a))
EACH(popcll, __popcll(l))
EACH(brev, __brev(a))
EACH(first_set, __ffs(a))
EACH(first_set_of_64, __ffsll(l))
EACH(byte_perm, __byte_perm(a, b, c))
EACH(funnelshift_l, __funnelshift_l(a, b, c))
EACH(funnelshift_r, __funnelshift_r(a, b, c))
EACH(funnelshift_lc, __funnelshift_lc(a, b, c))
EACH(funnelshift_rc, __funnelshift_rc(a, b, c))
EACH(mul24, __mul24(a, b))
EACH(umul24, __umul24(a, b))
EACH(mulhi, __mulhi(a, b))
EACH(umulhi, __umulhi(a, b))
EACH(umul64hi, __umul64hi(l, l + c) * 3 + (__umul64hi(l, l + c) >> 32))
EACH(hadd, __hadd(a, b))
EACH(rhadd, __rhadd(a, b))
EACH(uhadd, __uhadd(a, b))
EACH(urhadd, __urhadd(a, b))
EACH(sad, __sad(a, b, c))
EACH(usad, __usad(a, b, c))
EACH(brevll, folded(__brevll(l)))
EACH(mul64hi, folded(__mul64hi(l, m)))
EACH(div_s64, folded((l >> 1) / (m | 1)))
EACH(rem_s64, folded((l >> 1) % (m | 1)))
EACH(div_u64, folded(static_cast<unsigned long long>(l) / (m | 1)))
EACH(rem_u64, folded(static_cast<unsigned long long>(l) % (m | 1)))
EACH(div_s32, (i32 >> 1) / (j32 | 1))
EACH(rem_s32, (i32 >> 1) % (j32 | 1))
EACH(div_u32, a / (b | 1))
EACH(div_u8, static_cast<unsigned char>(a) / (static_cast<unsigned char>(b) | 1))
EACH(rem_s16, static_cast<short>(a) % (static_cast<short>(b) | 1))
EACH(shr_s64, folded(l >> (c & 63)))
EACH(shl_u64, folded(static_cast<unsigned long long>(l) << (c & 63)))
EACH(dp4a, __dp4a(i32, j32, static_cast<int>(c)))
EACH(dp4a_unsigned, __dp4a(a, b, c))
EACH(vadd4, __vadd4(a, b))
EACH(vsub2, __vsub2(a, b))
EACH(vmaxs4, __vmaxs4(a, b))
EACH(vabsdiffu4, __vabsdiffu4(a, b))
EACH(vcmpeq4, __vcmpeq4(a, (b & 0xff00ff00u) | (a & 0x00ff00ffu)))
EACH(min_int, min(static_cast<int>(a), static_cast<int>(b)))
EACH(max_mixed, max(static_cast<int>(a), b))
EACH(abs_int, abs(static_cast<int>(a)))
FLOAT(min_float, min(x, y))
FLOAT(max_float, max(x, y))
FLOAT(saturate, __saturatef(x))
EACH(isnan_float, isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * signbit(x))
