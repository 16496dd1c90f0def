#include <fermata/platforms/exec/spread.h>

#include <algorithm>
#include <cmath>

namespace fermata::exec {
namespace {

/// Returns the 97.5 % quantile of Student's t.
double quantile(std::size_t freedom) {
  constexpr double few[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
  if (freedom <= std::size(few)) return few[freedom - 1];
  return 1.96 + 2.5 / static_cast<double>(freedom);  // within 0.01 of the quantile
}

}  // namespace

void Spread::add(double value) {
  ++count_;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (value - mean_);
}

double Spread::half(std::size_t further) const {
  if (count_ < 2) return kUnknownHalf * mean_;
  const auto n = static_cast<double>(count_);
  const double deviation = std::sqrt(squares_ / (n - 1));
  const double more = 1 / static_cast<double>(std::max<std::size_t>(further, 1));
  return std::max(quantile(count_ - 1) * deviation * std::sqrt(1 / n + more), kLeastHalf * mean_);
}

}  // namespace fermata::exec
