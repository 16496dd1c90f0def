#include <fermata/models/indexing/lane_kernels.h>

#include <fermata/models/vocabulary/vector_clones.h>

namespace fermata::indexing {

LinearMap::LinearMap(const gf2::Matrix& matrix) {
  const int rows = static_cast<int>(matrix.rows.size());
  for (int distance = 1 - rows; distance < 32; ++distance) {
    std::uint32_t mask = 0;  // output bits i that take input bit i + distance
    for (int i = 0; i < rows; ++i) {
      const int bit = i + distance;
      if (bit < 0 || bit > 31) continue;
      mask |= (matrix.rows[static_cast<std::size_t>(i)] >> bit & 1U) << i;
    }
    if (mask == 0) continue;
    if (distance >= 0) {
      down_.push_back({mask, static_cast<std::uint32_t>(distance)});
    } else {
      up_.push_back({mask, static_cast<std::uint32_t>(-distance)});
    }
  }
}

namespace kernels {
namespace {

// Plain loops over 32 lanes: the compiler turns them into vectors as wide as each clone allows.
// Always inlined, so that a clone for AVX2 does not call a helper compiled for SSE2.
#define FERMATA_INLINE __attribute__((always_inline)) inline

FERMATA_INLINE void clamp(const Lanes& word, std::uint32_t last, Lanes& out) {
  for (unsigned i = 0; i < kWarpLanes; ++i) out[i] = word[i] < last ? word[i] : last;
}

/// XORs `Count` terms into `sum` in one loop, to load and store the sum less often.
template <unsigned Count, bool Up>
FERMATA_INLINE void addTerms(const LinearMap::Term* term, const std::uint32_t* __restrict x,
                             std::uint32_t* __restrict sum) {
  LinearMap::Term t[Count];
  for (unsigned k = 0; k < Count; ++k) t[k] = term[k];
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    std::uint32_t value = sum[i];
    for (unsigned k = 0; k < Count; ++k)
      value ^= (Up ? x[i] << t[k].shift : x[i] >> t[k].shift) & t[k].mask;
    sum[i] = value;
  }
}

template <bool Up>
FERMATA_INLINE void addAll(const std::vector<LinearMap::Term>& terms, const Lanes& x, Lanes& sum) {
  const LinearMap::Term* term = terms.data();
  std::size_t left = terms.size();
  for (; left >= 4; left -= 4, term += 4) addTerms<4, Up>(term, x.data(), sum.data());
  if (left >= 2) {
    addTerms<2, Up>(term, x.data(), sum.data());
    term += 2;
    left -= 2;
  }
  if (left != 0) addTerms<1, Up>(term, x.data(), sum.data());
}

struct SmallTerm {
  std::uint32_t mask = 0;
  std::uint32_t up = 0;
  std::uint32_t down = 0;
};

FERMATA_INLINE bool isSmall(const LinearMap& map) {
  return map.up().size() + map.down().size() <= 2;
}

FERMATA_INLINE void smallTerms(const LinearMap& map, SmallTerm (&out)[2]) {
  std::size_t count = 0;
  for (const LinearMap::Term& term : map.down()) out[count++] = {term.mask, 0, term.shift};
  for (const LinearMap::Term& term : map.up()) out[count++] = {term.mask, term.shift, 0};
}

/// Maps with at most two terms each, as a bit-vector mapping has, in one loop without sums in
/// memory. The row keeps the order of its bits, so its terms only shift down.
FERMATA_INLINE void small(const LinearMap& bankMap, const LinearMap& rowMap, std::uint32_t last,
                          const Lanes& word, Lanes& bank, Lanes& row) {
  SmallTerm b[2];
  SmallTerm r[2];
  smallTerms(bankMap, b);
  smallTerms(rowMap, r);
  const std::uint32_t* __restrict in = word.data();
  std::uint32_t* __restrict outBank = bank.data();
  std::uint32_t* __restrict outRow = row.data();
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    const std::uint32_t x = in[i] < last ? in[i] : last;
    outBank[i] = (x << b[0].up >> b[0].down & b[0].mask) ^ (x << b[1].up >> b[1].down & b[1].mask);
    outRow[i] = (x >> r[0].down & r[0].mask) ^ (x >> r[1].down & r[1].mask);
  }
}

#undef FERMATA_INLINE

}  // namespace

FERMATA_VECTOR_CLONES
void linear(const LinearMap& bankMap, const LinearMap& rowMap, std::uint32_t last,
            const Lanes& word, Lanes& bank, Lanes& row) {
  if (isSmall(bankMap) && isSmall(rowMap) && rowMap.up().empty()) {
    small(bankMap, rowMap, last, word, bank, row);
    return;
  }
  Lanes x;
  clamp(word, last, x);
  bank.fill(0);
  addAll<false>(bankMap.down(), x, bank);
  addAll<true>(bankMap.up(), x, bank);
  row.fill(0);
  addAll<false>(rowMap.down(), x, row);
  addAll<true>(rowMap.up(), x, row);
}

FERMATA_VECTOR_CLONES
void split(unsigned bits, std::uint32_t last, const Lanes& word, Lanes& bank, Lanes& row) {
  const std::uint32_t mask = (std::uint32_t{1} << bits) - 1;
  const std::uint32_t* __restrict in = word.data();
  std::uint32_t* __restrict low = bank.data();
  std::uint32_t* __restrict high = row.data();
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    const std::uint32_t x = in[i] < last ? in[i] : last;
    low[i] = x & mask;
    high[i] = x >> bits;
  }
}

FERMATA_VECTOR_CLONES
void add(const DigitSum& sum, std::uint32_t last, const Lanes& word, Lanes& bank, Lanes& row) {
  const unsigned bits = sum.bits;
  const unsigned digit = sum.digit;
  const std::uint32_t tops = sum.tops;
  const std::uint32_t mask = (std::uint32_t{1} << bits) - 1;
  const std::uint32_t* __restrict in = word.data();
  std::uint32_t* __restrict low = bank.data();
  std::uint32_t* __restrict high = row.data();
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    const std::uint32_t x = in[i] < last ? in[i] : last;
    const std::uint32_t above = x >> digit;
    low[i] = (((x & ~tops) + (above & ~tops)) ^ ((x ^ above) & tops)) & mask;
    high[i] = x >> bits;
  }
}

FERMATA_VECTOR_CLONES
void divide(const Reciprocal& reciprocal, std::uint32_t last, const Lanes& word, Lanes& bank,
            Lanes& row) {
  const std::uint32_t divisor = reciprocal.divisor();
  const unsigned shift = reciprocal.shift();
  const std::uint64_t magic = reciprocal.magic();
  const std::uint32_t magic32 = static_cast<std::uint32_t>(magic);
  const std::uint64_t increment = reciprocal.increment();
  const std::uint32_t* __restrict in = word.data();
  std::uint32_t* __restrict low = bank.data();
  std::uint32_t* __restrict high = row.data();
  if (reciprocal.narrow()) {
    for (unsigned i = 0; i < kWarpLanes; ++i) {
      const std::uint32_t x = in[i] < last ? in[i] : last;
      const std::uint32_t quotient = x * magic32 >> shift;
      high[i] = quotient;
      low[i] = x - quotient * divisor;
    }
    return;
  }
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    const std::uint32_t x = in[i] < last ? in[i] : last;
    const std::uint32_t quotient = static_cast<std::uint32_t>((x * magic + increment) >> shift);
    high[i] = quotient;
    low[i] = x - quotient * divisor;
  }
}

FERMATA_VECTOR_CLONES
void remainder(const Reciprocal& reciprocal, unsigned shift, std::uint32_t mask, std::uint32_t last,
               const Lanes& word, Lanes& bank, Lanes& row) {
  divide(reciprocal, last, word, bank, row);
  const std::uint32_t* __restrict in = word.data();
  std::uint32_t* __restrict high = row.data();
  for (unsigned i = 0; i < kWarpLanes; ++i) high[i] = (in[i] < last ? in[i] : last) >> shift & mask;
}

}  // namespace kernels
}  // namespace fermata::indexing
