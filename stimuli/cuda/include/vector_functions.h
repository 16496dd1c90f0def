// make_TYPEn(x, y, ...): vectors from their elements, on the host and the device.
#pragma once
#define __VECTOR_FUNCTIONS_H__  // programs test whether it was included

#include "vector_types.h"

#ifdef __cplusplus
#define FERMATA_MAKE static __inline__ __host__ __device__
#else
#define FERMATA_MAKE static __inline__
#endif

FERMATA_MAKE struct char1 make_char1(signed char x) {
  struct char1 v = {x};
  return v;
}
FERMATA_MAKE struct char2 make_char2(signed char x, signed char y) {
  struct char2 v = {x, y};
  return v;
}
FERMATA_MAKE struct char3 make_char3(signed char x, signed char y, signed char z) {
  struct char3 v = {x, y, z};
  return v;
}
FERMATA_MAKE struct char4 make_char4(signed char x, signed char y, signed char z, signed char w) {
  struct char4 v = {x, y, z, w};
  return v;
}
FERMATA_MAKE struct uchar1 make_uchar1(unsigned char x) {
  struct uchar1 v = {x};
  return v;
}
FERMATA_MAKE struct uchar2 make_uchar2(unsigned char x, unsigned char y) {
  struct uchar2 v = {x, y};
  return v;
}
FERMATA_MAKE struct uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) {
  struct uchar3 v = {x, y, z};
  return v;
}
FERMATA_MAKE struct uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z,
                                       unsigned char w) {
  struct uchar4 v = {x, y, z, w};
  return v;
}
FERMATA_MAKE struct short1 make_short1(short x) {
  struct short1 v = {x};
  return v;
}
FERMATA_MAKE struct short2 make_short2(short x, short y) {
  struct short2 v = {x, y};
  return v;
}
FERMATA_MAKE struct short3 make_short3(short x, short y, short z) {
  struct short3 v = {x, y, z};
  return v;
}
FERMATA_MAKE struct short4 make_short4(short x, short y, short z, short w) {
  struct short4 v = {x, y, z, w};
  return v;
}
FERMATA_MAKE struct ushort1 make_ushort1(unsigned short x) {
  struct ushort1 v = {x};
  return v;
}
FERMATA_MAKE struct ushort2 make_ushort2(unsigned short x, unsigned short y) {
  struct ushort2 v = {x, y};
  return v;
}
FERMATA_MAKE struct ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) {
  struct ushort3 v = {x, y, z};
  return v;
}
FERMATA_MAKE struct ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z,
                                         unsigned short w) {
  struct ushort4 v = {x, y, z, w};
  return v;
}
FERMATA_MAKE struct int1 make_int1(int x) {
  struct int1 v = {x};
  return v;
}
FERMATA_MAKE struct int2 make_int2(int x, int y) {
  struct int2 v = {x, y};
  return v;
}
FERMATA_MAKE struct int3 make_int3(int x, int y, int z) {
  struct int3 v = {x, y, z};
  return v;
}
FERMATA_MAKE struct int4 make_int4(int x, int y, int z, int w) {
  struct int4 v = {x, y, z, w};
  return v;
}
FERMATA_MAKE struct uint1 make_uint1(unsigned int x) {
  struct uint1 v = {x};
  return v;
}
FERMATA_MAKE struct uint2 make_uint2(unsigned int x, unsigned int y) {
  struct uint2 v = {x, y};
  return v;
}
FERMATA_MAKE struct uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) {
  struct uint3 v = {x, y, z};
  return v;
}
FERMATA_MAKE struct uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z,
                                     unsigned int w) {
  struct uint4 v = {x, y, z, w};
  return v;
}
FERMATA_MAKE struct long1 make_long1(long int x) {
  struct long1 v = {x};
  return v;
}
FERMATA_MAKE struct long2 make_long2(long int x, long int y) {
  struct long2 v = {x, y};
  return v;
}
FERMATA_MAKE struct long3 make_long3(long int x, long int y, long int z) {
  struct long3 v = {x, y, z};
  return v;
}
FERMATA_MAKE struct long4 make_long4(long int x, long int y, long int z, long int w) {
  struct long4 v = {x, y, z, w};
  return v;
}
FERMATA_MAKE struct ulong1 make_ulong1(unsigned long int x) {
  struct ulong1 v = {x};
  return v;
}
FERMATA_MAKE struct ulong2 make_ulong2(unsigned long int x, unsigned long int y) {
  struct ulong2 v = {x, y};
  return v;
}
FERMATA_MAKE struct ulong3 make_ulong3(unsigned long int x, unsigned long int y,
                                       unsigned long int z) {
  struct ulong3 v = {x, y, z};
  return v;
}
FERMATA_MAKE struct ulong4 make_ulong4(unsigned long int x, unsigned long int y,
                                       unsigned long int z, unsigned long int w) {
  struct ulong4 v = {x, y, z, w};
  return v;
}
FERMATA_MAKE struct longlong1 make_longlong1(long long int x) {
  struct longlong1 v = {x};
  return v;
}
FERMATA_MAKE struct longlong2 make_longlong2(long long int x, long long int y) {
  struct longlong2 v = {x, y};
  return v;
}
FERMATA_MAKE struct longlong3 make_longlong3(long long int x, long long int y, long long int z) {
  struct longlong3 v = {x, y, z};
  return v;
}
FERMATA_MAKE struct longlong4 make_longlong4(long long int x, long long int y, long long int z,
                                             long long int w) {
  struct longlong4 v = {x, y, z, w};
  return v;
}
FERMATA_MAKE struct ulonglong1 make_ulonglong1(unsigned long long int x) {
  struct ulonglong1 v = {x};
  return v;
}
FERMATA_MAKE struct ulonglong2 make_ulonglong2(unsigned long long int x, unsigned long long int y) {
  struct ulonglong2 v = {x, y};
  return v;
}
FERMATA_MAKE struct ulonglong3 make_ulonglong3(unsigned long long int x, unsigned long long int y,
                                               unsigned long long int z) {
  struct ulonglong3 v = {x, y, z};
  return v;
}
FERMATA_MAKE struct ulonglong4 make_ulonglong4(unsigned long long int x, unsigned long long int y,
                                               unsigned long long int z, unsigned long long int w) {
  struct ulonglong4 v = {x, y, z, w};
  return v;
}
FERMATA_MAKE struct float1 make_float1(float x) {
  struct float1 v = {x};
  return v;
}
FERMATA_MAKE struct float2 make_float2(float x, float y) {
  struct float2 v = {x, y};
  return v;
}
FERMATA_MAKE struct float3 make_float3(float x, float y, float z) {
  struct float3 v = {x, y, z};
  return v;
}
FERMATA_MAKE struct float4 make_float4(float x, float y, float z, float w) {
  struct float4 v = {x, y, z, w};
  return v;
}
FERMATA_MAKE struct double1 make_double1(double x) {
  struct double1 v = {x};
  return v;
}
FERMATA_MAKE struct double2 make_double2(double x, double y) {
  struct double2 v = {x, y};
  return v;
}
FERMATA_MAKE struct double3 make_double3(double x, double y, double z) {
  struct double3 v = {x, y, z};
  return v;
}
FERMATA_MAKE struct double4 make_double4(double x, double y, double z, double w) {
  struct double4 v = {x, y, z, w};
  return v;
}
#undef FERMATA_MAKE
