// AMD's products of matrices (mfma) by the names of clang's builtins. The executor carries them out
// for the 64 lanes of a wave (stimuli/ptx/wave_products.cpp says which lane holds what).
#pragma once

namespace fermata_hip {

/// Words of a value of any type.
template <int kWords>
struct Words {
  unsigned word[kWords];
  template <class T>
  FERMATA_HIP static Words of(const T& value) {
    static_assert(sizeof(T) == sizeof(Words), "an operand of an mfma has another size");
    Words words;
    __builtin_memcpy(&words, &value, sizeof(T));
    return words;
  }
  template <class T>
  FERMATA_HIP T as() const {
    T value;
    __builtin_memcpy(&value, this, sizeof(T));
    return value;
  }
};
FERMATA_HIP int modifiers(int cbsz, int abid, int blgp) { return cbsz | abid << 8 | blgp << 16; }

template <class T>
constexpr bool kHasMatrices = kWave == 64 && sizeof(T) != 0;

}  // namespace fermata_hip

#define FERMATA_D4 "%0, %1, %2, %3"
#define FERMATA_D16 FERMATA_D4 ", %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define FERMATA_D32                                                        \
  FERMATA_D16 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, "  \
              "%27, %28, %29, %30, %31"
#define FERMATA_A1 "%[a0]"
#define FERMATA_B1 "%[b0]"
#define FERMATA_A2 "%[a0], %[a1]"
#define FERMATA_B2 "%[b0], %[b1]"
#define FERMATA_A4 "%[a0], %[a1], %[a2], %[a3]"
#define FERMATA_B4 "%[b0], %[b1], %[b2], %[b3]"
#define FERMATA_4OF(s, k) \
  "+r"(s.word[k]), "+r"(s.word[k + 1]), "+r"(s.word[k + 2]), "+r"(s.word[k + 3])
#define FERMATA_SUMS4(s) FERMATA_4OF(s, 0)
#define FERMATA_SUMS16(s) \
  FERMATA_4OF(s, 0), FERMATA_4OF(s, 4), FERMATA_4OF(s, 8), FERMATA_4OF(s, 12)
#define FERMATA_SUMS32(s)                                                            \
  FERMATA_SUMS16(s), FERMATA_4OF(s, 16), FERMATA_4OF(s, 20), FERMATA_4OF(s, 24),     \
      FERMATA_4OF(s, 28)
#define FERMATA_IN1(a, b) [a0] "r"(a.word[0]), [b0] "r"(b.word[0])
#define FERMATA_IN2(a, b) FERMATA_IN1(a, b), [a1] "r"(a.word[1]), [b1] "r"(b.word[1])
#define FERMATA_IN4(a, b)                                                              \
  FERMATA_IN2(a, b), [a2] "r"(a.word[2]), [b2] "r"(b.word[2]), [a3] "r"(a.word[3]),    \
      [b3] "r"(b.word[3])

/// Defines a builtin with `sums` words of sums and `words` words of each factor per lane.
#define FERMATA_MFMA(name, sums, words, form)                                                   \
  template <class A, class B, class C>                                                          \
  FERMATA_HIP C __builtin_amdgcn_mfma_##name(A a, B b, C c, int cbsz, int abid, int blgp) {     \
    static_assert(::fermata_hip::kHasMatrices<C>,                                               \
                  "mfma needs waves of 64 lanes; expected --offload-arch=gfx90a to gfx950");    \
    const auto x = ::fermata_hip::Words<words>::of(a);                                          \
    const auto y = ::fermata_hip::Words<words>::of(b);                                          \
    auto z = ::fermata_hip::Words<sums>::of(c);                                                 \
    asm volatile("wave64.mfma." form " {" FERMATA_D##sums "}, {" FERMATA_A##words               \
                 "}, {" FERMATA_B##words "}, %[m];"                                             \
                 : FERMATA_SUMS##sums(z)                                                        \
                 : FERMATA_IN##words(x, y), [m] "r"(::fermata_hip::modifiers(cbsz, abid, blgp))); \
    return z.template as<C>();                                                                  \
  }

// f32
FERMATA_MFMA(f32_32x32x1f32, 32, 1, "m32.k1.b2.f32.f32")
FERMATA_MFMA(f32_16x16x1f32, 16, 1, "m16.k1.b4.f32.f32")
FERMATA_MFMA(f32_4x4x1f32, 4, 1, "m4.k1.b16.f32.f32")
FERMATA_MFMA(f32_32x32x2f32, 16, 1, "m32.k2.b1.f32.f32")
FERMATA_MFMA(f32_16x16x4f32, 4, 1, "m16.k4.b1.f32.f32")
// f16
FERMATA_MFMA(f32_32x32x4f16, 32, 2, "m32.k4.b2.f16.f16")
FERMATA_MFMA(f32_16x16x4f16, 16, 2, "m16.k4.b4.f16.f16")
FERMATA_MFMA(f32_4x4x4f16, 4, 2, "m4.k4.b16.f16.f16")
FERMATA_MFMA(f32_32x32x8f16, 16, 2, "m32.k8.b1.f16.f16")
FERMATA_MFMA(f32_16x16x16f16, 4, 2, "m16.k16.b1.f16.f16")
FERMATA_MFMA(f32_16x16x32_f16, 4, 4, "m16.k32.b1.f16.f16")
FERMATA_MFMA(f32_32x32x16_f16, 16, 4, "m32.k16.b1.f16.f16")
// bf16: two of a lane, four with _1k, eight on gfx950
FERMATA_MFMA(f32_32x32x2bf16, 32, 1, "m32.k2.b2.bf16.bf16")
FERMATA_MFMA(f32_16x16x2bf16, 16, 1, "m16.k2.b4.bf16.bf16")
FERMATA_MFMA(f32_4x4x2bf16, 4, 1, "m4.k2.b16.bf16.bf16")
FERMATA_MFMA(f32_32x32x4bf16, 16, 1, "m32.k4.b1.bf16.bf16")
FERMATA_MFMA(f32_16x16x8bf16, 4, 1, "m16.k8.b1.bf16.bf16")
FERMATA_MFMA(f32_32x32x4bf16_1k, 32, 2, "m32.k4.b2.bf16.bf16")
FERMATA_MFMA(f32_16x16x4bf16_1k, 16, 2, "m16.k4.b4.bf16.bf16")
FERMATA_MFMA(f32_4x4x4bf16_1k, 4, 2, "m4.k4.b16.bf16.bf16")
FERMATA_MFMA(f32_32x32x8bf16_1k, 16, 2, "m32.k8.b1.bf16.bf16")
FERMATA_MFMA(f32_16x16x16bf16_1k, 4, 2, "m16.k16.b1.bf16.bf16")
FERMATA_MFMA(f32_16x16x32_bf16, 4, 4, "m16.k32.b1.bf16.bf16")
FERMATA_MFMA(f32_32x32x16_bf16, 16, 4, "m32.k16.b1.bf16.bf16")
// i8
FERMATA_MFMA(i32_32x32x4i8, 32, 1, "m32.k4.b2.s8.s8")
FERMATA_MFMA(i32_16x16x4i8, 16, 1, "m16.k4.b4.s8.s8")
FERMATA_MFMA(i32_4x4x4i8, 4, 1, "m4.k4.b16.s8.s8")
FERMATA_MFMA(i32_32x32x8i8, 16, 1, "m32.k8.b1.s8.s8")
FERMATA_MFMA(i32_16x16x16i8, 4, 1, "m16.k16.b1.s8.s8")
FERMATA_MFMA(i32_32x32x16_i8, 16, 2, "m32.k16.b1.s8.s8")
FERMATA_MFMA(i32_16x16x32_i8, 4, 2, "m16.k32.b1.s8.s8")
FERMATA_MFMA(i32_32x32x32_i8, 16, 4, "m32.k32.b1.s8.s8")
FERMATA_MFMA(i32_16x16x64_i8, 4, 4, "m16.k64.b1.s8.s8")
// Floats of 8 bits are AMD's own on gfx942, OCP's on gfx950.
#ifdef __gfx950__
#define FERMATA_FP8 "e4m3"
#define FERMATA_BF8 "e5m2"
#else
#define FERMATA_FP8 "e4m3fnuz"
#define FERMATA_BF8 "e5m2fnuz"
#endif
FERMATA_MFMA(f32_16x16x32_fp8_fp8, 4, 2, "m16.k32.b1." FERMATA_FP8 "." FERMATA_FP8)
FERMATA_MFMA(f32_16x16x32_fp8_bf8, 4, 2, "m16.k32.b1." FERMATA_FP8 "." FERMATA_BF8)
FERMATA_MFMA(f32_16x16x32_bf8_fp8, 4, 2, "m16.k32.b1." FERMATA_BF8 "." FERMATA_FP8)
FERMATA_MFMA(f32_16x16x32_bf8_bf8, 4, 2, "m16.k32.b1." FERMATA_BF8 "." FERMATA_BF8)
FERMATA_MFMA(f32_32x32x16_fp8_fp8, 16, 2, "m32.k16.b1." FERMATA_FP8 "." FERMATA_FP8)
FERMATA_MFMA(f32_32x32x16_fp8_bf8, 16, 2, "m32.k16.b1." FERMATA_FP8 "." FERMATA_BF8)
FERMATA_MFMA(f32_32x32x16_bf8_fp8, 16, 2, "m32.k16.b1." FERMATA_BF8 "." FERMATA_FP8)
FERMATA_MFMA(f32_32x32x16_bf8_bf8, 16, 2, "m32.k16.b1." FERMATA_BF8 "." FERMATA_BF8)

template <class C>
FERMATA_HIP C __builtin_amdgcn_mfma_f64_16x16x4f64(double a, double b, C c, int cbsz, int abid,
                                                   int blgp) {
  static_assert(::fermata_hip::kHasMatrices<C> && sizeof(C) == 4 * sizeof(double),
                "mfma of f64 needs waves of 64 lanes and four sums");
  double s[4];
  __builtin_memcpy(s, &c, sizeof s);
  asm volatile("wave64.mfma.m16.k4.b1.f64.f64 {%0, %1, %2, %3}, {%4}, {%5}, %6;"
               : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
               : "d"(a), "d"(b), "r"(::fermata_hip::modifiers(cbsz, abid, blgp)));
  __builtin_memcpy(&c, s, sizeof s);
  return c;
}
FERMATA_HIP double __builtin_amdgcn_mfma_f64_4x4x4f64(double a, double b, double c, int cbsz,
                                                      int abid, int blgp) {
  if constexpr (::fermata_hip::kWave == 64)
    asm volatile("wave64.mfma.m4.k4.b4.f64.f64 {%0}, {%1}, {%2}, %3;"
                 : "+d"(c)
                 : "d"(a), "d"(b), "r"(::fermata_hip::modifiers(cbsz, abid, blgp)));
  return c;
}
