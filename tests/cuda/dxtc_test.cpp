// The BC1 encoder, checked by decoding its tiles.

#include "tests/cuda/reference_values.h"
#include "tests/support/test.h"

namespace {

using Color = std::array<double, 3>;
using Tile = std::array<Color, 16>;

Color widen(std::uint32_t packed) {
  const auto five = [](std::uint32_t level) { return level << 3 | level >> 2; };
  const auto six = [](std::uint32_t level) { return level << 2 | level >> 4; };
  return {static_cast<double>(five(packed >> 11 & 31)), static_cast<double>(six(packed >> 5 & 63)),
          static_cast<double>(five(packed & 31))};
}

std::array<Color, 4> palette(std::uint32_t first, std::uint32_t second) {
  const Color a = widen(first);
  const Color b = widen(second);
  std::array<Color, 4> colors = {a, b, {}, {}};
  for (std::size_t c = 0; c < 3; ++c) {
    colors[2][c] = first > second ? (2 * a[c] + b[c]) / 3 : (a[c] + b[c]) / 2;
    colors[3][c] = first > second ? (a[c] + 2 * b[c]) / 3 : 0;
  }
  return colors;
}

double squaredError(const Color& a, const Color& b) {
  double sum = 0;
  for (std::size_t c = 0; c < 3; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

double errorOf(const Tile& tile, std::uint32_t ends, std::uint32_t codes) {
  const auto colors = palette(ends & 0xffff, ends >> 16);
  double sum = 0;
  for (std::size_t i = 0; i < 16; ++i) sum += squaredError(tile[i], colors[codes >> 2 * i & 3]);
  return sum;
}

/// Returns the error of the plainest encoder: end points are the corners of the colours' bounding
/// box, and each pixel takes the nearest colour.
double errorOfBox(const Tile& tile) {
  Color low = tile[0];
  Color high = tile[0];
  for (const Color& color : tile) {
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], color[c]);
      high[c] = std::max(high[c], color[c]);
    }
  }
  const auto pack = [](const Color& color) {
    return static_cast<std::uint32_t>(std::lround(color[0] * 31 / 255)) << 11 |
           static_cast<std::uint32_t>(std::lround(color[1] * 63 / 255)) << 5 |
           static_cast<std::uint32_t>(std::lround(color[2] * 31 / 255));
  };
  const auto colors = palette(pack(high), pack(low));
  double sum = 0;
  for (const Color& color : tile) {
    double least = 1e9;
    for (const Color& other : colors) least = std::min(least, squaredError(color, other));
    sum += least;
  }
  return sum;
}

Tile unpack(const std::vector<std::uint32_t>& pixels, std::size_t tile) {
  Tile colors;
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t c = 0; c < 3; ++c) colors[i][c] = pixels[tile * 16 + i] >> 8 * c & 0xff;
  }
  return colors;
}

std::vector<std::uint32_t> compress(const std::vector<std::uint32_t>& pixels) {
  const auto blocks = static_cast<std::int64_t>(pixels.size() / 16);
  return fermata::test::reference<std::uint32_t>(
      "dxtc", {{{"blocks", blocks}}, {{"pixels", fermata::test::bytesOf(pixels)}}});
}

BOOST_AUTO_TEST_SUITE(dxtc)

BOOST_AUTO_TEST_CASE(one_colour_and_two_are_kept) {
  const std::vector<std::uint32_t> red(16, 0xff0000ff);
  const auto solid = compress(red);
  BOOST_TEST(solid[0] == (0xf800U | 0xf800U << 16));
  BOOST_TEST(solid[1] == 0U);

  std::vector<std::uint32_t> two(16, 0xff0000ff);
  for (const std::size_t i : {1U, 6U, 7U, 12U}) two[i] = 0xffff0000;
  const auto packed = compress(two);
  BOOST_TEST(errorOf(unpack(two, 0), packed[0], packed[1]) == 0.0);
  BOOST_TEST((packed[0] & 0xffff) > packed[0] >> 16);  // color 0 above color 1: four colours
}

BOOST_AUTO_TEST_CASE(the_encoder_beats_the_corners_of_the_box) {
  std::uint32_t state = 12345;
  const auto random = [&state](std::uint32_t below) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8) % below;
  };
  constexpr std::size_t kTiles = 40;
  std::vector<std::uint32_t> pixels;
  for (std::size_t tile = 0; tile < kTiles; ++tile) {
    const std::uint32_t base = random(128), slope = random(20), noise = 1 + random(12);
    for (std::uint32_t i = 0; i < 16; ++i) {
      std::uint32_t pixel = 0;
      for (std::uint32_t c = 0; c < 3; ++c)
        pixel |= std::min(base + i % 4 * slope + i / 4 * (c * slope / 3) + random(noise), 255U)
                 << 8 * c;
      pixels.push_back(pixel);
    }
  }
  const auto packed = compress(pixels);
  double ours = 0;
  double box = 0;
  for (std::size_t tile = 0; tile < kTiles; ++tile) {
    const Tile colors = unpack(pixels, tile);
    const double error = errorOf(colors, packed[2 * tile], packed[2 * tile + 1]);
    const double plain = errorOfBox(colors);
    BOOST_TEST(error <= plain, "tile " << tile << ": " << error << " against " << plain);
    ours += error;
    box += plain;
  }
  BOOST_TEST(ours < 0.8 * box);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
