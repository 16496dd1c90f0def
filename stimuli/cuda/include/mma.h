// nvcuda::wmma: tiles of matrices that a warp multiplies together (CUDA C++ Programming Guide,
// "Warp Matrix Functions"). f16 from sm_70 on; s8, u8 from sm_72; s4, u4, b1 from sm_75;
// bf16, tf32, f64 from sm_80.
#pragma once
#define __CUDA_MMA_H__  // programs test whether it was included

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#ifdef FERMATA_CUDA_LANGUAGE
#include "parts/matrix_tiles.h"

namespace nvcuda {
namespace wmma {

/// A lane's part of a tile: `x` holds the elements of the lane. A program must not rely on which.
template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
  using Tile = fermata_cuda::Tile<Use, m, n, k, T>;

 public:
  using element_type = T;
  using storage_element_type = typename Tile::Element;
  static constexpr int num_storage_elements = Tile::kElements;
  static constexpr int num_elements = num_storage_elements * fermata_cuda::ElementOf<T>::kPacked;
  static_assert(num_elements == num_storage_elements ||
                    fermata_cuda::isColumnMajor<Layout> == fermata_cuda::isRight<Use>,
                "with elements of less than a byte, a is row_major and b col_major");
  alignas(typename Tile::Word) storage_element_type x[num_storage_elements];
};

template <int m, int n, int k, class T, class Layout>
FERMATA_DEVICE void fill_fragment(fragment<matrix_a, m, n, k, T, Layout>& a,
                                  const typename fermata_cuda::ElementOf<T>::Type& value) {
  for (auto& element : a.x) element = fermata_cuda::filled<T>(value);
}
template <int m, int n, int k, class T, class Layout>
FERMATA_DEVICE void fill_fragment(fragment<matrix_b, m, n, k, T, Layout>& b,
                                  const typename fermata_cuda::ElementOf<T>::Type& value) {
  for (auto& element : b.x) element = fermata_cuda::filled<T>(value);
}
template <int m, int n, int k, class T>
FERMATA_DEVICE void fill_fragment(fragment<accumulator, m, n, k, T>& c,
                                  const typename fermata_cuda::ElementOf<T>::Type& value) {
  for (auto& element : c.x) element = value;
}

/// Loads the tile at p, whose rows (columns, if it is column-major) begin ldm elements apart.
template <class Use, int m, int n, int k, class T, class Layout>
FERMATA_DEVICE void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& to,
                                     const typename fermata_cuda::ElementOf<T>::Target* p,
                                     unsigned ldm) {
  using Tile = fermata_cuda::Tile<Use, m, n, k, T>;
  typename Tile::Word words[Tile::kWords];
  const auto* const from = static_cast<const typename Tile::Element*>(p);
  Tile::template load<fermata_cuda::isColumnMajor<Layout>>(words, from, ldm);
  __builtin_memcpy(to.x, words, sizeof to.x);
}
template <int m, int n, int k, class T>
FERMATA_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, T>& to, const T* p,
                                     unsigned ldm, layout_t layout) {
  using Tile = fermata_cuda::Tile<accumulator, m, n, k, T>;
  typename Tile::Word words[Tile::kWords];
  if (layout == mem_row_major) {
    Tile::template load<0>(words, p, ldm);
  } else {
    Tile::template load<1>(words, p, ldm);
  }
  __builtin_memcpy(to.x, words, sizeof to.x);
}

template <int m, int n, int k, class T>
FERMATA_DEVICE void store_matrix_sync(T* p, const fragment<accumulator, m, n, k, T>& from,
                                      unsigned ldm, layout_t layout) {
  using Tile = fermata_cuda::Tile<accumulator, m, n, k, T>;
  typename Tile::Word words[Tile::kWords];
  __builtin_memcpy(words, from.x, sizeof from.x);
  if (layout == mem_row_major) {
    Tile::template store<0>(p, words, ldm);
  } else {
    Tile::template store<1>(p, words, ldm);
  }
}

/// Sets d = a * b + c; `clamp`: integers saturate.
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class D, class C>
FERMATA_DEVICE void mma_sync(fragment<accumulator, m, n, k, D>& d,
                             const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                             const fragment<matrix_b, m, n, k, T, LayoutB>& b,
                             const fragment<accumulator, m, n, k, C>& c, bool clamp = false) {
  using A = fermata_cuda::Tile<matrix_a, m, n, k, T>;
  using B = fermata_cuda::Tile<matrix_b, m, n, k, T>;
  using From = fermata_cuda::Tile<accumulator, m, n, k, C>;
  using To = fermata_cuda::Tile<accumulator, m, n, k, D>;
  constexpr int kLayouts =
      2 * fermata_cuda::isColumnMajor<LayoutA> + fermata_cuda::isColumnMajor<LayoutB>;
  typename A::Word aWords[A::kWords];
  typename B::Word bWords[B::kWords];
  typename From::Word cWords[From::kWords];
  typename To::Word dWords[To::kWords];
  __builtin_memcpy(aWords, a.x, sizeof a.x);
  __builtin_memcpy(bWords, b.x, sizeof b.x);
  __builtin_memcpy(cWords, c.x, sizeof c.x);
  using Product = fermata_cuda::Product<m, n, k, T, D, C>;
  if (clamp && Product::kClamps) {
    Product::template multiply<kLayouts, Product::kClamps>(dWords, aWords, bWords, cWords);
  } else {
    Product::template multiply<kLayouts, 0>(dWords, aWords, bWords, cWords);
  }
  __builtin_memcpy(d.x, dWords, sizeof d.x);
}

/// Sets d to c plus the ones of each row of a xor, or and, each column of b. `and` needs sm_80.
FERMATA_DEVICE void bmma_sync(
    fragment<accumulator, 8, 8, 128, int>& d,
    const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
    const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b,
    const fragment<accumulator, 8, 8, 128, int>& c,
    experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  const int left = static_cast<int>(a.x[0]), right = static_cast<int>(b.x[0]);
  const bool conjoins = operation == experimental::bmmaBitOpAND;
  fermata_cuda::multiplyBits<1>(d.x, &left, &right, c.x, conjoins);
}

/// Returns the nearest number that a tile of tf32 holds.
FERMATA_DEVICE float __float_to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __uint_as_float(bits);
}

}  // namespace wmma
}  // namespace nvcuda
#else
#error "mma.h needs a .cu file: fermata cc compiles it with the CUDA language"
#endif
