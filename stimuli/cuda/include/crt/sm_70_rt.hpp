// __match_any_sync and __match_all_sync, in every type: what the compiler's header takes from here.
#pragma once

#include "../parts/device_words.h"

#define FERMATA_MATCH(Type, bits, Bits)                                           \
  FERMATA_DEVICE unsigned __match_any_sync(unsigned mask, Type value) {           \
    return __match##bits##_any_sync(mask, __builtin_bit_cast(Bits, value));       \
  }                                                                               \
  FERMATA_DEVICE unsigned __match_all_sync(unsigned mask, Type value, int* all) { \
    return __match##bits##_all_sync(mask, __builtin_bit_cast(Bits, value), all);  \
  }
FERMATA_MATCH(int, 32, unsigned)
FERMATA_MATCH(unsigned, 32, unsigned)
FERMATA_MATCH(float, 32, unsigned)
FERMATA_MATCH(long, 64, unsigned long long)
FERMATA_MATCH(unsigned long, 64, unsigned long long)
FERMATA_MATCH(long long, 64, unsigned long long)
FERMATA_MATCH(unsigned long long, 64, unsigned long long)
FERMATA_MATCH(double, 64, unsigned long long)
#undef FERMATA_MATCH
