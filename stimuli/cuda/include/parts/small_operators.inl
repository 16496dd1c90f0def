// Operators of FERMATA_NUMBER and FERMATA_PAIR. Included once for each type.

#define FERMATA_SMALL_OPERATOR(sign, T, function)                                 \
  FERMATA_BOTH T operator sign(const T& a, const T& b) { return function(a, b); } \
  FERMATA_BOTH T& operator sign##=(T& a, const T& b) { return a = function(a, b); }
#define FERMATA_SMALL_OPERATORS(sign, function, ofPairs) \
  FERMATA_SMALL_OPERATOR(sign, FERMATA_NUMBER, function) \
  FERMATA_SMALL_OPERATOR(sign, FERMATA_PAIR, ofPairs)
#define FERMATA_SMALL_STEP(sign, T, one)                               \
  FERMATA_BOTH T& operator sign##sign(T& a) { return a = a sign one; } \
  FERMATA_BOTH T operator sign##sign(T& a, int) {                      \
    const T before = a;                                                \
    a = a sign one;                                                    \
    return before;                                                     \
  }
#define FERMATA_SMALL_SIGNS(T, negative)                       \
  FERMATA_BOTH T operator-(const T& a) { return negative(a); } \
  FERMATA_BOTH T operator+(const T& a) { return a; }
#define FERMATA_SMALL_COMPARE(sign, name)                                             \
  FERMATA_BOTH bool operator sign(const FERMATA_NUMBER& a, const FERMATA_NUMBER& b) { \
    return __h##name(a, b);                                                           \
  }                                                                                   \
  FERMATA_BOTH bool operator sign(const FERMATA_PAIR& a, const FERMATA_PAIR& b) {     \
    return __hb##name##2(a, b);                                                       \
  }

FERMATA_SMALL_OPERATORS(+, __hadd, __hadd2)
FERMATA_SMALL_OPERATORS(-, __hsub, __hsub2)
FERMATA_SMALL_OPERATORS(*, __hmul, __hmul2)
FERMATA_SMALL_OPERATORS(/, __hdiv, __h2div)
FERMATA_SMALL_SIGNS(FERMATA_NUMBER, __hneg)
FERMATA_SMALL_SIGNS(FERMATA_PAIR, __hneg2)
FERMATA_SMALL_STEP(+, FERMATA_NUMBER, FERMATA_NUMBER(1.0f))
FERMATA_SMALL_STEP(-, FERMATA_NUMBER, FERMATA_NUMBER(1.0f))
FERMATA_SMALL_STEP(+, FERMATA_PAIR, FERMATA_PAIR(FERMATA_NUMBER(1.0f), FERMATA_NUMBER(1.0f)))
FERMATA_SMALL_STEP(-, FERMATA_PAIR, FERMATA_PAIR(FERMATA_NUMBER(1.0f), FERMATA_NUMBER(1.0f)))
FERMATA_SMALL_COMPARE(==, eq)
FERMATA_SMALL_COMPARE(!=, neu)
FERMATA_SMALL_COMPARE(<, lt)
FERMATA_SMALL_COMPARE(>, gt)
FERMATA_SMALL_COMPARE(<=, le)
FERMATA_SMALL_COMPARE(>=, ge)

#undef FERMATA_SMALL_COMPARE
#undef FERMATA_SMALL_SIGNS
#undef FERMATA_SMALL_STEP
#undef FERMATA_SMALL_OPERATORS
#undef FERMATA_SMALL_OPERATOR
