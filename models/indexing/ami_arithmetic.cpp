#include <fermata/models/indexing/ami_arithmetic.h>

#include <algorithm>
#include <stdexcept>

namespace fermata::indexing {
namespace {

constexpr unsigned kLimb = 64;

/// A fraction of many bits, least significant limb first.
using Wide = std::vector<std::uint64_t>;

std::uint64_t topMask(unsigned bits) {
  const unsigned rest = bits % kLimb;
  return rest == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
}

/// Sets `out` to `digit` rotated left by `position` in a word of `bits` bits; digit < 2^32 <
/// 2^bits.
void rotate(std::uint32_t digit, unsigned position, unsigned bits, Wide& out) {
  std::fill(out.begin(), out.end(), 0);
  for (unsigned i = 0; i < 32; ++i) {
    if ((digit >> i & 1U) == 0) continue;
    const unsigned bit = (position + i) % bits;
    out[bit / kLimb] |= std::uint64_t{1} << bit % kLimb;
  }
}

/// sum += term + carry in `bits` bits; returns the carry out.
bool accumulate(Wide& sum, const Wide& term, bool carry, unsigned bits) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const std::uint64_t first = sum[i] + term[i];
    const std::uint64_t second = first + (carry ? 1U : 0U);
    carry = first < term[i] || second < first;
    sum[i] = second;
  }
  const std::uint64_t mask = topMask(bits);
  if (bits % kLimb != 0) carry = (sum.back() & ~mask) != 0;
  sum.back() &= mask;
  return carry;
}

/// Returns floor(factor * value / 2^bits) for a value of at most 2^bits; factor < 2^13.
std::uint32_t scaled(const Wide& value, std::uint32_t factor, unsigned bits) {
  Wide product(value.size() + 1, 0);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::uint64_t low = (value[i] & 0xffffffffU) * factor + carry;
    const std::uint64_t high = (value[i] >> 32) * factor + (low >> 32);
    product[i] = high << 32 | (low & 0xffffffffU);
    carry = high >> 32;
  }
  product[value.size()] = carry;
  std::uint64_t result = product[bits / kLimb] >> bits % kLimb;
  if (bits % kLimb != 0 && bits / kLimb + 1 < product.size())
    result |= product[bits / kLimb + 1] << (kLimb - bits % kLimb);
  return static_cast<std::uint32_t>(result);
}

}  // namespace

AmiArithmetic::AmiArithmetic(std::uint32_t modulus) : modulus_(modulus), odd_(modulus) {
  if (modulus == 0 || modulus > kMaxModulus)
    throw std::invalid_argument("AMI: the modulus must be 1 to 4096");
  while (odd_ % 2 == 0) {
    odd_ /= 2;
    ++lowBits_;
  }
  if (odd_ > 1) findRows();
}

void AmiArithmetic::findRows() {
  // Long division of 1 by R: the bits of Q, the most significant first, until the remainder is 1
  // again.
  std::vector<bool> bits;
  std::uint32_t remainder = 1;
  do {
    remainder *= 2;
    bits.push_back(remainder >= odd_);
    if (remainder >= odd_) remainder -= odd_;
  } while (remainder != 1);
  std::reverse(bits.begin(), bits.end());
  width_ = static_cast<unsigned>(bits.size());
  ones_ = static_cast<unsigned>(std::count(bits.begin(), bits.end(), true));
  rows_ = nonAdjacentForm(bits);
  if (rows_.size() < ones_) {
    negative_ = true;
    return;
  }
  rows_.clear();  // Q in binary is as short and needs no complements
  for (unsigned i = 0; i < width_; ++i) {
    if (bits[i]) rows_.push_back({i, false});
  }
}

/// Works from the least significant bit: a run of ones becomes a -1 digit and a carry past its end.
std::vector<AmiArithmetic::Row> AmiArithmetic::nonAdjacentForm(const std::vector<bool>& bits) {
  std::vector<Row> rows;
  bool carry = false;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const bool next = i + 1 < bits.size() && bits[i + 1];
    if (bits[i] == carry) continue;  // 0 without carry, or 1 with carry: digit 0, the carry stays
    rows.push_back({static_cast<unsigned>(i), next});  // -1 when a one follows: the carry goes on
    carry = next;
  }
  if (carry) throw std::logic_error("AMI: Q is at most a third of 2^p, its form ends below bit p");
  return rows;
}

unsigned AmiArithmetic::fullAdders(unsigned addressBits) const {
  if (isPowerOfTwo() || addressBits <= lowBits_) return 0;
  const unsigned digits = (addressBits - lowBits_ + width_ - 1) / width_;
  return (digits * levels() - 1) * width_;
}

AmiResult AmiArithmetic::expected(std::uint32_t address, AmiCorner corner) const {
  AmiResult result = canonical(address);
  const std::uint32_t low = address & ((std::uint32_t{1} << lowBits_) - 1);
  if (corner == AmiCorner::Exact || isPowerOfTwo() || result.mod != low) return result;
  if (result.div == 0 && !negative_) return result;
  return {result.div - 1, modulus_ + low};
}

AmiResult AmiArithmetic::array(std::uint32_t address, AmiCorner corner) const {
  if (isPowerOfTwo()) return canonical(address);
  const std::uint32_t x = address >> lowBits_;
  AmiResult result = width_ <= kNarrow ? arrayNarrow(x, corner) : arrayWide(x, corner);
  result.mod = result.mod << lowBits_ | (address & ((std::uint32_t{1} << lowBits_) - 1));
  return result;
}

/// Returns the integer part of ddd.ddd... << position: `index` digits left of the point, modulo
/// 2^32.
std::uint32_t AmiArithmetic::integerPart(std::uint64_t digit, unsigned index,
                                         const Row& row) const {
  std::uint64_t repeated = 0;
  for (unsigned i = 0; i < index; ++i) repeated = repeated << width_ | digit;
  std::uint64_t value = row.position == 0 ? repeated : repeated << row.position;
  if (row.position != 0) value |= digit >> (width_ - row.position);
  return static_cast<std::uint32_t>(row.negative ? ~value : value);
}

AmiResult AmiArithmetic::arrayNarrow(std::uint32_t x, AmiCorner corner) const {
  const std::uint64_t mask = (std::uint64_t{1} << width_) - 1;
  std::uint64_t sum = 0;
  std::uint64_t carry = corner == AmiCorner::Exact ? 1 : 0;
  std::uint32_t div = 0;
  for (unsigned index = 0; index * width_ < 32 - lowBits_; ++index) {
    const std::uint64_t digit = static_cast<std::uint64_t>(x) >> index * width_ & mask;
    for (const Row& row : rows_) {
      std::uint64_t term = (digit << row.position | digit >> (width_ - row.position)) & mask;
      if (row.negative) term ^= mask;
      const std::uint64_t full = sum + term + carry;
      sum = full & mask;
      carry = full >> width_;
      div += integerPart(digit, index, row) + static_cast<std::uint32_t>(carry);
    }
  }
  sum += carry;  // can fill the last bit, not pass it: all ones with a carry never arises
  const std::uint64_t successor = corner == AmiCorner::Exact ? sum : sum + 1;
  return {div, static_cast<std::uint32_t>(odd_ * successor >> width_)};
}

AmiResult AmiArithmetic::arrayWide(std::uint32_t x, AmiCorner corner) const {
  const std::size_t limbs = (width_ + kLimb - 1) / kLimb;
  Wide sum(limbs, 0);
  Wide term(limbs, 0);
  bool carry = corner == AmiCorner::Exact;
  std::uint32_t div = 0;
  for (const Row& row : rows_) {  // the address is one digit
    rotate(x, row.position, width_, term);
    if (row.negative) {
      for (std::uint64_t& limb : term) limb = ~limb;
      term.back() &= topMask(width_);
    }
    carry = accumulate(sum, term, carry, width_);
    const unsigned left = width_ - row.position;
    const std::uint32_t whole = row.position == 0 || left >= 32 ? 0 : x >> left;
    div += (row.negative ? ~whole : whole) + (carry ? 1U : 0U);
  }
  // Adds the end-around carry, and 1 for the successor of the sum. One limb more, so that 2^p has a
  // place.
  sum.push_back(0);
  term.assign(limbs + 1, 0);
  accumulate(sum, term, carry, static_cast<unsigned>(sum.size()) * kLimb);
  if (corner == AmiCorner::AllOnes)
    accumulate(sum, term, true, static_cast<unsigned>(sum.size()) * kLimb);
  return {div, scaled(sum, odd_, width_)};
}

}  // namespace fermata::indexing
