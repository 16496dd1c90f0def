// Conversions between __half and __nv_bfloat16, once a program has included both headers.
#if !defined(FERMATA_SMALL_MIXED) && defined(FERMATA_HALF_IS_WHOLE) && \
    defined(FERMATA_BFLOAT16_IS_WHOLE)
#define FERMATA_SMALL_MIXED

__host__ __device__ inline __half::__half(const __nv_bfloat16& a) : __half(static_cast<float>(a)) {}
__host__ __device__ inline __nv_bfloat16::__nv_bfloat16(const __half& a)
    : __nv_bfloat16(static_cast<float>(a)) {}

#endif
