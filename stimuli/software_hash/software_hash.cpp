#include "stimuli/software_hash/software_hash.h"

#include <algorithm>
#include <array>
#include <memory>

#include "models/indexing/linear.h"
#include "stimuli/input_error.h"

namespace fermata::software_hash {
namespace {

using indexing::LinearIndexer;
namespace gf2 = indexing::gf2;

constexpr unsigned kByteBits = 2;  ///< of an address: which byte of a word
constexpr unsigned kBits = 32;

[[noreturn]] void fail(const std::string& text, std::size_t column, const std::string& what) {
  throw InputError("software hash '" + text +
                   "':" + (column == 0 ? "" : std::to_string(column) + ":") + " " + what);
}

/// A word address map, bit by bit, as a map of byte addresses: the offset in the word stays.
gf2::Matrix ofBytes(const std::vector<std::uint32_t>& word) {
  gf2::Matrix byte{kBits, {}};
  for (unsigned bit = 0; bit < kByteBits; ++bit) byte.rows.push_back(std::uint32_t{1} << bit);
  for (const std::uint32_t row : word) byte.rows.push_back(row << kByteBits);
  return byte;
}

/// Row * banks + bank of the indexer: the bank bits; above them the address bits that are left
/// over, those beyond the memory included, so that an address outside a window stays outside.
gf2::Matrix ownPlaces(const gf2::Matrix& bank) {
  const gf2::Echelon form = gf2::echelon(bank);
  std::vector<std::uint32_t> word = bank.rows;
  for (unsigned bit = 0; bit < kBits - kByteBits; ++bit) {
    if ((form.pivotMask >> bit & 1U) == 0) word.push_back(std::uint32_t{1} << bit);
  }
  return ofBytes(word);
}

/// The same words in one bank, but banks and rows numbered so that address bits stay where they
/// are: the reduced bank bit with a pivot below m has the place of its pivot, a pivot above m
/// changes places with an address bit below that is no pivot.
gf2::Matrix stayingPlaces(const gf2::Matrix& bank) {
  const gf2::Echelon form = gf2::echelon(bank);
  const auto m = static_cast<unsigned>(bank.rows.size());
  std::vector<std::uint32_t> word;
  for (unsigned bit = 0; bit < kBits - kByteBits; ++bit) word.push_back(std::uint32_t{1} << bit);
  unsigned free = 0;  // the next bit below m that is no pivot
  for (std::size_t k = 0; k < m; ++k) {
    unsigned place = form.pivots[k];
    if (place >= m) {
      while ((form.pivotMask >> free & 1U) != 0) ++free;
      word[place] = std::uint32_t{1} << free;
      place = free++;
    }
    word[place] = form.rows[k];
  }
  return ofBytes(word);
}

std::vector<SoftwareHash::Term> termsOf(const indexing::LinearMap& map) {
  std::vector<SoftwareHash::Term> terms;
  for (const auto& term : map.down()) {
    terms.push_back(
        {static_cast<int>(term.shift), term.mask, term.mask != ~std::uint32_t{0} >> term.shift});
  }
  for (const auto& term : map.up()) terms.push_back({-static_cast<int>(term.shift), term.mask});
  return terms;
}

unsigned cost(const std::vector<SoftwareHash::Term>& terms) {
  unsigned count = static_cast<unsigned>(terms.size()) - 1;
  for (const auto& term : terms) count += (term.shift != 0 ? 1 : 0) + (term.masks ? 1 : 0);
  return count;
}

std::unique_ptr<indexing::Indexer> build(const HashRequest& request) {
  try {
    return indexing::build(request.text, {request.banks, request.words});
  } catch (const indexing::IndexingError& error) {
    fail(request.text, error.column(), error.what());
  }
}

/// The largest x ^ (any sum of `free`).
std::uint32_t largestSum(std::uint32_t x, const std::vector<std::uint32_t>& free) {
  std::array<std::uint32_t, kBits> basis{};  // basis[b]: highest bit is b
  for (std::uint32_t vector : free) {
    for (unsigned bit = kBits; bit-- > 0 && vector != 0;) {
      if ((vector >> bit & 1U) == 0) continue;
      if (basis[bit] == 0) basis[bit] = vector;
      vector ^= basis[bit];
    }
  }
  for (unsigned bit = kBits; bit-- > 0;) x = std::max(x, x ^ basis[bit]);
  return x;
}

}  // namespace

SoftwareHash::SoftwareHash(const HashRequest& request) {
  const std::unique_ptr<indexing::Indexer> indexer = build(request);
  const auto* linear = dynamic_cast<const LinearIndexer*>(indexer.get());
  if (linear == nullptr) {
    fail(request.text, 0,
         "a kernel computes its hash by shifts and logic; expected a mapping that is linear over "
         "GF(2): perm, xor, bits, pairs, matrix or fixed-xor");
  }
  text_ = indexer->text();
  map_ = indexing::LinearMap(ownPlaces(linear->bankMatrix()));
  terms_ = termsOf(map_);
  const indexing::LinearMap staying(stayingPlaces(linear->bankMatrix()));
  if (cost(termsOf(staying)) >= cost(terms_)) return;
  map_ = staying;
  terms_ = termsOf(map_);
}

unsigned SoftwareHash::instructions() const {
  return cost(terms_);
}

bool SoftwareHash::isIdentity() const {
  return terms_.size() == 1 && terms_[0].shift == 0 && !terms_[0].masks;
}

/// The words up to the last one are itself and, for each of its one bits, those that are equal
/// above, 0 there, and free below.
std::uint64_t SoftwareHash::windowBytes(std::uint64_t bytes) const {
  if (bytes == 0) return 0;
  const auto last = static_cast<std::uint32_t>((bytes - 1) & ~std::uint64_t{3});
  std::uint32_t largest = address(last);
  std::vector<std::uint32_t> free;
  for (unsigned bit = kByteBits; bit < kBits; ++bit) {
    const std::uint32_t power = std::uint32_t{1} << bit;
    if ((last & power) != 0) {
      largest = std::max(largest, largestSum(address(last & ~(power | (power - 1))), free));
    }
    free.push_back(address(power));
  }
  return std::max<std::uint64_t>(bytes, std::uint64_t{largest} + 4);
}

}  // namespace fermata::software_hash
