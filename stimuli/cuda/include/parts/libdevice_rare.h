// Elementary functions by the names of NVIDIA's libdevice: the rare ones. Those of floats are the
// doubles', rounded.
#pragma once

#include "../math/bessel.h"
#include "../math/error_functions.h"
#include "../math/gamma.h"

FERMATA_BOTH double __nv_erfcx(double a) {
  return fermata_math::erfcx(a);
}
FERMATA_BOTH float __nv_erfcxf(float a) {
  return static_cast<float>(fermata_math::erfcx(static_cast<double>(a)));
}
FERMATA_BOTH double __nv_erfinv(double a) {
  return fermata_math::erfinv(a);
}
FERMATA_BOTH float __nv_erfinvf(float a) {
  return static_cast<float>(fermata_math::erfinv(static_cast<double>(a)));
}
FERMATA_BOTH double __nv_erfcinv(double a) {
  return fermata_math::erfcinv(a);
}
FERMATA_BOTH float __nv_erfcinvf(float a) {
  return static_cast<float>(fermata_math::erfcinv(static_cast<double>(a)));
}
FERMATA_BOTH double __nv_normcdf(double a) {
  return fermata_math::normcdf(a);
}
FERMATA_BOTH float __nv_normcdff(float a) {
  return static_cast<float>(fermata_math::normcdf(static_cast<double>(a)));
}
FERMATA_BOTH double __nv_normcdfinv(double a) {
  return fermata_math::normcdfinv(a);
}
FERMATA_BOTH float __nv_normcdfinvf(float a) {
  return static_cast<float>(fermata_math::normcdfinv(static_cast<double>(a)));
}
FERMATA_BOTH double __nv_tgamma(double a) {
  return fermata_math::tgamma(a);
}
FERMATA_BOTH float __nv_tgammaf(float a) {
  return static_cast<float>(fermata_math::tgamma(static_cast<double>(a)));
}
FERMATA_BOTH double __nv_lgamma(double a) {
  return fermata_math::lgamma(a);
}
FERMATA_BOTH float __nv_lgammaf(float a) {
  return static_cast<float>(fermata_math::lgamma(static_cast<double>(a)));
}
FERMATA_BOTH double __nv_j0(double a) {
  return fermata_math::j0(a);
}
FERMATA_BOTH float __nv_j0f(float a) {
  return static_cast<float>(fermata_math::j0(static_cast<double>(a)));
}
FERMATA_BOTH double __nv_j1(double a) {
  return fermata_math::j1(a);
}
FERMATA_BOTH float __nv_j1f(float a) {
  return static_cast<float>(fermata_math::j1(static_cast<double>(a)));
}
FERMATA_BOTH double __nv_y0(double a) {
  return fermata_math::y0(a);
}
FERMATA_BOTH float __nv_y0f(float a) {
  return static_cast<float>(fermata_math::y0(static_cast<double>(a)));
}
FERMATA_BOTH double __nv_y1(double a) {
  return fermata_math::y1(a);
}
FERMATA_BOTH float __nv_y1f(float a) {
  return static_cast<float>(fermata_math::y1(static_cast<double>(a)));
}
FERMATA_BOTH double __nv_jn(int n, double a) {
  return fermata_math::jn(n, a);
}
FERMATA_BOTH float __nv_jnf(int n, float a) {
  return static_cast<float>(fermata_math::jn(n, static_cast<double>(a)));
}
FERMATA_BOTH double __nv_yn(int n, double a) {
  return fermata_math::yn(n, a);
}
FERMATA_BOTH float __nv_ynf(int n, float a) {
  return static_cast<float>(fermata_math::yn(n, static_cast<double>(a)));
}
FERMATA_BOTH double __nv_cyl_bessel_i0(double a) {
  return fermata_math::besselI(0, a);
}
FERMATA_BOTH float __nv_cyl_bessel_i0f(float a) {
  return static_cast<float>(fermata_math::besselI(0, static_cast<double>(a)));
}
FERMATA_BOTH double __nv_cyl_bessel_i1(double a) {
  return fermata_math::besselI(1, a);
}
FERMATA_BOTH float __nv_cyl_bessel_i1f(float a) {
  return static_cast<float>(fermata_math::besselI(1, static_cast<double>(a)));
}
