// Functions of FERMATA_NUMBER and FERMATA_PAIR, by CUDA's names: a float's, rounded; and what lanes
// and memory do with them. Read once for each type.

FERMATA_BOTH FERMATA_NUMBER htrunc(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(__builtin_truncf(static_cast<float>(a)));
}
FERMATA_BOTH FERMATA_PAIR h2trunc(FERMATA_PAIR a) {
  return {htrunc(a.x), htrunc(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER hceil(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(__builtin_ceilf(static_cast<float>(a)));
}
FERMATA_BOTH FERMATA_PAIR h2ceil(FERMATA_PAIR a) {
  return {hceil(a.x), hceil(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER hfloor(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(__builtin_floorf(static_cast<float>(a)));
}
FERMATA_BOTH FERMATA_PAIR h2floor(FERMATA_PAIR a) {
  return {hfloor(a.x), hfloor(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER hrint(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(__builtin_rintf(static_cast<float>(a)));
}
FERMATA_BOTH FERMATA_PAIR h2rint(FERMATA_PAIR a) {
  return {hrint(a.x), hrint(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER hsqrt(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(fermata_math::root(static_cast<float>(a)));
}
FERMATA_BOTH FERMATA_PAIR h2sqrt(FERMATA_PAIR a) {
  return {hsqrt(a.x), hsqrt(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER hexp(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(fermata_math::exp(static_cast<float>(a)));
}
FERMATA_BOTH FERMATA_PAIR h2exp(FERMATA_PAIR a) {
  return {hexp(a.x), hexp(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER hexp2(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(fermata_math::exp2(static_cast<float>(a)));
}
FERMATA_BOTH FERMATA_PAIR h2exp2(FERMATA_PAIR a) {
  return {hexp2(a.x), hexp2(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER hexp10(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(fermata_math::exp10(static_cast<float>(a)));
}
FERMATA_BOTH FERMATA_PAIR h2exp10(FERMATA_PAIR a) {
  return {hexp10(a.x), hexp10(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER hlog(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(fermata_math::log(static_cast<float>(a)));
}
FERMATA_BOTH FERMATA_PAIR h2log(FERMATA_PAIR a) {
  return {hlog(a.x), hlog(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER hlog2(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(fermata_math::log2(static_cast<float>(a)));
}
FERMATA_BOTH FERMATA_PAIR h2log2(FERMATA_PAIR a) {
  return {hlog2(a.x), hlog2(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER hlog10(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(fermata_math::log10(static_cast<float>(a)));
}
FERMATA_BOTH FERMATA_PAIR h2log10(FERMATA_PAIR a) {
  return {hlog10(a.x), hlog10(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER hsin(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(fermata_math::sin(static_cast<float>(a)));
}
FERMATA_BOTH FERMATA_PAIR h2sin(FERMATA_PAIR a) {
  return {hsin(a.x), hsin(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER hcos(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(fermata_math::cos(static_cast<float>(a)));
}
FERMATA_BOTH FERMATA_PAIR h2cos(FERMATA_PAIR a) {
  return {hcos(a.x), hcos(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER htanh(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(fermata_math::tanh(static_cast<float>(a)));
}
FERMATA_BOTH FERMATA_PAIR h2tanh(FERMATA_PAIR a) {
  return {htanh(a.x), htanh(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER hrcp(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(1.0f / static_cast<float>(a));
}
FERMATA_BOTH FERMATA_PAIR h2rcp(FERMATA_PAIR a) {
  return {hrcp(a.x), hrcp(a.y)};
}
FERMATA_BOTH FERMATA_NUMBER hrsqrt(FERMATA_NUMBER a) {
  return FERMATA_NUMBER(fermata_math::rsqrt(static_cast<double>(static_cast<float>(a))));
}
FERMATA_BOTH FERMATA_PAIR h2rsqrt(FERMATA_PAIR a) {
  return {hrsqrt(a.x), hrsqrt(a.y)};
}

// Shuffles.
FERMATA_DEVICE FERMATA_NUMBER __shfl_sync(unsigned mask, FERMATA_NUMBER a, int lane,
                                          int width = warpSize) {
  return FERMATA_NUMBER::of(
      static_cast<unsigned short>(__shfl_sync(mask, static_cast<int>(a.bits()), lane, width)));
}
FERMATA_DEVICE FERMATA_PAIR __shfl_sync(unsigned mask, FERMATA_PAIR a, int lane,
                                        int width = warpSize) {
  return fermata_cuda::pairOf(FERMATA_NUMBER(),
                              __shfl_sync(mask, fermata_cuda::pairBits(a), lane, width));
}
FERMATA_DEVICE FERMATA_NUMBER __shfl_up_sync(unsigned mask, FERMATA_NUMBER a, unsigned lane,
                                             int width = warpSize) {
  return FERMATA_NUMBER::of(
      static_cast<unsigned short>(__shfl_up_sync(mask, static_cast<int>(a.bits()), lane, width)));
}
FERMATA_DEVICE FERMATA_PAIR __shfl_up_sync(unsigned mask, FERMATA_PAIR a, unsigned lane,
                                           int width = warpSize) {
  return fermata_cuda::pairOf(FERMATA_NUMBER(),
                              __shfl_up_sync(mask, fermata_cuda::pairBits(a), lane, width));
}
FERMATA_DEVICE FERMATA_NUMBER __shfl_down_sync(unsigned mask, FERMATA_NUMBER a, unsigned lane,
                                               int width = warpSize) {
  return FERMATA_NUMBER::of(
      static_cast<unsigned short>(__shfl_down_sync(mask, static_cast<int>(a.bits()), lane, width)));
}
FERMATA_DEVICE FERMATA_PAIR __shfl_down_sync(unsigned mask, FERMATA_PAIR a, unsigned lane,
                                             int width = warpSize) {
  return fermata_cuda::pairOf(FERMATA_NUMBER(),
                              __shfl_down_sync(mask, fermata_cuda::pairBits(a), lane, width));
}
FERMATA_DEVICE FERMATA_NUMBER __shfl_xor_sync(unsigned mask, FERMATA_NUMBER a, int lane,
                                              int width = warpSize) {
  return FERMATA_NUMBER::of(
      static_cast<unsigned short>(__shfl_xor_sync(mask, static_cast<int>(a.bits()), lane, width)));
}
FERMATA_DEVICE FERMATA_PAIR __shfl_xor_sync(unsigned mask, FERMATA_PAIR a, int lane,
                                            int width = warpSize) {
  return fermata_cuda::pairOf(FERMATA_NUMBER(),
                              __shfl_xor_sync(mask, fermata_cuda::pairBits(a), lane, width));
}

// Loads and stores with hints.
FERMATA_DEVICE FERMATA_NUMBER __ldg(const FERMATA_NUMBER* address) {
  return FERMATA_NUMBER::of(__ldg(reinterpret_cast<const unsigned short*>(address)));
}
FERMATA_DEVICE FERMATA_PAIR __ldg(const FERMATA_PAIR* address) {
  return fermata_cuda::pairOf(FERMATA_NUMBER(), __ldg(reinterpret_cast<const unsigned*>(address)));
}
FERMATA_DEVICE FERMATA_NUMBER __ldcg(const FERMATA_NUMBER* address) {
  return FERMATA_NUMBER::of(__ldcg(reinterpret_cast<const unsigned short*>(address)));
}
FERMATA_DEVICE FERMATA_PAIR __ldcg(const FERMATA_PAIR* address) {
  return fermata_cuda::pairOf(FERMATA_NUMBER(), __ldcg(reinterpret_cast<const unsigned*>(address)));
}
FERMATA_DEVICE FERMATA_NUMBER __ldca(const FERMATA_NUMBER* address) {
  return FERMATA_NUMBER::of(__ldca(reinterpret_cast<const unsigned short*>(address)));
}
FERMATA_DEVICE FERMATA_PAIR __ldca(const FERMATA_PAIR* address) {
  return fermata_cuda::pairOf(FERMATA_NUMBER(), __ldca(reinterpret_cast<const unsigned*>(address)));
}
FERMATA_DEVICE FERMATA_NUMBER __ldcs(const FERMATA_NUMBER* address) {
  return FERMATA_NUMBER::of(__ldcs(reinterpret_cast<const unsigned short*>(address)));
}
FERMATA_DEVICE FERMATA_PAIR __ldcs(const FERMATA_PAIR* address) {
  return fermata_cuda::pairOf(FERMATA_NUMBER(), __ldcs(reinterpret_cast<const unsigned*>(address)));
}
FERMATA_DEVICE FERMATA_NUMBER __ldlu(const FERMATA_NUMBER* address) {
  return FERMATA_NUMBER::of(__ldlu(reinterpret_cast<const unsigned short*>(address)));
}
FERMATA_DEVICE FERMATA_PAIR __ldlu(const FERMATA_PAIR* address) {
  return fermata_cuda::pairOf(FERMATA_NUMBER(), __ldlu(reinterpret_cast<const unsigned*>(address)));
}
FERMATA_DEVICE FERMATA_NUMBER __ldcv(const FERMATA_NUMBER* address) {
  return FERMATA_NUMBER::of(__ldcv(reinterpret_cast<const unsigned short*>(address)));
}
FERMATA_DEVICE FERMATA_PAIR __ldcv(const FERMATA_PAIR* address) {
  return fermata_cuda::pairOf(FERMATA_NUMBER(), __ldcv(reinterpret_cast<const unsigned*>(address)));
}
FERMATA_DEVICE void __stwb(FERMATA_NUMBER* address, FERMATA_NUMBER a) {
  __stwb(reinterpret_cast<unsigned short*>(address), a.bits());
}
FERMATA_DEVICE void __stwb(FERMATA_PAIR* address, FERMATA_PAIR a) {
  __stwb(reinterpret_cast<unsigned*>(address), fermata_cuda::pairBits(a));
}
FERMATA_DEVICE void __stcg(FERMATA_NUMBER* address, FERMATA_NUMBER a) {
  __stcg(reinterpret_cast<unsigned short*>(address), a.bits());
}
FERMATA_DEVICE void __stcg(FERMATA_PAIR* address, FERMATA_PAIR a) {
  __stcg(reinterpret_cast<unsigned*>(address), fermata_cuda::pairBits(a));
}
FERMATA_DEVICE void __stcs(FERMATA_NUMBER* address, FERMATA_NUMBER a) {
  __stcs(reinterpret_cast<unsigned short*>(address), a.bits());
}
FERMATA_DEVICE void __stcs(FERMATA_PAIR* address, FERMATA_PAIR a) {
  __stcs(reinterpret_cast<unsigned*>(address), fermata_cuda::pairBits(a));
}
FERMATA_DEVICE void __stwt(FERMATA_NUMBER* address, FERMATA_NUMBER a) {
  __stwt(reinterpret_cast<unsigned short*>(address), a.bits());
}
FERMATA_DEVICE void __stwt(FERMATA_PAIR* address, FERMATA_PAIR a) {
  __stwt(reinterpret_cast<unsigned*>(address), fermata_cuda::pairBits(a));
}
