#include <fermata/models/search/space.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <fermata/models/search/uint128.h>

namespace fermata::search {
namespace {

Uint128 greatestCommonDivisor(Uint128 a, Uint128 b) {
  while (b != 0) {
    const Uint128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// A count, exact below 2^127.
class Count {
 public:
  void multiply(Uint128 factor) {
    rounded_ *= static_cast<long double>(factor);
    if (!exact_) return;
    if (factor != 0 && *exact_ > (kLimit - 1) / factor) {
      exact_.reset();
    } else {
      *exact_ *= factor;
    }
  }
  /// Multiplies by numerator / denominator; the result must be a whole number.
  void multiply(Uint128 numerator, Uint128 denominator) {
    rounded_ *= static_cast<long double>(numerator) / static_cast<long double>(denominator);
    if (!exact_) return;
    const Uint128 common = greatestCommonDivisor(*exact_, denominator);
    const Uint128 rest = *exact_ / common;
    const Uint128 factor = numerator / (denominator / common);
    if (rest > (kLimit - 1) / factor) {
      exact_.reset();
    } else {
      exact_ = rest * factor;
    }
  }

  SpaceSize row(std::string hashClass) const {
    SpaceSize size;
    size.hashClass = std::move(hashClass);
    const long double value = exact_ ? static_cast<long double>(*exact_) : rounded_;
    size.log10 = static_cast<double>(std::log10(value));
    size.count = static_cast<double>(value);
    if (exact_) {
      for (Uint128 left = *exact_; left != 0; left /= 10) {
        size.exact.insert(size.exact.begin(), static_cast<char>('0' + static_cast<int>(left % 10)));
      }
    }
    return size;
  }

 private:
  static constexpr Uint128 kLimit = static_cast<Uint128>(1) << 127;
  std::optional<Uint128> exact_ = 1;
  long double rounded_ = 1;
};

Count powerOfTwo(unsigned exponent) {
  Count count;
  for (unsigned i = 0; i < exponent; ++i) count.multiply(2);
  return count;
}

/// Returns n over m.
Count binomial(std::uint64_t n, std::uint64_t m) {
  Count count;
  if (m > n) return count;
  m = std::min(m, n - m);
  for (std::uint64_t i = 1; i <= m; ++i) count.multiply(n - i + 1, i);
  return count;
}

/// Returns the Gaussian binomial of Eq. 9: the number of m-dimensional spaces that the rows of a
/// matrix can span. It equals the number of (n - m)-dimensional ones. With rising i the product is
/// whole at every step.
Count gaussianBinomial(unsigned n, unsigned m) {
  Count count;
  m = std::min(m, n - m);
  const Uint128 one = 1;
  for (unsigned i = 1; i <= m; ++i) count.multiply((one << (n - i + 1)) - 1, (one << i) - 1);
  return count;
}

}  // namespace

std::vector<SpaceSize> spaceSizes(unsigned addressBits, unsigned bankBits) {
  const unsigned n = addressBits;
  const unsigned m = bankBits;
  if (m < 1 || m > n || n > 32) {
    throw std::invalid_argument("hash space: " + std::to_string(n) + " address bits and " +
                                std::to_string(m) +
                                " bank bits; expected 1 <= bank bits <= address bits <= 32");
  }
  std::vector<SpaceSize> rows;
  const double allBits = std::ldexp(m, static_cast<int>(n));  // (2^m)^(2^n) = 2^(m 2^n)
  if (allBits < 127) {
    rows.push_back(powerOfTwo(static_cast<unsigned>(allBits)).row("all"));
  } else {
    SpaceSize all;
    all.hashClass = "all";
    all.log10 = allBits * std::log10(2.0);
    all.count = allBits < 1024 ? std::ldexp(1.0, static_cast<int>(allBits)) : HUGE_VAL;
    rows.push_back(all);
  }
  rows.push_back(powerOfTwo(n * m).row("xor-based"));
  rows.push_back(gaussianBinomial(n, m).row("unique xor-based"));
  Count vectors;
  vectors.multiply(n - m + 1);
  rows.push_back(vectors.row("bit-vector"));
  vectors.multiply(n);
  vectors.multiply(static_cast<Uint128>(1) << m);
  rows.push_back(vectors.row("bit-vector xor"));
  rows.push_back(binomial(n, m).row("bitwise permutation"));
  rows.push_back(binomial(std::uint64_t{n} * (n + 1) / 2, m).row("bitwise xor"));
  return rows;
}

}  // namespace fermata::search
