// Arithmetic of FERMATA_NUMBER and FERMATA_PAIR saturated to 0 .. 1, for targets without
// instructions for it. Included once for each type.

namespace fermata_cuda {

#define FERMATA_SMALL_SATURATED(name)                                               \
  FERMATA_BOTH FERMATA_NUMBER name##Saturated(FERMATA_NUMBER a, FERMATA_NUMBER b) { \
    return saturated(name(a, b));                                                   \
  }                                                                                 \
  FERMATA_BOTH FERMATA_PAIR name##Saturated(FERMATA_PAIR a, FERMATA_PAIR b) {       \
    return {saturated(name(a.x, b.x)), saturated(name(a.y, b.y))};                  \
  }
FERMATA_SMALL_SATURATED(add)
FERMATA_SMALL_SATURATED(sub)
FERMATA_SMALL_SATURATED(mul)
#undef FERMATA_SMALL_SATURATED

FERMATA_BOTH FERMATA_NUMBER fusedSaturated(FERMATA_NUMBER a, FERMATA_NUMBER b, FERMATA_NUMBER c) {
  return saturated(fused(a, b, c));
}
FERMATA_BOTH FERMATA_PAIR fusedSaturated(FERMATA_PAIR a, FERMATA_PAIR b, FERMATA_PAIR c) {
  return {saturated(fused(a.x, b.x, c.x)), saturated(fused(a.y, b.y, c.y))};
}

}  // namespace fermata_cuda
