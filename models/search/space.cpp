#include <fermata/models/search/space.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <boost/multiprecision/cpp_int.hpp>

namespace fermata::search {
namespace {

namespace mp = boost::multiprecision;
/// Holds the largest count, 2^1024, and the products on the way to it.
using Count =
    mp::number<mp::cpp_int_backend<2048, 2048, mp::unsigned_magnitude, mp::unchecked, void>>;

SpaceSize row(std::string hashClass, const Count& count) {
  const auto value = count.convert_to<long double>();
  return {std::move(hashClass), static_cast<double>(std::log10(value)), static_cast<double>(value),
          count < Count(1) << 127 ? count.str() : ""};
}

/// Returns n over m.
Count binomial(unsigned n, unsigned m) {
  Count count = m > n ? 0 : 1;
  for (unsigned i = 1; i <= m; ++i) count = count * (n - i + 1) / i;
  return count;
}

/// Returns the Gaussian binomial of Eq. 9: the number of m-dimensional spaces that the rows of a
/// matrix can span. With rising i the product is whole at every step.
Count gaussianBinomial(unsigned n, unsigned m) {
  Count count = 1;
  for (unsigned i = 1; i <= m; ++i)
    count = count * ((Count(1) << (n - i + 1)) - 1) / ((Count(1) << i) - 1);
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
  const double allBits = std::ldexp(m, static_cast<int>(n));  // (2^m)^(2^n) = 2^(m 2^n)
  SpaceSize all{"all", allBits * std::log10(2.0),
                allBits < 1024 ? std::ldexp(1.0, static_cast<int>(allBits)) : HUGE_VAL, ""};
  if (allBits < 127) all = row("all", Count(1) << static_cast<unsigned>(allBits));
  const Count vectors = n - m + 1;
  return {all,
          row("xor-based", Count(1) << n * m),
          row("unique xor-based", gaussianBinomial(n, m)),
          row("bit-vector", vectors),
          row("bit-vector xor", vectors * n << m),
          row("bitwise permutation", binomial(n, m)),
          row("bitwise xor", binomial(n * (n + 1) / 2, m))};
}

}  // namespace fermata::search
