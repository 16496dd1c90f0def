#include <fermata/models/indexing/reciprocal.h>

#include <stdexcept>

namespace fermata::indexing {

Reciprocal::Reciprocal(std::uint32_t divisor, std::uint32_t limit)
    : divisor_(divisor), limit_(limit) {
  if (divisor == 0 || divisor > 4096 || limit == 0)
    throw std::invalid_argument("reciprocal: divisor must be 1 to 4096 and limit 1 or more");
  if (!findNarrow()) findWide();
}

bool Reciprocal::findNarrow() {
  const std::uint64_t largest = limit_ - 1;
  for (unsigned shift = 0; shift < 32; ++shift) {
    const std::uint64_t power = std::uint64_t{1} << shift;
    const std::uint64_t magic = (power + divisor_ - 1) / divisor_;
    if (largest * (magic * divisor_ - power) >= power) continue;
    if (largest * magic >> 32 != 0) return false;
    magic_ = magic;
    shift_ = shift;
    return true;
  }
  return false;
}

void Reciprocal::findWide() {
  narrow_ = false;
  unsigned log = 0;
  while (divisor_ >> (log + 1) != 0) ++log;
  shift_ = 32 + log;
  const std::uint64_t power = std::uint64_t{1} << shift_;
  const std::uint64_t down = power / divisor_;  // below 2^32: a power of two is narrow
  const std::uint64_t missing = power - down * divisor_;
  const std::uint64_t excess = divisor_ - missing;
  const bool up = excess * (limit_ - std::uint64_t{1}) < power;
  magic_ = up ? down + 1 : down;
  increment_ = up ? 0 : down;
}

}  // namespace fermata::indexing
