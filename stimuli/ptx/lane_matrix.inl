// Products of matrices. lane_matrix_group.inl includes this file for each instruction set.
//
// A register of a warp is read as its 32 words, one after another: lanes 4g to 4g + 3 hold row g,
// each some of its elements (PTX ISA, "Matrix Fragments for mma"). Fragments become small dense
// matrices, which are multiplied eight columns at once.

namespace fermata::ptx::FERMATA_LANES {
namespace {

inline constexpr unsigned kColumns = 8;  // columns of b, c and d
inline constexpr unsigned kGroups = 8;   // groups of four lanes

/// Number format of factors in which their products are exact.
template <Factor F>
using RealOf = std::conditional_t<F == Factor::Byte || F == Factor::Nibble, float, double>;

template <class Real>
struct VectorOf;
template <>
struct VectorOf<double> {
  using Type = double __attribute__((vector_size(32)));
};
template <>
struct VectorOf<float> {
  using Type = float __attribute__((vector_size(32)));
};

/// Adds a * b to sum. Fused rounds once, which matters to f64 alone: other products are exact.
template <bool Fused, class Real, class Vector>
inline void multiplyAdd(Real a, const Vector& b, Vector& sum) {
#if FERMATA_FUSING_LANES
  if constexpr (std::is_same_v<Real, double>) {
    sum = _mm256_fmadd_pd(_mm256_set1_pd(a), b, sum);
  } else {
    sum = _mm256_fmadd_ps(_mm256_set1_ps(a), b, sum);
  }
#else
  if constexpr (Fused) {
    for (unsigned e = 0; e < sizeof(Vector) / sizeof(Real); ++e)
      sum[e] = __builtin_fma(a, b[e], sum[e]);
  } else {
    sum += a * b;
  }
#endif
}

/// Converts f16 to f32 without a branch: scaling by 2^112, the difference of the exponents, holds
/// for subnormals, too.
inline float floatOfHalf(std::uint32_t half) {
  const std::uint32_t magnitude = (half & 0x7fffU) << 13;
  std::uint32_t bits = bitsAs<std::uint32_t>(bitsAs<float>(magnitude) * 0x1p112F);
  bits |= magnitude >= 0x0f800000U ? 0x7f800000U : 0U;
  return bitsAs<float>(bits | (half & 0x8000U) << 16);
}

/// Returns element `e` of the words of a register. flip: the sign bit of integers, 0 for unsigned
/// ones; for Float8 0 means e4m3.
template <Factor F>
inline RealOf<F> element(const std::uint8_t* words, unsigned e, [[maybe_unused]] int flip) {
  if constexpr (F == Factor::F64) {
    double value;
    __builtin_memcpy(&value, words + 8 * e, sizeof value);
    return value;
  } else if constexpr (F == Factor::Tf32) {
    std::uint32_t bits;
    __builtin_memcpy(&bits, words + 4 * e, sizeof bits);
    return static_cast<double>(bitsAs<float>(bits & 0xffffe000U));
  } else if constexpr (F == Factor::Byte) {
    return static_cast<float>((words[e] ^ flip) - flip);
  } else if constexpr (F == Factor::Float8) {
    return static_cast<double>(flip != 0 ? floatOfE5m2(words[e]) : floatOfE4m3(words[e]));
  } else if constexpr (F == Factor::Nibble) {
    return static_cast<float>(((words[e / 2] >> (e % 2 * 4) & 15) ^ flip) - flip);
  } else {
    std::uint16_t half;
    __builtin_memcpy(&half, words + 2 * e, sizeof half);
    return static_cast<double>(F == Factor::F16 ? floatOfHalf(half)
                                                : bitsAs<float>(std::uint32_t{half} << 16));
  }
}

template <Factor F>
inline int flipOf(bool isSigned) {
  return isSigned ? (F == Factor::Byte ? 0x80 : 8) : 0;
}

/// Registers of a fragment: operator[](r) returns the words of register r.
struct RowWords {
  const Warp& warp;
  const Row* rows;
  const std::uint8_t* operator[](unsigned r) const { return rowBytes(warp, rows[r]); }
};

template <Factor F, unsigned M, unsigned K, class Words>
inline void readA(const Words& registers, bool isSigned, RealOf<F> (&a)[M][K]) {
  constexpr unsigned kDepth = depthOf(F);
  for (unsigned r = 0; r < M / kGroups * (K / kDepth); ++r) {
    const std::uint8_t* words = registers[r];
    const unsigned first = r % (M / kGroups) * kGroups, column = r / (M / kGroups) * kDepth;
    for (unsigned g = 0; g < kGroups; ++g) {
      FERMATA_INDEPENDENT_LANES
      for (unsigned c = 0; c < kDepth; ++c)
        a[first + g][column + c] = element<F>(words, g * kDepth + c, flipOf<F>(isSigned));
    }
  }
}

template <Factor F, unsigned K, class Words>
inline void readB(const Words& registers, bool isSigned, RealOf<F> (&b)[K][kColumns]) {
  constexpr unsigned kDepth = depthOf(F);
  RealOf<F> column[kColumns * kDepth];
  for (unsigned r = 0; r < K / kDepth; ++r) {
    const std::uint8_t* words = registers[r];
    FERMATA_INDEPENDENT_LANES
    for (unsigned e = 0; e < kColumns * kDepth; ++e)
      column[e] = element<F>(words, e, flipOf<F>(isSigned));
    for (unsigned k = 0; k < kDepth; ++k) {
#pragma GCC unroll 8
      for (unsigned n = 0; n < kColumns; ++n) b[r * kDepth + k][n] = column[n * kDepth + k];
    }
  }
}

/// Adds a * b to sum in order of k. Takes four rows at once, which do not wait for one another.
template <bool Fused, class Real, unsigned M, unsigned K>
inline void multiply(const Real (&a)[M][K], const Real (&b)[K][kColumns],
                     Real (&sum)[M][kColumns]) {
  using Vector = typename VectorOf<Real>::Type;
  constexpr unsigned kRows = 4, kLength = sizeof(Vector) / sizeof(Real);
  constexpr unsigned kVectors = kColumns / kLength;
  for (unsigned m = 0; m < M; m += kRows) {
    Vector total[kRows][kVectors];
    __builtin_memcpy(total, sum[m], sizeof total);
    for (unsigned k = 0; k < K; ++k) {
#pragma GCC unroll 2
      for (unsigned v = 0; v < kVectors; ++v) {
        Vector factor;
        __builtin_memcpy(&factor, &b[k][v * kLength], sizeof factor);
#pragma GCC unroll 4
        for (unsigned r = 0; r < kRows; ++r) multiplyAdd<Fused>(a[m + r][k], factor, total[r][v]);
      }
    }
    __builtin_memcpy(sum[m], total, sizeof total);
  }
}

/// Registers of c and d for eight rows. Each lane has two elements of a row: with f16 they are the
/// halves of one register; other types have two registers, the first with the even columns.
template <Sum S>
inline constexpr unsigned kRegistersOfEightRows = S == Sum::F16 ? 1 : 2;
template <Sum S>
using ElementOf = std::conditional_t<S == Sum::F64, double,
                                     std::conditional_t<S == Sum::S32, std::int32_t, float>>;

/// Calls act(element, word) for the elements of eight rows, one row after another.
template <class Word, class Act>
inline void eachPair(Word* even, Word* odd, Act act) {
  FERMATA_INDEPENDENT_LANES
  for (unsigned l = 0; l < kWarpLanes; ++l) {
    act(2 * l, even[l]);
    act(2 * l + 1, odd[l]);
  }
}

template <Sum S, class Real, unsigned M>
inline void readSum(const Warp& w, const Row* rows, Real (&sum)[M][kColumns]) {
  for (unsigned block = 0; block < M / kGroups; ++block) {
    Real* eight = sum[block * kGroups];
    const Row* of = rows + block * kRegistersOfEightRows<S>;
    if constexpr (S == Sum::F16) {
      const std::uint8_t* words = rowBytes(w, of[0]);
      for (unsigned e = 0; e < kGroups * kColumns; ++e)
        eight[e] = element<Factor::F16>(words, e, 0);
    } else {
      ElementOf<S> lanes[2][kWarpLanes];
      for (unsigned r = 0; r < 2; ++r)
        __builtin_memcpy(lanes[r], rowBytes(w, of[r]), sizeof lanes[r]);
      eachPair(lanes[0], lanes[1], [=](unsigned e, ElementOf<S>& lane) { eight[e] = lane; });
    }
  }
}

/// Brings a double into the range of f16FromDouble(): a sum that began with an f32 may be smaller,
/// and is zero in f16.
inline double inRange(double value) {
  const std::uint64_t bits = bitsAs<std::uint64_t>(value);
  const bool tiny = (bits & 0x7fffffffffffffffU) < bitsAs<std::uint64_t>(0x1p-126);
  return bitsAs<double>(tiny ? bits & 0x8000000000000000U : bits);
}

template <Sum S, class Real, unsigned M>
inline void writeSum(const Warp& w, const Row* rows, const Real (&sum)[M][kColumns]) {
  for (unsigned block = 0; block < M / kGroups; ++block) {
    const Real* eight = sum[block * kGroups];
    const Row* of = rows + block * kRegistersOfEightRows<S>;
    if constexpr (S == Sum::F16) {
      std::uint16_t halves[kGroups * kColumns];
      for (unsigned e = 0; e < kGroups * kColumns; ++e)
        halves[e] = static_cast<std::uint16_t>(f16FromDouble(inRange(eight[e])));
      __builtin_memcpy(rowBytes(w, of[0]), halves, sizeof halves);
    } else {
      ElementOf<S> lanes[2][kWarpLanes];
      eachPair(lanes[0], lanes[1], [=](unsigned e, ElementOf<S>& lane) {
        lane = canonical(static_cast<ElementOf<S>>(eight[e]));
      });
      for (unsigned r = 0; r < 2; ++r)
        __builtin_memcpy(rowBytes(w, of[r]), lanes[r], sizeof lanes[r]);
    }
  }
}

/// Adds c to integer sums of products, which are exact in single precision, and writes d. Results
/// wrap, or are clamped once. Registers of d may be others of c: reads all of c first.
template <unsigned M>
inline void addIntegers(const Warp& w, const Row* c, const Row* d, bool clamp,
                        const float (&sum)[M][kColumns]) {
  constexpr unsigned kRegisters = M / kGroups * 2;
  std::int32_t lanes[kRegisters][kWarpLanes];
  for (unsigned r = 0; r < kRegisters; ++r)
    __builtin_memcpy(lanes[r], rowBytes(w, c[r]), sizeof lanes[r]);
  for (unsigned block = 0; block < M / kGroups; ++block) {
    const float* eight = sum[block * kGroups];
    eachPair(lanes[2 * block], lanes[2 * block + 1], [=](unsigned e, std::int32_t& lane) {
      const auto product = static_cast<std::int32_t>(eight[e]);
      std::int32_t total = 0;
      const bool overflows = __builtin_add_overflow(lane, product, &total);
      lane = overflows && clamp ? (product < 0 ? INT32_MIN : INT32_MAX) : total;
    });
  }
  for (unsigned r = 0; r < kRegisters; ++r)
    __builtin_memcpy(rowBytes(w, d[r]), lanes[r], sizeof lanes[r]);
}

/// Computes d = a * b + c; `sum` is room for it.
template <Factor F, Sum C, Sum D, class Real, unsigned M, unsigned K>
inline void accumulate(const Warp& w, const Instruction& i, const Real (&a)[M][K],
                       const Real (&b)[K][kColumns], Real (&sum)[M][kColumns], const Row* c,
                       const Row* d) {
  if constexpr (C == Sum::S32) {
    __builtin_memset(sum, 0, sizeof sum);
    multiply<false>(a, b, sum);
    addIntegers(w, c, d, (i.product.flags & kClampSum) != 0, sum);
  } else {
    readSum<C>(w, c, sum);
    multiply<F == Factor::F64>(a, b, sum);
    writeSum<D>(w, d, sum);
  }
}

template <Factor F, Sum C, Sum D, unsigned M, unsigned K>
void product(Warp& w, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(w, i, mask)) return;
  constexpr MatrixForm kForm{F, C, D, M, K};
  const Row* rows = &w.machine->code->matrixRows[i.product.rows];
  const Row* c = rows + rowsOfA(kForm) + rowsOfB(kForm);
  const Row* d = c + rowsOfSum(kForm, C);
  alignas(64) RealOf<F> a[M][K];
  alignas(64) RealOf<F> b[K][kColumns];
  alignas(64) RealOf<F> sum[M][kColumns];
  readA<F>(RowWords{w, rows}, (i.product.flags & kSignedA) != 0, a);
  readB<F>(RowWords{w, rows + rowsOfA(kForm)}, (i.product.flags & kSignedB) != 0, b);
  accumulate<F, C, D>(w, i, a, b, sum, c, d);
}

/// Adds to c, for M rows, the bits of a row and a column that are both set, or differ, and writes
/// d. A register holds 128 bits of a row; a has `registers` of them.
template <unsigned M, class WordsOfA, class WordsOfB>
inline void countBits(const Warp& w, const Instruction& i, const WordsOfA& a, const WordsOfB& b,
                      unsigned registers, const Row* c, const Row* d) {
  constexpr unsigned kBlocks = M / kGroups, kWords = 4;  // kWords: of a row in a register
  const std::uint32_t differ = (i.product.flags & kDiffer) != 0 ? kAllLanes : 0;
  std::uint32_t sums[kBlocks][2][kWarpLanes];
  for (unsigned r = 0; r < 2 * kBlocks; ++r)
    __builtin_memcpy(sums[r / 2][r % 2], rowBytes(w, c[r]), kRowBytes);
  for (unsigned r = 0; r < registers; ++r) {
    std::uint32_t left[kWarpLanes], right[kWarpLanes];
    __builtin_memcpy(left, a[r], sizeof left);
    __builtin_memcpy(right, b[r / kBlocks], sizeof right);
    for (unsigned e = 0; e < kGroups * kColumns; ++e) {
      const unsigned row = e / kColumns, column = e % kColumns;
      std::uint32_t& sum = sums[r % kBlocks][column % 2][e / 2];
      for (unsigned k = 0; k < kWords; ++k) {
        const std::uint32_t x = left[kWords * row + k], y = right[kWords * column + k];
        sum += laneCount((x & y & ~differ) | ((x ^ y) & differ));
      }
    }
  }
  for (unsigned r = 0; r < 2 * kBlocks; ++r)
    __builtin_memcpy(rowBytes(w, d[r]), sums[r / 2][r % 2], kRowBytes);
}

template <unsigned M, unsigned K>
void productOfBits(Warp& w, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(w, i, mask)) return;
  constexpr MatrixForm kForm{Factor::Bit, Sum::S32, Sum::S32, M, K};
  const Row* a = &w.machine->code->matrixRows[i.product.rows];
  const Row* b = a + rowsOfA(kForm);
  const Row* c = b + rowsOfB(kForm);
  countBits<M>(w, i, RowWords{w, a}, RowWords{w, b}, rowsOfA(kForm), c,
               c + rowsOfSum(kForm, Sum::S32));
}

struct FormOfProduct {
  MatrixForm form;
  Handler handler;
};
template <Factor F, Sum C, Sum D, unsigned M, unsigned K>
constexpr FormOfProduct productForm() {
  if constexpr (F == Factor::Bit) return {{F, C, D, M, K}, &productOfBits<M, K>};
  if constexpr (F != Factor::Bit) return {{F, C, D, M, K}, &product<F, C, D, M, K>};
}

constexpr FormOfProduct kProducts[] = {
    productForm<Factor::F16, Sum::F32, Sum::F32, 16, 8>(),
    productForm<Factor::F16, Sum::F32, Sum::F32, 16, 16>(),
    productForm<Factor::F16, Sum::F32, Sum::F16, 16, 8>(),
    productForm<Factor::F16, Sum::F32, Sum::F16, 16, 16>(),
    productForm<Factor::F16, Sum::F16, Sum::F32, 16, 8>(),
    productForm<Factor::F16, Sum::F16, Sum::F32, 16, 16>(),
    productForm<Factor::F16, Sum::F16, Sum::F16, 16, 8>(),
    productForm<Factor::F16, Sum::F16, Sum::F16, 16, 16>(),
    productForm<Factor::Bf16, Sum::F32, Sum::F32, 16, 8>(),
    productForm<Factor::Bf16, Sum::F32, Sum::F32, 16, 16>(),
    productForm<Factor::Tf32, Sum::F32, Sum::F32, 16, 4>(),
    productForm<Factor::Tf32, Sum::F32, Sum::F32, 16, 8>(),
    productForm<Factor::F64, Sum::F64, Sum::F64, 8, 4>(),
    productForm<Factor::F64, Sum::F64, Sum::F64, 16, 4>(),
    productForm<Factor::F64, Sum::F64, Sum::F64, 16, 8>(),
    productForm<Factor::Byte, Sum::S32, Sum::S32, 8, 16>(),
    productForm<Factor::Byte, Sum::S32, Sum::S32, 16, 16>(),
    productForm<Factor::Byte, Sum::S32, Sum::S32, 16, 32>(),
    productForm<Factor::Nibble, Sum::S32, Sum::S32, 8, 32>(),
    productForm<Factor::Nibble, Sum::S32, Sum::S32, 16, 32>(),
    productForm<Factor::Nibble, Sum::S32, Sum::S32, 16, 64>(),
    productForm<Factor::Float8, Sum::F32, Sum::F32, 16, 16>(),
    productForm<Factor::Float8, Sum::F32, Sum::F32, 16, 32>(),
    productForm<Factor::Float8, Sum::F16, Sum::F16, 16, 16>(),
    productForm<Factor::Float8, Sum::F16, Sum::F16, 16, 32>(),
    productForm<Factor::Bit, Sum::S32, Sum::S32, 8, 128>(),
    productForm<Factor::Bit, Sum::S32, Sum::S32, 16, 128>(),
    productForm<Factor::Bit, Sum::S32, Sum::S32, 16, 256>(),
};
template <std::size_t Count>
Handler among(const FormOfProduct (&forms)[Count], const MatrixForm& wanted) {
  for (const auto& [form, handler] : forms) {
    if (form.factor == wanted.factor && form.sum == wanted.sum && form.result == wanted.result &&
        form.m == wanted.m && form.k == wanted.k)
      return handler;
  }
  return nullptr;
}

}  // namespace

Handler productHandler(const MatrixForm& form) {
  return among(kProducts, form);
}

}  // namespace fermata::ptx::FERMATA_LANES
