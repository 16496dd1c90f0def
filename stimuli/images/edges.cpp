#include <fermata/stimuli/images/edges.h>

#include <cstdlib>

namespace fermata::images {

std::vector<std::uint32_t> edgePixels(const Image& image, std::uint32_t threshold) {
  std::vector<std::uint32_t> edges;
  for (std::uint32_t y = 1; y + 1 < image.height; ++y) {
    for (std::uint32_t x = 1; x + 1 < image.width; ++x) {
      const auto level = [&](std::uint32_t column, std::uint32_t row) {
        return static_cast<std::int64_t>(image.at(column, row));
      };
      const std::int64_t left = level(x - 1, y - 1) + 2 * level(x - 1, y) + level(x - 1, y + 1);
      const std::int64_t right = level(x + 1, y - 1) + 2 * level(x + 1, y) + level(x + 1, y + 1);
      const std::int64_t above = level(x - 1, y - 1) + 2 * level(x, y - 1) + level(x + 1, y - 1);
      const std::int64_t below = level(x - 1, y + 1) + 2 * level(x, y + 1) + level(x + 1, y + 1);
      if (std::abs(right - left) + std::abs(below - above) < 4 * std::int64_t{threshold}) continue;
      edges.push_back(y << 16 | x);
    }
  }
  return edges;
}

}  // namespace fermata::images
