#include <fermata/models/search/fraction_sum.h>

#include <cmath>
#include <vector>

namespace fermata::search {
namespace {

constexpr unsigned kUnitLimbs = 3;
using Unit = std::array<std::uint64_t, kUnitLimbs>;

void multiply(Unit& limbs, std::uint32_t factor) {
  std::uint64_t carry = 0;
  for (std::uint64_t& limb : limbs) {
    const Uint128 product = static_cast<Uint128>(limb) * factor + carry;
    limb = static_cast<std::uint64_t>(product);
    carry = static_cast<std::uint64_t>(product >> 64);
  }
}

Unit divided(const Unit& limbs, std::uint32_t divisor) {
  Unit quotient{};
  std::uint64_t rest = 0;
  for (unsigned i = kUnitLimbs; i-- > 0;) {
    const Uint128 part = static_cast<Uint128>(rest) << 64 | limbs[i];
    quotient[i] = static_cast<std::uint64_t>(part / divisor);
    rest = static_cast<std::uint64_t>(part % divisor);
  }
  return quotient;
}

/// Returns 1/d in units at index d; index 0 is unused.
std::vector<Unit> makeUnits() {
  Unit common{1, 0, 0};
  for (std::uint32_t prime = 2; prime <= FractionSum::kMostDenominator; ++prime) {
    bool isPrime = true;
    for (std::uint32_t d = 2; d * d <= prime; ++d) isPrime = isPrime && prime % d != 0;
    if (!isPrime) continue;
    for (std::uint32_t power = prime; power <= FractionSum::kMostDenominator; power *= prime) {
      multiply(common, prime);
    }
  }
  std::vector<Unit> units = {Unit{}};
  for (std::uint32_t d = 1; d <= FractionSum::kMostDenominator; ++d) {
    units.push_back(divided(common, d));
  }
  return units;
}

const std::vector<Unit>& units() {
  static const std::vector<Unit> table = makeUnits();
  return table;
}

double toDouble(const std::uint64_t* limbs, unsigned count) {
  double value = 0;
  for (unsigned i = count; i-- > 0;) value = std::ldexp(value, 64) + static_cast<double>(limbs[i]);
  return value;
}

}  // namespace

void FractionSum::add(Uint128 numerator, std::uint32_t denominator) {
  const Unit& unit = units()[denominator];
  const std::uint64_t half[2] = {static_cast<std::uint64_t>(numerator),
                                 static_cast<std::uint64_t>(numerator >> 64)};
  for (unsigned h = 0; h < 2; ++h) {
    std::uint64_t carry = 0;
    for (unsigned i = 0; h + i < kLimbs; ++i) {
      const std::uint64_t factor = i < kUnitLimbs ? unit[i] : 0;
      const Uint128 sum = static_cast<Uint128>(factor) * half[h] + units_[h + i] + carry;
      units_[h + i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
  }
}

double FractionSum::value() const {
  return toDouble(units_.data(), kLimbs) / toDouble(units()[1].data(), kUnitLimbs);
}

bool operator<(const FractionSum& a, const FractionSum& b) {
  for (unsigned i = FractionSum::kLimbs; i-- > 0;) {
    if (a.units_[i] != b.units_[i]) return a.units_[i] < b.units_[i];
  }
  return false;
}

}  // namespace fermata::search
