// Arithmetic, comparisons and operators of FERMATA_NUMBER (__half, __nv_bfloat16) and FERMATA_PAIR,
// by CUDA's names. Included once for each type.

#define FERMATA_SMALL_2(name, operation)                                      \
  FERMATA_BOTH FERMATA_NUMBER __h##name(FERMATA_NUMBER a, FERMATA_NUMBER b) { \
    return fermata_cuda::operation(a, b);                                     \
  }
#define FERMATA_SMALL_2_PAIR(name, operation)                           \
  FERMATA_BOTH FERMATA_PAIR __h##name(FERMATA_PAIR a, FERMATA_PAIR b) { \
    return fermata_cuda::operation(a, b);                               \
  }
#define FERMATA_SMALL_OPERATION(name)          \
  FERMATA_SMALL_2(name, name)                  \
  FERMATA_SMALL_2(name##_rn, name)             \
  FERMATA_SMALL_2(name##_sat, name##Saturated) \
  FERMATA_SMALL_2_PAIR(name##2, name)          \
  FERMATA_SMALL_2_PAIR(name##2_rn, name)       \
  FERMATA_SMALL_2_PAIR(name##2_sat, name##Saturated)
FERMATA_SMALL_OPERATION(add)
FERMATA_SMALL_OPERATION(sub)
FERMATA_SMALL_OPERATION(mul)
#undef FERMATA_SMALL_OPERATION
#undef FERMATA_SMALL_2_PAIR
#undef FERMATA_SMALL_2

FERMATA_BOTH FERMATA_NUMBER __hfma(FERMATA_NUMBER a, FERMATA_NUMBER b, FERMATA_NUMBER c) {
  return fermata_cuda::fused(a, b, c);
}
FERMATA_BOTH FERMATA_PAIR __hfma2(FERMATA_PAIR a, FERMATA_PAIR b, FERMATA_PAIR c) {
  return fermata_cuda::fused(a, b, c);
}
FERMATA_BOTH FERMATA_NUMBER __hfma_sat(FERMATA_NUMBER a, FERMATA_NUMBER b, FERMATA_NUMBER c) {
  return fermata_cuda::fusedSaturated(a, b, c);
}
FERMATA_BOTH FERMATA_PAIR __hfma2_sat(FERMATA_PAIR a, FERMATA_PAIR b, FERMATA_PAIR c) {
  return fermata_cuda::fusedSaturated(a, b, c);
}
FERMATA_BOTH FERMATA_NUMBER __hfma_relu(FERMATA_NUMBER a, FERMATA_NUMBER b, FERMATA_NUMBER c) {
  return fermata_cuda::rectified(fermata_cuda::fused(a, b, c));
}
FERMATA_BOTH FERMATA_PAIR __hfma2_relu(FERMATA_PAIR a, FERMATA_PAIR b, FERMATA_PAIR c) {
  const FERMATA_PAIR r = fermata_cuda::fused(a, b, c);
  return {fermata_cuda::rectified(r.x), fermata_cuda::rectified(r.y)};
}
/// Returns the quotient in float, rounded again, which equals the exact quotient rounded once.
FERMATA_BOTH FERMATA_NUMBER __hdiv(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return FERMATA_NUMBER(static_cast<float>(a) / static_cast<float>(b));
}
FERMATA_BOTH FERMATA_PAIR __h2div(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)};
}
FERMATA_BOTH FERMATA_NUMBER __hneg(FERMATA_NUMBER a) { return fermata_cuda::negated(a); }
FERMATA_BOTH FERMATA_PAIR __hneg2(FERMATA_PAIR a) { return {__hneg(a.x), __hneg(a.y)}; }
FERMATA_BOTH FERMATA_NUMBER __habs(FERMATA_NUMBER a) { return fermata_cuda::magnitudeOf(a); }
FERMATA_BOTH FERMATA_PAIR __habs2(FERMATA_PAIR a) { return {__habs(a.x), __habs(a.y)}; }

// Comparisons: false if an operand is a NaN; those with u true. Pairs give ones and zeros, or one
// result for both halves (b).
#define FERMATA_SMALL_COMPARISON(name, value)                                               \
  FERMATA_BOTH bool __h##name(FERMATA_NUMBER a, FERMATA_NUMBER b) {                         \
    const float x = a, y = b;                                                               \
    return value;                                                                           \
  }                                                                                         \
  FERMATA_BOTH FERMATA_PAIR __h##name##2(FERMATA_PAIR a, FERMATA_PAIR b) {                  \
    return {FERMATA_NUMBER(__h##name(a.x, b.x) ? 1.0f : 0.0f),                              \
            FERMATA_NUMBER(__h##name(a.y, b.y) ? 1.0f : 0.0f)};                             \
  }                                                                                         \
  FERMATA_BOTH bool __hb##name##2(FERMATA_PAIR a, FERMATA_PAIR b) {                         \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                      \
  }                                                                                         \
  FERMATA_BOTH unsigned __h##name##2_mask(FERMATA_PAIR a, FERMATA_PAIR b) {                 \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u); \
  }
FERMATA_SMALL_COMPARISON(eq, x == y)
FERMATA_SMALL_COMPARISON(equ, !(x < y || x > y))
FERMATA_SMALL_COMPARISON(ne, x<y || x> y)
FERMATA_SMALL_COMPARISON(neu, x != y)
FERMATA_SMALL_COMPARISON(le, x <= y)
FERMATA_SMALL_COMPARISON(leu, !(x > y))
FERMATA_SMALL_COMPARISON(ge, x >= y)
FERMATA_SMALL_COMPARISON(geu, !(x < y))
FERMATA_SMALL_COMPARISON(lt, x < y)
FERMATA_SMALL_COMPARISON(ltu, !(x >= y))
FERMATA_SMALL_COMPARISON(gt, x > y)
FERMATA_SMALL_COMPARISON(gtu, !(x <= y))
#undef FERMATA_SMALL_COMPARISON
FERMATA_BOTH bool __hisnan(FERMATA_NUMBER a) { return fermata_cuda::isNan(a); }
FERMATA_BOTH FERMATA_PAIR __hisnan2(FERMATA_PAIR a) {
  return {FERMATA_NUMBER(__hisnan(a.x) ? 1.0f : 0.0f), FERMATA_NUMBER(__hisnan(a.y) ? 1.0f : 0.0f)};
}
/// Returns 1 for infinity, -1 for minus infinity.
FERMATA_BOTH int __hisinf(FERMATA_NUMBER a) {
  return !fermata_cuda::isInfinite(a) ? 0 : (a.bits() & 0x8000) != 0 ? -1 : 1;
}

// Extremes: a NaN loses, or wins (_nan); -0 is less than 0.
FERMATA_BOTH FERMATA_NUMBER __hmin(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  if (__hisnan(a)) return __hisnan(b) ? FERMATA_NUMBER::of(0x7fff) : b;
  if (__hisnan(b)) return a;
  return __hlt(a, b) || (__heq(a, b) && (a.bits() & 0x8000) != 0) ? a : b;
}
FERMATA_BOTH FERMATA_NUMBER __hmax(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  if (__hisnan(a)) return __hisnan(b) ? FERMATA_NUMBER::of(0x7fff) : b;
  if (__hisnan(b)) return a;
  return __hgt(a, b) || (__heq(a, b) && (a.bits() & 0x8000) == 0) ? a : b;
}
#define FERMATA_SMALL_EXTREME(name)                                              \
  FERMATA_BOTH FERMATA_NUMBER name##_nan(FERMATA_NUMBER a, FERMATA_NUMBER b) {   \
    return __hisnan(a) || __hisnan(b) ? FERMATA_NUMBER::of(0x7fff) : name(a, b); \
  }                                                                              \
  FERMATA_BOTH FERMATA_PAIR name##2(FERMATA_PAIR a, FERMATA_PAIR b) {            \
    return {name(a.x, b.x), name(a.y, b.y)};                                     \
  }                                                                              \
  FERMATA_BOTH FERMATA_PAIR name##2_nan(FERMATA_PAIR a, FERMATA_PAIR b) {        \
    return {name##_nan(a.x, b.x), name##_nan(a.y, b.y)};                         \
  }
FERMATA_SMALL_EXTREME(__hmin)
FERMATA_SMALL_EXTREME(__hmax)
#undef FERMATA_SMALL_EXTREME
