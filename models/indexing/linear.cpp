#include <fermata/models/indexing/linear.h>

#include <algorithm>

namespace fermata::indexing {

unsigned bankBits(const Shape& shape, std::string_view family) {
  unsigned bits = 0;
  while (std::uint32_t{1} << bits < shape.banks) ++bits;
  if (std::uint32_t{1} << bits != shape.banks) {
    throw IndexingError(std::string(family) + " on " + std::to_string(shape.banks) +
                        " banks: its bank number is made of bits; expected a power of two, or the "
                        "mapping ami or seznec");
  }
  return bits;
}

unsigned addressBits(const Shape& shape, unsigned bankBits) {
  unsigned bits = bankBits;
  while (bits < 32 && (shape.words - 1) >> bits != 0) ++bits;
  return bits;
}

std::string bitCounts(unsigned addressBits, unsigned bankBits) {
  return std::to_string(addressBits) + " address bits and " + std::to_string(bankBits) +
         " bank bits";
}

LinearIndexer::LinearIndexer(const Shape& shape, gf2::Matrix bank, std::string text, Cost cost,
                             const std::vector<std::size_t>& columns)
    : Indexer(shape), bank_(std::move(bank)), text_(std::move(text)), cost_(std::move(cost)) {
  const gf2::Echelon form = gf2::echelon(bank_);
  if (form.rows.size() != bank_.rows.size()) refuseDependentRows(columns);
  row_.columns = bank_.columns;
  for (unsigned bit = 0; bit < bank_.columns; ++bit) {
    if ((form.pivotMask >> bit & 1U) == 0) row_.rows.push_back(std::uint32_t{1} << bit);
  }
  bankMap_ = LinearMap(bank_);
  rowMap_ = LinearMap(row_);
  rows_ = largestRow() + 1;
}

void LinearIndexer::locate(const Lanes& word, LaneMask, Lanes& bank, Lanes& row) const {
  kernels::linear(bankMap_, rowMap_, shape_.words - 1, word, bank, row);
}

/// Throws IndexingError. m dependent rows restricted to the low m address bits take some word below
/// 2^m to bank 0, where word 0 is. Both words have row 0 if the row is made of the bits above.
void LinearIndexer::refuseDependentRows(const std::vector<std::size_t>& columns) const {
  const std::size_t first = gf2::firstDependentRow(bank_).value_or(0);
  const unsigned rank = gf2::rank(bank_);
  std::uint32_t other = 1;
  while (gf2::multiply(bank_, other) != 0) ++other;
  throw IndexingError("bank bit " + std::to_string(first) +
                          " is a sum of the bank bits before it or zero, so " +
                          std::to_string(std::uint32_t{1} << rank) + " of " +
                          std::to_string(shape_.banks) + " banks would be used and words 0 and " +
                          std::to_string(other) + " collide in bank 0, row 0; expected " +
                          std::to_string(bank_.rows.size()) + " independent bank bits",
                      first < columns.size() ? columns[first] : 0);
}

/// Returns the largest row over all words w <= last. Candidates are last itself and, for each one
/// bit of last, the w that equals last above the bit, has 0 there and all ones below. The row keeps
/// the order of bits, so all ones below make it the largest of that kind.
std::uint32_t LinearIndexer::largestRow() const {
  const std::uint32_t last = shape_.words - 1;
  std::uint32_t largest = rowMap_.apply(last);
  for (unsigned bit = 0; bit < 32; ++bit) {
    const std::uint32_t power = std::uint32_t{1} << bit;
    if ((last & power) == 0) continue;
    largest = std::max(largest, rowMap_.apply((last & ~(power | (power - 1))) | (power - 1)));
  }
  return largest;
}

}  // namespace fermata::indexing
