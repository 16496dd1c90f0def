// Arithmetic of FERMATA_NUMBER and FERMATA_PAIR rounded from wider numbers, for the host and for
// targets without instructions for it; FERMATA_BITS rounds. Included once for each type.

namespace fermata_cuda {

#define FERMATA_SMALL_ROUNDED(name, sign)                                    \
  FERMATA_BOTH FERMATA_NUMBER name(FERMATA_NUMBER a, FERMATA_NUMBER b) {     \
    return FERMATA_NUMBER(static_cast<float>(a) sign static_cast<float>(b)); \
  }                                                                          \
  FERMATA_BOTH FERMATA_PAIR name(FERMATA_PAIR a, FERMATA_PAIR b) {           \
    return {name(a.x, b.x), name(a.y, b.y)};                                 \
  }
FERMATA_SMALL_ROUNDED(add, +)
FERMATA_SMALL_ROUNDED(sub, -)
FERMATA_SMALL_ROUNDED(mul, *)
#undef FERMATA_SMALL_ROUNDED

FERMATA_BOTH FERMATA_NUMBER fused(FERMATA_NUMBER a, FERMATA_NUMBER b, FERMATA_NUMBER c) {
  return FERMATA_NUMBER::of(
      FERMATA_BITS(fusedToOdd(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)),
                   Rounding::Nearest));
}
FERMATA_BOTH FERMATA_PAIR fused(FERMATA_PAIR a, FERMATA_PAIR b, FERMATA_PAIR c) {
  return {fused(a.x, b.x, c.x), fused(a.y, b.y, c.y)};
}

}  // namespace fermata_cuda
