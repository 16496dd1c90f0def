#include <fermata/stimuli/images/random.h>

namespace fermata::images {

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t Random::below(std::uint64_t bound) {
  // Take the upper 64 bits of next() * bound by halves: standard C++ has no 128-bit type.
  const std::uint64_t x = next();
  const std::uint64_t low = (x & 0xffffffffU) * (bound & 0xffffffffU);
  const std::uint64_t middle1 = (x >> 32) * (bound & 0xffffffffU) + (low >> 32);
  const std::uint64_t middle2 = (x & 0xffffffffU) * (bound >> 32) + (middle1 & 0xffffffffU);
  return (x >> 32) * (bound >> 32) + (middle1 >> 32) + (middle2 >> 32);
}

double Random::unit() {
  return static_cast<double>(next() >> 11) * 0x1p-53;
}

}  // namespace fermata::images
