// Loads, stores and products of the tiles of nvcuda::wmma, over clang's builtins.
#pragma once

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}  // namespace precision
namespace experimental {
namespace precision {
struct s4;
struct u4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

}  // namespace wmma
}  // namespace nvcuda

namespace fermata_cuda {

using namespace nvcuda::wmma;

/// Stores of a fragment of T: kPacked elements in each Type. A program's pointers to a matrix point
/// to Target.
template <class T, class Store = T, int packed = 1, class Pointed = Store>
struct Stored {
  using Type = Store;
  using Target = Pointed;
  static constexpr int kPacked = packed;
};
template <class T>
struct ElementOf : Stored<T> {};
template <>
struct ElementOf<precision::tf32> : Stored<precision::tf32, float> {};
namespace small = nvcuda::wmma::experimental::precision;
template <>
struct ElementOf<small::s4> : Stored<small::s4, int, 8, void> {};
template <>
struct ElementOf<small::u4> : Stored<small::u4, unsigned, 8, void> {};
template <>
struct ElementOf<small::b1> : Stored<small::b1, unsigned, 32, void> {};

/// Returns a value as often as a fragment's word packs it.
template <class T, class Value>
FERMATA_DEVICE Value filled(Value value) {
  if constexpr (ElementOf<T>::kPacked == 8) {
    return static_cast<Value>((static_cast<unsigned>(value) & 0xf) * 0x11111111u);
  } else if constexpr (ElementOf<T>::kPacked == 32) {
    return 0u - (value & 1);
  } else {
    return value;
  }
}

template <class Layout>
inline constexpr int isColumnMajor = 0;
template <>
inline constexpr int isColumnMajor<col_major> = 1;

template <class Use>
inline constexpr int isRight = 0;
template <>
inline constexpr int isRight<matrix_b> = 1;

/// Holds kElements per lane in kWords registers; load and store take the layout: 0 by rows, 1 by
/// columns.
template <class Use, int m, int n, int k, class T>
struct Tile;
/// Multiplies tiles. kClamps: multiply can clamp.
template <int m, int n, int k, class T, class D, class C>
struct Product;

// The builtins have a name for each shape and type, which only the preprocessor can form.
#define FERMATA_TILE(USE, M, N, K, T, WORD, WORDS, LOAD)                                       \
  template <>                                                                                  \
  struct Tile<USE, M, N, K, T> {                                                               \
    using Element = ElementOf<T>::Type;                                                        \
    using Word = WORD;                                                                         \
    static constexpr int kWords = WORDS;                                                       \
    static constexpr int kElements = static_cast<int>(WORDS * sizeof(WORD) / sizeof(Element)); \
    template <int layout>                                                                      \
    FERMATA_DEVICE void load(Word* to, const Element* p, unsigned ldm) {                       \
      LOAD(to, reinterpret_cast<const Word*>(p), ldm, layout);                                 \
    }                                                                                          \
  };
#define FERMATA_SUMS(M, N, K, T, WORD, WORDS, LOAD, STORE)                               \
  template <>                                                                            \
  struct Tile<accumulator, M, N, K, T> {                                                 \
    using Element = T;                                                                   \
    using Word = WORD;                                                                   \
    static constexpr int kWords = WORDS;                                                 \
    static constexpr int kElements = static_cast<int>(WORDS * sizeof(WORD) / sizeof(T)); \
    template <int layout>                                                                \
    FERMATA_DEVICE void load(Word* to, const T* p, unsigned ldm) {                       \
      LOAD(to, reinterpret_cast<const Word*>(p), ldm, layout);                           \
    }                                                                                    \
    template <int layout>                                                                \
    FERMATA_DEVICE void store(T* p, Word* from, unsigned ldm) {                          \
      STORE(reinterpret_cast<Word*>(p), from, ldm, layout);                              \
    }                                                                                    \
  };
#define FERMATA_PRODUCT(M, N, K, T, D, C, WORD, TO, FROM, CLAMPS, MULTIPLY)            \
  template <>                                                                          \
  struct Product<M, N, K, T, D, C> {                                                   \
    static constexpr int kClamps = CLAMPS;                                             \
    template <int layouts, int clamps>                                                 \
    FERMATA_DEVICE void multiply(TO* d, const WORD* a, const WORD* b, const FROM* c) { \
      MULTIPLY(d, a, b, c, layouts, clamps);                                           \
    }                                                                                  \
  };

#define FERMATA_SHAPE(M, N, A, B, SHAPE)                                                           \
  FERMATA_TILE(matrix_a, M, N, 16, __half, int, 8, __hmma_##SHAPE##_ld_a)                          \
  FERMATA_TILE(matrix_b, M, N, 16, __half, int, 8, __hmma_##SHAPE##_ld_b)                          \
  FERMATA_SUMS(M, N, 16, __half, int, 4, __hmma_##SHAPE##_ld_c_f16, __hmma_##SHAPE##_st_c_f16)     \
  FERMATA_SUMS(M, N, 16, float, float, 8, __hmma_##SHAPE##_ld_c_f32, __hmma_##SHAPE##_st_c_f32)    \
  FERMATA_PRODUCT(M, N, 16, __half, float, float, int, float, float, 0,                            \
                  __hmma_##SHAPE##_mma_f32f32)                                                     \
  FERMATA_PRODUCT(M, N, 16, __half, float, __half, int, float, int, 0,                             \
                  __hmma_##SHAPE##_mma_f32f16)                                                     \
  FERMATA_PRODUCT(M, N, 16, __half, __half, float, int, int, float, 0,                             \
                  __hmma_##SHAPE##_mma_f16f32)                                                     \
  FERMATA_PRODUCT(M, N, 16, __half, __half, __half, int, int, int, 0, __hmma_##SHAPE##_mma_f16f16) \
  FERMATA_TILE(matrix_a, M, N, 16, __nv_bfloat16, int, 2 * A, __mma_bf16_##SHAPE##_ld_a)           \
  FERMATA_TILE(matrix_b, M, N, 16, __nv_bfloat16, int, 2 * B, __mma_bf16_##SHAPE##_ld_b)           \
  FERMATA_PRODUCT(M, N, 16, __nv_bfloat16, float, float, int, float, float, 0,                     \
                  __mma_bf16_##SHAPE##_mma_f32)                                                    \
  FERMATA_TILE(matrix_a, M, N, 16, signed char, int, A, __imma_##SHAPE##_ld_a_s8)                  \
  FERMATA_TILE(matrix_b, M, N, 16, signed char, int, B, __imma_##SHAPE##_ld_b_s8)                  \
  FERMATA_TILE(matrix_a, M, N, 16, unsigned char, int, A, __imma_##SHAPE##_ld_a_u8)                \
  FERMATA_TILE(matrix_b, M, N, 16, unsigned char, int, B, __imma_##SHAPE##_ld_b_u8)                \
  FERMATA_SUMS(M, N, 16, int, int, 8, __imma_##SHAPE##_ld_c, __imma_##SHAPE##_st_c_i32)            \
  FERMATA_PRODUCT(M, N, 16, signed char, int, int, int, int, int, 1, __imma_##SHAPE##_mma_s8)      \
  FERMATA_PRODUCT(M, N, 16, unsigned char, int, int, int, int, int, 1, __imma_##SHAPE##_mma_u8)

FERMATA_SHAPE(16, 16, 2, 2, m16n16k16)
FERMATA_SHAPE(32, 8, 4, 1, m32n8k16)
FERMATA_SHAPE(8, 32, 1, 4, m8n32k16)

FERMATA_TILE(matrix_a, 16, 16, 8, precision::tf32, int, 4, __mma_tf32_m16n16k8_ld_a)
FERMATA_TILE(matrix_b, 16, 16, 8, precision::tf32, int, 4, __mma_tf32_m16n16k8_ld_b)
FERMATA_SUMS(16, 16, 8, float, float, 8, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
FERMATA_PRODUCT(16, 16, 8, precision::tf32, float, float, int, float, float, 0,
                __mma_tf32_m16n16k8_mma_f32)

FERMATA_TILE(matrix_a, 8, 8, 4, double, double, 1, __dmma_m8n8k4_ld_a)
FERMATA_TILE(matrix_b, 8, 8, 4, double, double, 1, __dmma_m8n8k4_ld_b)
FERMATA_SUMS(8, 8, 4, double, double, 2, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
FERMATA_PRODUCT(8, 8, 4, double, double, double, double, double, double, 0, __dmma_m8n8k4_mma_f64)

#define FERMATA_PACKED(K, T, SHAPE, TYPE)                         \
  FERMATA_TILE(matrix_a, 8, 8, K, T, int, 1, SHAPE##_ld_a_##TYPE) \
  FERMATA_TILE(matrix_b, 8, 8, K, T, int, 1, SHAPE##_ld_b_##TYPE)
FERMATA_PACKED(32, small::s4, __imma_m8n8k32, s4)
FERMATA_PACKED(32, small::u4, __imma_m8n8k32, u4)
FERMATA_SUMS(8, 8, 32, int, int, 2, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
FERMATA_PRODUCT(8, 8, 32, small::s4, int, int, int, int, int, 1, __imma_m8n8k32_mma_s4)
FERMATA_PRODUCT(8, 8, 32, small::u4, int, int, int, int, int, 1, __imma_m8n8k32_mma_u4)
FERMATA_PACKED(128, small::b1, __bmma_m8n8k128, b1)
FERMATA_SUMS(8, 8, 128, int, int, 2, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)

/// Multiplies bits: counts the ones of a xor b, or of a and b. A template, as not every target has
/// the instructions.
template <int layouts>
FERMATA_DEVICE void multiplyBits(int* d, const int* a, const int* b, const int* c,
                                 [[maybe_unused]] bool conjoins) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if (conjoins) {
    asm("wmma.mma.and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%0, %1}, {%2}, {%3}, "
        "{%4, %5};"
        : "=r"(d[0]), "=r"(d[1])
        : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
    return;
  }
#endif
  __bmma_m8n8k128_mma_xor_popc_b1(d, a, b, c, layouts);
}

#undef FERMATA_PACKED
#undef FERMATA_SHAPE
#undef FERMATA_PRODUCT
#undef FERMATA_SUMS
#undef FERMATA_TILE

}  // namespace fermata_cuda
