// How a device function of these headers is declared: inlined, and counted at the line of the
// program that calls it.
#pragma once

#define FERMATA_DEVICE \
  static __attribute__((device)) __inline__ __attribute__((always_inline, nodebug, unused))
/// For long ones: the compiler decides whether to inline it.
#define FERMATA_DEVICE_LONG static __attribute__((device)) __attribute__((nodebug, unused))
