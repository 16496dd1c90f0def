// Arithmetic, comparisons and operators of FERMATA_NUMBER (__half, __nv_bfloat16) and FERMATA_PAIR,
// by CUDA's names. Read once for each.

FERMATA_BOTH FERMATA_NUMBER __hadd(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return fermata_cuda::add(a, b);
}
FERMATA_BOTH FERMATA_PAIR __hadd2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return fermata_cuda::add(a, b);
}
FERMATA_BOTH FERMATA_NUMBER __hadd_rn(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return fermata_cuda::add(a, b);
}
FERMATA_BOTH FERMATA_PAIR __hadd2_rn(FERMATA_PAIR a, FERMATA_PAIR b) {
  return fermata_cuda::add(a, b);
}
FERMATA_BOTH FERMATA_NUMBER __hadd_sat(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return fermata_cuda::addSaturated(a, b);
}
FERMATA_BOTH FERMATA_PAIR __hadd2_sat(FERMATA_PAIR a, FERMATA_PAIR b) {
  return fermata_cuda::addSaturated(a, b);
}
FERMATA_BOTH FERMATA_NUMBER __hsub(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return fermata_cuda::sub(a, b);
}
FERMATA_BOTH FERMATA_PAIR __hsub2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return fermata_cuda::sub(a, b);
}
FERMATA_BOTH FERMATA_NUMBER __hsub_rn(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return fermata_cuda::sub(a, b);
}
FERMATA_BOTH FERMATA_PAIR __hsub2_rn(FERMATA_PAIR a, FERMATA_PAIR b) {
  return fermata_cuda::sub(a, b);
}
FERMATA_BOTH FERMATA_NUMBER __hsub_sat(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return fermata_cuda::subSaturated(a, b);
}
FERMATA_BOTH FERMATA_PAIR __hsub2_sat(FERMATA_PAIR a, FERMATA_PAIR b) {
  return fermata_cuda::subSaturated(a, b);
}
FERMATA_BOTH FERMATA_NUMBER __hmul(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return fermata_cuda::mul(a, b);
}
FERMATA_BOTH FERMATA_PAIR __hmul2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return fermata_cuda::mul(a, b);
}
FERMATA_BOTH FERMATA_NUMBER __hmul_rn(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return fermata_cuda::mul(a, b);
}
FERMATA_BOTH FERMATA_PAIR __hmul2_rn(FERMATA_PAIR a, FERMATA_PAIR b) {
  return fermata_cuda::mul(a, b);
}
FERMATA_BOTH FERMATA_NUMBER __hmul_sat(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return fermata_cuda::mulSaturated(a, b);
}
FERMATA_BOTH FERMATA_PAIR __hmul2_sat(FERMATA_PAIR a, FERMATA_PAIR b) {
  return fermata_cuda::mulSaturated(a, b);
}
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
/// A float's quotient, rounded again, is the number's own.
FERMATA_BOTH FERMATA_NUMBER __hdiv(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return FERMATA_NUMBER(static_cast<float>(a) / static_cast<float>(b));
}
FERMATA_BOTH FERMATA_PAIR __h2div(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)};
}
FERMATA_BOTH FERMATA_NUMBER __hneg(FERMATA_NUMBER a) {
  return fermata_cuda::negated(a);
}
FERMATA_BOTH FERMATA_PAIR __hneg2(FERMATA_PAIR a) {
  return {__hneg(a.x), __hneg(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER __habs(FERMATA_NUMBER a) {
  return fermata_cuda::magnitudeOf(a);
}
FERMATA_BOTH FERMATA_PAIR __habs2(FERMATA_PAIR a) {
  return {__habs(a.x), __habs(a.y)};
}

// Comparisons: false where one is a NaN; those with u true. Of pairs: ones and zeros, or of both
// (b).
FERMATA_BOTH bool __heq(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return static_cast<float>(a) == static_cast<float>(b);
}
FERMATA_BOTH bool __hequ(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return !(static_cast<float>(a) < static_cast<float>(b) ||
           static_cast<float>(a) > static_cast<float>(b));
}
FERMATA_BOTH FERMATA_PAIR __heq2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {FERMATA_NUMBER(__heq(a.x, b.x) ? 1.0f : 0.0f),
          FERMATA_NUMBER(__heq(a.y, b.y) ? 1.0f : 0.0f)};
}
FERMATA_BOTH bool __hbeq2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return __heq(a.x, b.x) && __heq(a.y, b.y);
}
FERMATA_BOTH unsigned __heq2_mask(FERMATA_PAIR a, FERMATA_PAIR b) {
  return (__heq(a.x, b.x) ? 0xffffu : 0u) | (__heq(a.y, b.y) ? 0xffff0000u : 0u);
}
FERMATA_BOTH FERMATA_PAIR __hequ2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {FERMATA_NUMBER(__hequ(a.x, b.x) ? 1.0f : 0.0f),
          FERMATA_NUMBER(__hequ(a.y, b.y) ? 1.0f : 0.0f)};
}
FERMATA_BOTH bool __hbequ2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return __hequ(a.x, b.x) && __hequ(a.y, b.y);
}
FERMATA_BOTH unsigned __hequ2_mask(FERMATA_PAIR a, FERMATA_PAIR b) {
  return (__hequ(a.x, b.x) ? 0xffffu : 0u) | (__hequ(a.y, b.y) ? 0xffff0000u : 0u);
}
FERMATA_BOTH bool __hne(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return static_cast<float>(a) < static_cast<float>(b) ||
         static_cast<float>(a) > static_cast<float>(b);
}
FERMATA_BOTH bool __hneu(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return static_cast<float>(a) != static_cast<float>(b);
}
FERMATA_BOTH FERMATA_PAIR __hne2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {FERMATA_NUMBER(__hne(a.x, b.x) ? 1.0f : 0.0f),
          FERMATA_NUMBER(__hne(a.y, b.y) ? 1.0f : 0.0f)};
}
FERMATA_BOTH bool __hbne2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return __hne(a.x, b.x) && __hne(a.y, b.y);
}
FERMATA_BOTH unsigned __hne2_mask(FERMATA_PAIR a, FERMATA_PAIR b) {
  return (__hne(a.x, b.x) ? 0xffffu : 0u) | (__hne(a.y, b.y) ? 0xffff0000u : 0u);
}
FERMATA_BOTH FERMATA_PAIR __hneu2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {FERMATA_NUMBER(__hneu(a.x, b.x) ? 1.0f : 0.0f),
          FERMATA_NUMBER(__hneu(a.y, b.y) ? 1.0f : 0.0f)};
}
FERMATA_BOTH bool __hbneu2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return __hneu(a.x, b.x) && __hneu(a.y, b.y);
}
FERMATA_BOTH unsigned __hneu2_mask(FERMATA_PAIR a, FERMATA_PAIR b) {
  return (__hneu(a.x, b.x) ? 0xffffu : 0u) | (__hneu(a.y, b.y) ? 0xffff0000u : 0u);
}
FERMATA_BOTH bool __hle(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return static_cast<float>(a) <= static_cast<float>(b);
}
FERMATA_BOTH bool __hleu(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return !(static_cast<float>(a) > static_cast<float>(b));
}
FERMATA_BOTH FERMATA_PAIR __hle2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {FERMATA_NUMBER(__hle(a.x, b.x) ? 1.0f : 0.0f),
          FERMATA_NUMBER(__hle(a.y, b.y) ? 1.0f : 0.0f)};
}
FERMATA_BOTH bool __hble2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return __hle(a.x, b.x) && __hle(a.y, b.y);
}
FERMATA_BOTH unsigned __hle2_mask(FERMATA_PAIR a, FERMATA_PAIR b) {
  return (__hle(a.x, b.x) ? 0xffffu : 0u) | (__hle(a.y, b.y) ? 0xffff0000u : 0u);
}
FERMATA_BOTH FERMATA_PAIR __hleu2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {FERMATA_NUMBER(__hleu(a.x, b.x) ? 1.0f : 0.0f),
          FERMATA_NUMBER(__hleu(a.y, b.y) ? 1.0f : 0.0f)};
}
FERMATA_BOTH bool __hbleu2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return __hleu(a.x, b.x) && __hleu(a.y, b.y);
}
FERMATA_BOTH unsigned __hleu2_mask(FERMATA_PAIR a, FERMATA_PAIR b) {
  return (__hleu(a.x, b.x) ? 0xffffu : 0u) | (__hleu(a.y, b.y) ? 0xffff0000u : 0u);
}
FERMATA_BOTH bool __hge(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return static_cast<float>(a) >= static_cast<float>(b);
}
FERMATA_BOTH bool __hgeu(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return !(static_cast<float>(a) < static_cast<float>(b));
}
FERMATA_BOTH FERMATA_PAIR __hge2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {FERMATA_NUMBER(__hge(a.x, b.x) ? 1.0f : 0.0f),
          FERMATA_NUMBER(__hge(a.y, b.y) ? 1.0f : 0.0f)};
}
FERMATA_BOTH bool __hbge2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return __hge(a.x, b.x) && __hge(a.y, b.y);
}
FERMATA_BOTH unsigned __hge2_mask(FERMATA_PAIR a, FERMATA_PAIR b) {
  return (__hge(a.x, b.x) ? 0xffffu : 0u) | (__hge(a.y, b.y) ? 0xffff0000u : 0u);
}
FERMATA_BOTH FERMATA_PAIR __hgeu2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {FERMATA_NUMBER(__hgeu(a.x, b.x) ? 1.0f : 0.0f),
          FERMATA_NUMBER(__hgeu(a.y, b.y) ? 1.0f : 0.0f)};
}
FERMATA_BOTH bool __hbgeu2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return __hgeu(a.x, b.x) && __hgeu(a.y, b.y);
}
FERMATA_BOTH unsigned __hgeu2_mask(FERMATA_PAIR a, FERMATA_PAIR b) {
  return (__hgeu(a.x, b.x) ? 0xffffu : 0u) | (__hgeu(a.y, b.y) ? 0xffff0000u : 0u);
}
FERMATA_BOTH bool __hlt(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return static_cast<float>(a) < static_cast<float>(b);
}
FERMATA_BOTH bool __hltu(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return !(static_cast<float>(a) >= static_cast<float>(b));
}
FERMATA_BOTH FERMATA_PAIR __hlt2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {FERMATA_NUMBER(__hlt(a.x, b.x) ? 1.0f : 0.0f),
          FERMATA_NUMBER(__hlt(a.y, b.y) ? 1.0f : 0.0f)};
}
FERMATA_BOTH bool __hblt2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return __hlt(a.x, b.x) && __hlt(a.y, b.y);
}
FERMATA_BOTH unsigned __hlt2_mask(FERMATA_PAIR a, FERMATA_PAIR b) {
  return (__hlt(a.x, b.x) ? 0xffffu : 0u) | (__hlt(a.y, b.y) ? 0xffff0000u : 0u);
}
FERMATA_BOTH FERMATA_PAIR __hltu2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {FERMATA_NUMBER(__hltu(a.x, b.x) ? 1.0f : 0.0f),
          FERMATA_NUMBER(__hltu(a.y, b.y) ? 1.0f : 0.0f)};
}
FERMATA_BOTH bool __hbltu2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return __hltu(a.x, b.x) && __hltu(a.y, b.y);
}
FERMATA_BOTH unsigned __hltu2_mask(FERMATA_PAIR a, FERMATA_PAIR b) {
  return (__hltu(a.x, b.x) ? 0xffffu : 0u) | (__hltu(a.y, b.y) ? 0xffff0000u : 0u);
}
FERMATA_BOTH bool __hgt(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return static_cast<float>(a) > static_cast<float>(b);
}
FERMATA_BOTH bool __hgtu(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return !(static_cast<float>(a) <= static_cast<float>(b));
}
FERMATA_BOTH FERMATA_PAIR __hgt2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {FERMATA_NUMBER(__hgt(a.x, b.x) ? 1.0f : 0.0f),
          FERMATA_NUMBER(__hgt(a.y, b.y) ? 1.0f : 0.0f)};
}
FERMATA_BOTH bool __hbgt2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return __hgt(a.x, b.x) && __hgt(a.y, b.y);
}
FERMATA_BOTH unsigned __hgt2_mask(FERMATA_PAIR a, FERMATA_PAIR b) {
  return (__hgt(a.x, b.x) ? 0xffffu : 0u) | (__hgt(a.y, b.y) ? 0xffff0000u : 0u);
}
FERMATA_BOTH FERMATA_PAIR __hgtu2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {FERMATA_NUMBER(__hgtu(a.x, b.x) ? 1.0f : 0.0f),
          FERMATA_NUMBER(__hgtu(a.y, b.y) ? 1.0f : 0.0f)};
}
FERMATA_BOTH bool __hbgtu2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return __hgtu(a.x, b.x) && __hgtu(a.y, b.y);
}
FERMATA_BOTH unsigned __hgtu2_mask(FERMATA_PAIR a, FERMATA_PAIR b) {
  return (__hgtu(a.x, b.x) ? 0xffffu : 0u) | (__hgtu(a.y, b.y) ? 0xffff0000u : 0u);
}
FERMATA_BOTH bool __hisnan(FERMATA_NUMBER a) {
  return fermata_cuda::isNan(a);
}
FERMATA_BOTH FERMATA_PAIR __hisnan2(FERMATA_PAIR a) {
  return {FERMATA_NUMBER(__hisnan(a.x) ? 1.0f : 0.0f), FERMATA_NUMBER(__hisnan(a.y) ? 1.0f : 0.0f)};
}
/// 1, of minus infinity -1.
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
FERMATA_BOTH FERMATA_NUMBER __hmin_nan(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return __hisnan(a) || __hisnan(b) ? FERMATA_NUMBER::of(0x7fff) : __hmin(a, b);
}
FERMATA_BOTH FERMATA_PAIR __hmin2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}
FERMATA_BOTH FERMATA_PAIR __hmin2_nan(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)};
}
FERMATA_BOTH FERMATA_NUMBER __hmax_nan(FERMATA_NUMBER a, FERMATA_NUMBER b) {
  return __hisnan(a) || __hisnan(b) ? FERMATA_NUMBER::of(0x7fff) : __hmax(a, b);
}
FERMATA_BOTH FERMATA_PAIR __hmax2(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
FERMATA_BOTH FERMATA_PAIR __hmax2_nan(FERMATA_PAIR a, FERMATA_PAIR b) {
  return {__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)};
}
