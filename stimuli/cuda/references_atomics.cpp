#include <algorithm>
#include <cmath>

#include <fermata/stimuli/cuda/reference_functions.h>

namespace fermata::cuda {

Bytes addedWords(const ReferenceInput& input) {
  const std::size_t stride = input.parameter("stride", 0);
  const std::size_t conflicts = input.parameter("conflicts", 1, 32);
  const std::size_t additions = input.parameter("iterations", 0) * input.parameter("warps");
  std::vector<std::uint32_t> words(std::max<std::size_t>((conflicts - 1) * stride, 31) + 1);
  for (std::size_t lane = 0; lane < 32; ++lane)
    words[lane < conflicts ? lane * stride : lane] += static_cast<std::uint32_t>(additions);
  return bytesOf(words);
}

Bytes countedValues(const ReferenceInput& input) {
  std::vector<std::uint32_t> counts(input.parameter("bins"));
  for (const std::uint32_t value : input.elements<std::uint32_t>("values", input.parameter("n")))
    ++counts.at(value);
  return bytesOf(counts);
}

Bytes imageHistogram(const ReferenceInput& input) {
  const std::size_t pixels =
      input.parameter("width(photograph)") * input.parameter("height(photograph)");
  const std::size_t levels = std::size_t{1} << input.parameter("bits(photograph)", 1, 16);
  std::vector<std::uint32_t> histogram(input.parameter("bins"));
  for (const std::uint16_t level : input.elements<std::uint16_t>("pixels", pixels))
    ++histogram[level * histogram.size() / levels];
  return bytesOf(histogram);
}

Bytes lineVotes(const ReferenceInput& input) {
  const std::size_t thetas = input.parameter("thetas", 1, 180);
  const std::size_t edges = input.parameter("edges(photograph)");
  const double width = static_cast<double>(input.parameter("width(photograph)"));
  const double height = static_cast<double>(input.parameter("height(photograph)"));
  const double diagonal = std::ceil(std::sqrt(width * width + height * height));
  const std::size_t rhos =
      std::max(static_cast<std::size_t>(2 * diagonal), input.parameter("distances", 0));
  const auto centre = static_cast<double>(rhos / 2);
  const auto pixels = input.elements<std::uint32_t>("edges", edges);
  std::vector<std::uint32_t> votes(thetas * rhos);
  for (std::size_t theta = 0; theta < thetas; ++theta) {
    constexpr double kOne = 16384;  // sine and cosine are multiples of 1 / kOne
    const double angle = std::acos(-1.0) * static_cast<double>(theta) / static_cast<double>(thetas);
    const double c = std::round(std::cos(angle) * kOne) / kOne;
    const double s = std::round(std::sin(angle) * kOne) / kOne;
    for (const std::uint32_t pixel : pixels) {
      const double rho = std::floor((pixel & 0xffffU) * c + (pixel >> 16) * s + 0.5);
      ++votes[theta * rhos + static_cast<std::size_t>(rho + centre)];
    }
  }
  return bytesOf(votes);
}

Bytes clusterSums(const ReferenceInput& input) {
  const std::size_t width = input.parameter("width(photograph)", 2);
  const std::size_t height = input.parameter("height(photograph)", 2);
  const std::size_t clusters = input.parameter("clusters", 1, 256);
  const auto pixels = input.elements<std::uint16_t>("pixels", width * height);
  const auto centres = input.elements<std::uint16_t>("centres", 4 * clusters);
  std::vector<std::uint32_t> sums(5 * clusters);
  for (std::size_t y = 0; y + 1 < height; y += 2) {
    for (std::size_t x = 0; x + 1 < width; x += 2) {
      const std::size_t at = y * width + x;
      const std::int64_t point[4] = {pixels[at], pixels[at + 1], pixels[at + width],
                                     pixels[at + width + 1]};
      const auto distance = [&](std::size_t cluster) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < 4; ++i) {
          const std::int64_t difference = point[i] - centres[4 * cluster + i];
          sum += difference * difference;
        }
        return sum;
      };
      std::size_t nearest = 0;
      for (std::size_t cluster = 1; cluster < clusters; ++cluster) {
        if (distance(cluster) < distance(nearest)) nearest = cluster;
      }
      for (std::size_t i = 0; i < 4; ++i)
        sums[5 * nearest + i] += static_cast<std::uint32_t>(point[i]);
      ++sums[5 * nearest + 4];
    }
  }
  return bytesOf(sums);
}

}  // namespace fermata::cuda
