// Normal numbers from uniform ones, as cuRAND's host interface makes them.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include <fermata/stimuli/cuda/include/parts/random_words.h>

namespace fermata::cudart {

/// Returns a pair of normal numbers (Box and Muller) from two uniform ones.
template <class T>
std::pair<T, T> boxMuller(T first, T second) {
  const T radius = std::sqrt(-2 * std::log(first));
  const T angle = second * static_cast<T>(6.283185307179586);
  return {radius * std::sin(angle), radius * std::cos(angle)};
}
/// Returns such a pair with the roundings of cuRAND.
inline std::pair<float, float> normalPair(const std::uint32_t* words, float) {
  constexpr float kTurn = 0x1p-32F * 6.2831855F;
  const float radius = std::sqrt(-2.0F * std::log(fermata_cuda::uniform(words[0])));
  const float angle = static_cast<float>(words[1]) * kTurn + kTurn / 2;
  return {radius * std::sin(angle), radius * std::cos(angle)};
}
inline std::pair<double, double> normalPair(const std::uint32_t* words, double) {
  return boxMuller(fermata_cuda::uniform(words[0], words[1]),
                   fermata_cuda::uniform(words[2], words[3]));
}

}  // namespace fermata::cudart
