#include <fermata/stimuli/software_hash/software_hash.h>

#include <algorithm>
#include <array>
#include <memory>

#include <fermata/models/indexing/linear.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::software_hash {
namespace {

using indexing::LinearIndexer;
namespace gf2 = indexing::gf2;

constexpr unsigned kBits = 32;

[[noreturn]] void fail(const std::string& text, std::size_t column, const std::string& what) {
  refuse("software hash '{}':{} {}", text, column == 0 ? "" : fmt::format("{}:", column), what);
}

/// Turns a word address map, bit by bit, into a map of byte addresses; the offset in the word
/// stays.
gf2::Matrix ofBytes(const std::vector<std::uint32_t>& word, unsigned byteBits) {
  gf2::Matrix byte{kBits, {}};
  for (unsigned bit = 0; bit < byteBits; ++bit) byte.rows.push_back(std::uint32_t{1} << bit);
  for (const std::uint32_t row : word) byte.rows.push_back(row << byteBits);
  return byte;
}

/// Returns row * banks + bank of the indexer: the bank bits, and above them the remaining address
/// bits. Bits beyond the memory are included, so that an address outside a window stays outside.
gf2::Matrix ownPlaces(const gf2::Matrix& bank, unsigned byteBits) {
  const gf2::Echelon form = gf2::echelon(bank);
  std::vector<std::uint32_t> word = bank.rows;
  for (unsigned bit = 0; bit < kBits - byteBits; ++bit) {
    if ((form.pivotMask >> bit & 1U) == 0) word.push_back(std::uint32_t{1} << bit);
  }
  return ofBytes(word, byteBits);
}

/// Returns the words of ownPlaces(), in the same banks, with banks and rows numbered so that
/// address bits stay in place. A reduced bank bit with a pivot below m takes the place of its
/// pivot. A pivot above m changes places with an address bit below m that is no pivot.
gf2::Matrix stayingPlaces(const gf2::Matrix& bank, unsigned byteBits) {
  const gf2::Echelon form = gf2::echelon(bank);
  const auto m = static_cast<unsigned>(bank.rows.size());
  std::vector<std::uint32_t> word;
  for (unsigned bit = 0; bit < kBits - byteBits; ++bit) word.push_back(std::uint32_t{1} << bit);
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
  return ofBytes(word, byteBits);
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

/// Returns the largest x ^ (any sum of `free`).
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
  if (request.bankBytes != 4 && request.bankBytes != 8) {
    fail(request.text, 0, fmt::format("words of {} bytes; expected 4 or 8", request.bankBytes));
  }
  byteBits_ = request.bankBytes == 8 ? 3 : 2;
  capacityBytes_ = std::uint64_t{request.words} * request.bankBytes;
  const std::unique_ptr<indexing::Indexer> indexer = build(request);
  const auto* linear = dynamic_cast<const LinearIndexer*>(indexer.get());
  if (linear == nullptr) {
    fail(request.text, 0,
         "a kernel computes its hash by shifts and logic; expected a mapping that is linear over "
         "GF(2): perm, xor, bits, pairs, matrix or fixed-xor");
  }
  text_ = indexer->text();
  map_ = indexing::LinearMap(ownPlaces(linear->bankMatrix(), byteBits_));
  terms_ = termsOf(map_);
  const indexing::LinearMap staying(stayingPlaces(linear->bankMatrix(), byteBits_));
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

/// The words up to the last one are the last one itself and, for each of its one bits, all words
/// that are equal above, 0 there, and free below.
std::uint64_t SoftwareHash::windowBytes(std::uint64_t bytes) const {
  if (bytes == 0 || isIdentity()) return bytes;
  const auto last = static_cast<std::uint32_t>((bytes - 1) >> byteBits_ << byteBits_);
  std::uint32_t largest = address(last);
  std::vector<std::uint32_t> free;
  for (unsigned bit = byteBits_; bit < kBits; ++bit) {
    const std::uint32_t power = std::uint32_t{1} << bit;
    if ((last & power) != 0) {
      largest = std::max(largest, largestSum(address(last & ~(power | (power - 1))), free));
    }
    free.push_back(address(power));
  }
  return std::max<std::uint64_t>(bytes, std::uint64_t{largest} + bankBytes());
}

std::uint64_t SoftwareHash::passingUnit() const {
  unsigned bit = kBits;
  std::uint32_t reached = 0;  // reached by the bits that do not stay
  while (bit > 0 && address(std::uint32_t{1} << (bit - 1)) == std::uint32_t{1} << (bit - 1)) --bit;
  for (unsigned low = 0; low < bit; ++low) reached |= address(std::uint32_t{1} << low);
  while (bit < kBits && reached >> bit != 0) ++bit;
  return std::uint64_t{1} << bit;
}

std::uint32_t SoftwareHash::possibleBits(std::uint32_t address) const {
  std::uint32_t bits = 0;
  for (const Term& term : terms_) {
    bits |= (term.shift < 0 ? address << -term.shift : address >> term.shift) & term.mask;
  }
  return bits;
}

}  // namespace fermata::software_hash
