// Elementary functions by the names of NVIDIA's libdevice: the rare ones. Floats use the doubles'
// functions, rounded.
#pragma once

#include "../math/bessel.h"
#include "../math/error_functions.h"
#include "../math/gamma.h"

#define FERMATA_RARE(name)                                                    \
  FERMATA_BOTH double __nv_##name(double a) { return fermata_math::name(a); } \
  FERMATA_BOTH float __nv_##name##f(float a) {                                \
    return static_cast<float>(__nv_##name(static_cast<double>(a)));           \
  }
#define FERMATA_RARE_OF_ORDER(name)                                                     \
  FERMATA_BOTH double __nv_##name(int n, double a) { return fermata_math::name(n, a); } \
  FERMATA_BOTH float __nv_##name##f(int n, float a) {                                   \
    return static_cast<float>(__nv_##name(n, static_cast<double>(a)));                  \
  }
#define FERMATA_RARE_MODIFIED(order)                                             \
  FERMATA_BOTH double __nv_cyl_bessel_i##order(double a) {                       \
    return fermata_math::besselI(order, a);                                      \
  }                                                                              \
  FERMATA_BOTH float __nv_cyl_bessel_i##order##f(float a) {                      \
    return static_cast<float>(__nv_cyl_bessel_i##order(static_cast<double>(a))); \
  }

FERMATA_RARE(erfcx)
FERMATA_RARE(erfinv)
FERMATA_RARE(erfcinv)
FERMATA_RARE(normcdf)
FERMATA_RARE(normcdfinv)
FERMATA_RARE(tgamma)
FERMATA_RARE(lgamma)
FERMATA_RARE(j0)
FERMATA_RARE(j1)
FERMATA_RARE(y0)
FERMATA_RARE(y1)
FERMATA_RARE_OF_ORDER(jn)
FERMATA_RARE_OF_ORDER(yn)
FERMATA_RARE_MODIFIED(0)
FERMATA_RARE_MODIFIED(1)

#undef FERMATA_RARE_MODIFIED
#undef FERMATA_RARE_OF_ORDER
#undef FERMATA_RARE
