// The BC1 encoder of dxtc.cu. Sums are whole numbers here; the few rounded steps repeat the
// kernel's operation by operation, so that the codes are equal to the bit.
#include <algorithm>
#include <array>
#include <cmath>

#include <fermata/stimuli/cuda/reference_functions.h>

namespace fermata::cuda {
namespace {

constexpr std::size_t kPixels = 16;
constexpr std::size_t kThreads = 64;
constexpr std::array<int, 3> kLevels = {31, 63, 31};  // red, green, blue
using Color = std::array<int, 3>;
using Codes = std::array<int, kPixels>;  // 0 the start, 1 the end, 2 and 3 at a third and two

/// Returns every way of giving code 0 to the first pixels, then 2, then 3, and 1 to the last.
std::vector<Codes> allCuts() {
  std::vector<Codes> cuts;
  for (std::size_t first = 0; first <= kPixels; ++first) {
    for (std::size_t second = first; second <= kPixels; ++second) {
      for (std::size_t third = second; third <= kPixels; ++third) {
        Codes codes;
        for (std::size_t i = 0; i < kPixels; ++i)
          codes[i] = i < first ? 0 : i < second ? 2 : i < third ? 3 : 1;
        cuts.push_back(codes);
      }
    }
  }
  return cuts;
}

int levelOf(int numerator, int denominator, int levels) {
  const float channel = static_cast<float>(numerator) / static_cast<float>(denominator);
  return static_cast<int>(std::floor(
      std::fmaf(std::clamp(channel, 0.0F, 255.0F), static_cast<float>(levels) / 255.0F, 0.5F)));
}

/// Widens a level like a decoder: its high bits are repeated below.
int channelOf(int level, int levels) {
  return levels == 31 ? level * 8 + level / 4 : level * 4 + level / 16;
}

struct Choice {
  float error = 1e30F;
  int start = 0;
  int end = 0;
  Codes codes{};
};

Choice solve(const std::array<Color, kPixels>& ordered, const Codes& codes) {
  int aa = 0, bb = 0, ab = 0;
  Color ax{}, bx{};
  for (std::size_t i = 0; i < kPixels; ++i) {
    constexpr std::array<int, 4> kThirds = {3, 0, 2, 1};
    const int a = kThirds[static_cast<std::size_t>(codes[i])];
    const int b = 3 - a;
    aa += a * a;
    bb += b * b;
    ab += a * b;
    for (std::size_t c = 0; c < 3; ++c) {
      ax[c] += a * ordered[i][c];
      bx[c] += b * ordered[i][c];
    }
  }
  Choice choice;
  const int determinant = aa * bb - ab * ab;
  if (determinant == 0) return choice;
  std::array<float, 3> errors{};
  for (std::size_t c = 0; c < 3; ++c) {
    const int start = levelOf(3 * (ax[c] * bb - bx[c] * ab), determinant, kLevels[c]);
    const int end = levelOf(3 * (bx[c] * aa - ax[c] * ab), determinant, kLevels[c]);
    choice.start = choice.start * (kLevels[c] + 1) + start;
    choice.end = choice.end * (kLevels[c] + 1) + end;
    const int a = channelOf(start, kLevels[c]);
    const int b = channelOf(end, kLevels[c]);
    errors[c] = std::fmaf(-6.0F, static_cast<float>(ax[c] * a + bx[c] * b),
                          static_cast<float>(aa * a * a + bb * b * b + 2 * ab * a * b));
  }
  choice.error = errors[0] + errors[1] + errors[2];
  choice.codes = codes;
  return choice;
}

/// Returns the axis along which the colours vary most, by eight multiplications with their
/// covariance.
std::array<float, 3> mainAxis(const std::array<Color, kPixels>& colors) {
  Color sum{};
  for (const Color& color : colors) {
    for (std::size_t c = 0; c < 3; ++c) sum[c] += color[c];
  }
  std::array<std::array<float, 6>, kPixels> terms;
  for (std::size_t i = 0; i < kPixels; ++i) {
    Color d;
    for (std::size_t c = 0; c < 3; ++c) d[c] = 16 * colors[i][c] - sum[c];
    const std::array<int, 6> products = {d[0] * d[0], d[0] * d[1], d[0] * d[2],
                                         d[1] * d[1], d[1] * d[2], d[2] * d[2]};
    std::copy(products.begin(), products.end(), terms[i].begin());
  }
  for (std::size_t half = kPixels / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) {
      for (std::size_t k = 0; k < 6; ++k) terms[i][k] += terms[i + half][k];
    }
  }
  const std::array<float, 6>& m = terms[0];
  const std::array<float, 3> variances = {m[0], m[3], m[5]};
  const auto widest = std::max_element(variances.begin(), variances.end()) - variances.begin();
  std::array<float, 3> axis = {0, 0, 0};
  axis[static_cast<std::size_t>(widest)] = 1;
  for (int turn = 0; turn < 8; ++turn) {
    const auto row = [&axis](float x, float y, float z) {
      return std::fmaf(axis[0], x, std::fmaf(axis[1], y, axis[2] * z));
    };
    const std::array<float, 3> next = {row(m[0], m[1], m[2]), row(m[1], m[3], m[4]),
                                       row(m[2], m[4], m[5])};
    const float largest = std::max({std::abs(next[0]), std::abs(next[1]), std::abs(next[2])});
    if (largest > 0) {
      for (std::size_t c = 0; c < 3; ++c) axis[c] = next[c] / largest;
    }
  }
  return axis;
}

/// Returns the best cut with the kernel's choice among equals: each thread keeps the first of its
/// best cuts, and the tree keeps the lower half's.
Choice best(const std::array<Color, kPixels>& ordered, const std::vector<Codes>& cuts) {
  std::array<Choice, kThreads> choices;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const Choice choice = solve(ordered, cuts[i]);
    if (choice.error < choices[i % kThreads].error) choices[i % kThreads] = choice;
  }
  for (std::size_t half = kThreads / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) {
      if (choices[i + half].error < choices[i].error) choices[i] = choices[i + half];
    }
  }
  return choices[0];
}

}  // namespace

Bytes compressedBlocks(const ReferenceInput& input) {
  const std::size_t blocks = input.parameter("blocks", 1, 1 << 20);
  const auto pixels = input.elements<std::uint32_t>("pixels", kPixels * blocks);
  const std::vector<Codes> cuts = allCuts();
  std::vector<std::uint32_t> out;
  for (std::size_t block = 0; block < blocks; ++block) {
    std::array<Color, kPixels> colors;
    for (std::size_t i = 0; i < kPixels; ++i) {
      for (std::size_t c = 0; c < 3; ++c)
        colors[i][c] = static_cast<int>(pixels[block * kPixels + i] >> 8 * c & 0xff);
    }
    const auto axis = mainAxis(colors);
    std::array<std::pair<float, std::size_t>, kPixels> order;  // ties: the earlier pixel first
    for (std::size_t i = 0; i < kPixels; ++i) {
      std::array<float, 3> color;
      std::copy(colors[i].begin(), colors[i].end(), color.begin());
      order[i] = {std::fmaf(color[0], axis[0], std::fmaf(color[1], axis[1], color[2] * axis[2])),
                  i};
    }
    std::sort(order.begin(), order.end());
    std::array<Color, kPixels> ordered;
    for (std::size_t i = 0; i < kPixels; ++i) ordered[i] = colors[order[i].second];
    const Choice choice = best(ordered, cuts);

    // The greater end comes first, and the codes follow. Equal ends need only code 0.
    const bool isSwapped = choice.start < choice.end;
    std::uint32_t codes = 0;
    for (std::size_t i = 0; choice.start != choice.end && i < kPixels; ++i)
      codes |= static_cast<std::uint32_t>(choice.codes[i] ^ (isSwapped ? 1 : 0))
               << 2 * order[i].second;
    const auto greater = static_cast<std::uint32_t>(std::max(choice.start, choice.end));
    const auto lesser = static_cast<std::uint32_t>(std::min(choice.start, choice.end));
    out.push_back(greater | lesser << 16);
    out.push_back(codes);
  }
  return bytesOf(out);
}

}  // namespace fermata::cuda
