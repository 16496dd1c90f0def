// FERMATA_NUMBER, a number of 16 bits, and FERMATA_PAIR, two of them. FERMATA_BITS rounds a float
// or a double to the number; FERMATA_FLOAT converts back. FERMATA_OTHER is the other such number.
// Included once for each type.

struct FERMATA_OTHER;

struct FERMATA_RAW {
  unsigned short x;
};
struct __align__(4) FERMATA_PAIR_RAW {
  unsigned short x;
  unsigned short y;
};

struct __align__(2) FERMATA_NUMBER {
  FERMATA_NUMBER() = default;
  __host__ __device__ FERMATA_NUMBER(const FERMATA_RAW& raw) : __x(raw.x) {}
  __host__ __device__ explicit FERMATA_NUMBER(const FERMATA_OTHER& a);  // small_mixed.h
  __host__ __device__ FERMATA_NUMBER(float a) : __x(fermata_cuda::FERMATA_BITS(a)) {}
  __host__ __device__ FERMATA_NUMBER(double a)
      : __x(fermata_cuda::FERMATA_BITS(a, fermata_cuda::Rounding::Nearest)) {}
  __host__ __device__ FERMATA_NUMBER(short a) : FERMATA_NUMBER(static_cast<double>(a)) {}
  __host__ __device__ FERMATA_NUMBER(unsigned short a) : FERMATA_NUMBER(static_cast<double>(a)) {}
  __host__ __device__ FERMATA_NUMBER(int a) : FERMATA_NUMBER(static_cast<double>(a)) {}
  __host__ __device__ FERMATA_NUMBER(unsigned int a) : FERMATA_NUMBER(static_cast<double>(a)) {}
  __host__ __device__ FERMATA_NUMBER(long a) : FERMATA_NUMBER(fermata_cuda::wholeToOdd(a)) {}
  __host__ __device__ FERMATA_NUMBER(long long a) : FERMATA_NUMBER(fermata_cuda::wholeToOdd(a)) {}
  __host__ __device__ FERMATA_NUMBER(unsigned long a)
      : FERMATA_NUMBER(fermata_cuda::wholeToOdd(a)) {}
  __host__ __device__ FERMATA_NUMBER(unsigned long long a)
      : FERMATA_NUMBER(fermata_cuda::wholeToOdd(a)) {}
  __host__ __device__ operator FERMATA_RAW() const { return {__x}; }
  __host__ __device__ operator FERMATA_RAW() const volatile { return {__x}; }
  __host__ __device__ operator float() const { return fermata_cuda::FERMATA_FLOAT(__x); }
  __host__ __device__ operator bool() const { return (__x & 0x7fff) != 0; }
  __host__ __device__ operator short() const;
  __host__ __device__ operator unsigned short() const;
  __host__ __device__ operator int() const;
  __host__ __device__ operator unsigned int() const;
  __host__ __device__ operator long long() const;
  __host__ __device__ operator unsigned long long() const;
  __host__ __device__ FERMATA_NUMBER& operator=(const FERMATA_RAW& raw) {
    __x = raw.x;
    return *this;
  }
#define FERMATA_ASSIGN(T) \
  __host__ __device__ FERMATA_NUMBER& operator=(T a) { return *this = FERMATA_NUMBER(a); }
  FERMATA_ASSIGN(float)
  FERMATA_ASSIGN(double)
  FERMATA_ASSIGN(short)
  FERMATA_ASSIGN(unsigned short)
  FERMATA_ASSIGN(int)
  FERMATA_ASSIGN(unsigned int)
  FERMATA_ASSIGN(long long)
  FERMATA_ASSIGN(unsigned long long)
#undef FERMATA_ASSIGN

  /// Returns the number with these 16 bits.
  __host__ __device__ static FERMATA_NUMBER of(unsigned short bits) {
    FERMATA_NUMBER a;
    a.__x = bits;
    return a;
  }
  __host__ __device__ unsigned short bits() const { return __x; }

 protected:
  unsigned short __x;  ///< CUDA's name, by which libcu++ reads it in a derived class
};

struct __align__(4) FERMATA_PAIR {
  FERMATA_NUMBER x;
  FERMATA_NUMBER y;

  FERMATA_PAIR() = default;
  __host__ __device__ FERMATA_PAIR(const FERMATA_NUMBER& low, const FERMATA_NUMBER& high)
      : x(low), y(high) {}
  __host__ __device__ FERMATA_PAIR(const FERMATA_PAIR_RAW& raw)
      : x(FERMATA_NUMBER::of(raw.x)), y(FERMATA_NUMBER::of(raw.y)) {}
  __host__ __device__ operator FERMATA_PAIR_RAW() const { return {x.bits(), y.bits()}; }
};

namespace fermata_cuda {

FERMATA_BOTH unsigned pairBits(FERMATA_PAIR a) {
  return a.x.bits() | static_cast<unsigned>(a.y.bits()) << 16;
}
FERMATA_BOTH FERMATA_PAIR pairOf(FERMATA_NUMBER, unsigned bits) {
  return {FERMATA_NUMBER::of(static_cast<unsigned short>(bits)),
          FERMATA_NUMBER::of(static_cast<unsigned short>(bits >> 16))};
}
FERMATA_BOTH FERMATA_NUMBER negated(FERMATA_NUMBER a) {
  return FERMATA_NUMBER::of(a.bits() ^ 0x8000);
}
FERMATA_BOTH FERMATA_NUMBER magnitudeOf(FERMATA_NUMBER a) {
  return FERMATA_NUMBER::of(a.bits() & 0x7fff);
}
FERMATA_BOTH bool isNan(FERMATA_NUMBER a) { return (a.bits() & 0x7fff) > FERMATA_INFINITY; }
FERMATA_BOTH bool isInfinite(FERMATA_NUMBER a) { return (a.bits() & 0x7fff) == FERMATA_INFINITY; }
/// Returns the number clamped to 0 .. 1; a NaN becomes 0.
FERMATA_BOTH FERMATA_NUMBER saturated(FERMATA_NUMBER a) {
  const float x = a;
  return x >= 1.0f ? FERMATA_NUMBER(1.0f) : x > 0.0f ? a : FERMATA_NUMBER(0.0f);
}
FERMATA_BOTH FERMATA_NUMBER rectified(FERMATA_NUMBER a) {
  return static_cast<float>(a) < 0.0f ? FERMATA_NUMBER(0.0f) : a;
}

}  // namespace fermata_cuda
