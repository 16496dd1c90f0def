// Functions of FERMATA_NUMBER and FERMATA_PAIR, by CUDA's names: functions of float with rounded
// results, and functions of lanes and memory. Included once for each type.

#ifdef FERMATA_CUDA_LANGUAGE  // as with nvcc, plain hosts have none
// Defines a function that returns `value`, an expression of the float `x`.
#define FERMATA_SMALL(name, value)                        \
  FERMATA_BOTH FERMATA_NUMBER h##name(FERMATA_NUMBER a) { \
    const float x = a;                                    \
    return FERMATA_NUMBER(value);                         \
  }                                                       \
  FERMATA_BOTH FERMATA_PAIR h2##name(FERMATA_PAIR a) { return {h##name(a.x), h##name(a.y)}; }
FERMATA_SMALL(trunc, __builtin_truncf(x))
FERMATA_SMALL(ceil, __builtin_ceilf(x))
FERMATA_SMALL(floor, __builtin_floorf(x))
FERMATA_SMALL(rint, __builtin_rintf(x))
FERMATA_SMALL(sqrt, fermata_math::root(x))
FERMATA_SMALL(exp, fermata_math::exp(x))
FERMATA_SMALL(exp2, fermata_math::exp2(x))
FERMATA_SMALL(exp10, fermata_math::exp10(x))
FERMATA_SMALL(log, fermata_math::log(x))
FERMATA_SMALL(log2, fermata_math::log2(x))
FERMATA_SMALL(log10, fermata_math::log10(x))
FERMATA_SMALL(sin, fermata_math::sin(x))
FERMATA_SMALL(cos, fermata_math::cos(x))
FERMATA_SMALL(tanh, fermata_math::tanh(x))
FERMATA_SMALL(rcp, 1.0f / x)
FERMATA_SMALL(rsqrt, fermata_math::rsqrt(static_cast<double>(x)))
#undef FERMATA_SMALL

// Shuffles.
#define FERMATA_SMALL_SHUFFLE(name, Lane)                                                  \
  FERMATA_DEVICE FERMATA_NUMBER name(unsigned mask, FERMATA_NUMBER a, Lane lane,           \
                                     int width = warpSize) {                               \
    return FERMATA_NUMBER::of(                                                             \
        static_cast<unsigned short>(name(mask, static_cast<int>(a.bits()), lane, width))); \
  }                                                                                        \
  FERMATA_DEVICE FERMATA_PAIR name(unsigned mask, FERMATA_PAIR a, Lane lane,               \
                                   int width = warpSize) {                                 \
    return fermata_cuda::pairOf(FERMATA_NUMBER(),                                          \
                                name(mask, fermata_cuda::pairBits(a), lane, width));       \
  }
FERMATA_SMALL_SHUFFLE(__shfl_sync, int)
FERMATA_SMALL_SHUFFLE(__shfl_up_sync, unsigned)
FERMATA_SMALL_SHUFFLE(__shfl_down_sync, unsigned)
FERMATA_SMALL_SHUFFLE(__shfl_xor_sync, int)
#undef FERMATA_SMALL_SHUFFLE

// Loads and stores with hints.
#define FERMATA_SMALL_LOAD(name)                                                       \
  FERMATA_DEVICE FERMATA_NUMBER name(const FERMATA_NUMBER* address) {                  \
    return FERMATA_NUMBER::of(name(reinterpret_cast<const unsigned short*>(address))); \
  }                                                                                    \
  FERMATA_DEVICE FERMATA_PAIR name(const FERMATA_PAIR* address) {                      \
    return fermata_cuda::pairOf(FERMATA_NUMBER(),                                      \
                                name(reinterpret_cast<const unsigned*>(address)));     \
  }
#define FERMATA_SMALL_STORE(name)                                          \
  FERMATA_DEVICE void name(FERMATA_NUMBER* address, FERMATA_NUMBER a) {    \
    name(reinterpret_cast<unsigned short*>(address), a.bits());            \
  }                                                                        \
  FERMATA_DEVICE void name(FERMATA_PAIR* address, FERMATA_PAIR a) {        \
    name(reinterpret_cast<unsigned*>(address), fermata_cuda::pairBits(a)); \
  }
FERMATA_SMALL_LOAD(__ldg)
FERMATA_SMALL_LOAD(__ldcg)
FERMATA_SMALL_LOAD(__ldca)
FERMATA_SMALL_LOAD(__ldcs)
FERMATA_SMALL_LOAD(__ldlu)
FERMATA_SMALL_LOAD(__ldcv)
FERMATA_SMALL_STORE(__stwb)
FERMATA_SMALL_STORE(__stcg)
FERMATA_SMALL_STORE(__stcs)
FERMATA_SMALL_STORE(__stwt)
#undef FERMATA_SMALL_LOAD
#undef FERMATA_SMALL_STORE
#endif
