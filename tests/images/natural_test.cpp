// The synthetic photograph has the properties of photographs: a spectrum of about 1/f, similar
// neighbours, smooth areas with edges between them.
#include <fermata/stimuli/images/edges.h>
#include <fermata/stimuli/images/natural.h>

#include "tests/images/spectrum.h"

namespace fermata::images {
namespace {

Image natural(std::uint64_t seed, std::uint32_t width, std::uint32_t height, unsigned bits) {
  NaturalRequest request;
  request.seed = seed;
  request.width = width;
  request.height = height;
  request.bits = bits;
  return naturalImage(request);
}

/// Returns the correlation of pixels (x, y) and (x + dx, y + dy).
double correlation(const Image& image, std::uint32_t dx, std::uint32_t dy) {
  const double mean = std::accumulate(image.pixels.begin(), image.pixels.end(), 0.0) /
                      static_cast<double>(image.pixels.size());
  double products = 0;
  double squares = 0;
  for (std::uint32_t y = 0; y + dy < image.height; ++y) {
    for (std::uint32_t x = 0; x + dx < image.width; ++x) {
      const double one = image.at(x, y) - mean;
      products += one * (image.at(x + dx, y + dy) - mean);
      squares += one * one;
    }
  }
  return products / squares;
}

std::uint64_t sum(const Image& image) {
  return std::accumulate(image.pixels.begin(), image.pixels.end(), std::uint64_t{0});
}

BOOST_AUTO_TEST_SUITE(natural_images)

BOOST_AUTO_TEST_CASE(the_amplitude_falls_as_that_of_photographs) {
  for (const unsigned bits : {8U, 12U}) {
    double total = 0;
    for (const std::uint64_t seed : {0U, 1U, 2U, 3U, 4U, 5U}) {
      const double slope = slopeOf(natural(seed, kSide, kSide, bits).pixels);
      BOOST_TEST(slope < -0.8, bits << " bits, seed " << seed << ": " << slope);
      BOOST_TEST(slope > -1.5, bits << " bits, seed " << seed << ": " << slope);
      total += slope;
    }
    BOOST_TEST(std::abs(total / 6 + 1.25) < 0.1, bits << " bits: " << total / 6);
  }
}

BOOST_AUTO_TEST_CASE(neighbours_are_alike_and_far_pixels_are_not) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const Image image = natural(seed, 640, 480, 8);
    BOOST_TEST(correlation(image, 1, 0) > 0.8);
    BOOST_TEST(correlation(image, 0, 1) > 0.8);
    BOOST_TEST(correlation(image, 8, 0) < correlation(image, 1, 0) - 0.1);
    BOOST_TEST(std::abs(correlation(image, 300, 0)) < 0.3);
  }
}

BOOST_AUTO_TEST_CASE(areas_are_smooth_and_edges_sharp) {
  const Image image = natural(1, 640, 480, 8);
  const double pixels = 640.0 * 480.0;
  const double all = static_cast<double>(edgePixels(image, 4).size()) / pixels;
  const double strong = static_cast<double>(edgePixels(image, 48).size()) / pixels;
  BOOST_TEST(all < 0.5);  // more than half of the image has no edge
  BOOST_TEST(strong > 0.05);
  BOOST_TEST(strong > all / 3);  // many edges are strong
}

// The noise is drawn last: the scene is equal with and without it.
BOOST_AUTO_TEST_CASE(noise_moves_pixels_by_so_much_and_no_more) {
  const auto most = [](std::uint32_t noise) {
    NaturalRequest request{7, 320, 240, 12};
    request.noise = 0;
    const Image still = naturalImage(request);
    request.noise = noise;
    const Image moved = naturalImage(request);
    int largest = 0;
    for (std::size_t i = 0; i < still.pixels.size(); ++i)
      largest = std::max(largest, std::abs(int{still.pixels[i]} - int{moved.pixels[i]}));
    return largest;
  };
  BOOST_TEST(most(0) == 0);
  BOOST_TEST(most(1) == 1);
  BOOST_TEST(most(16) == 16);
}

BOOST_AUTO_TEST_CASE(sizes_and_levels_are_those_asked_for) {
  const Image image = natural(3, 1536, 1024, 12);
  BOOST_TEST(image.width == 1536U);
  BOOST_TEST(image.height == 1024U);
  BOOST_TEST(image.largest == 4095U);
  BOOST_TEST(image.bits() == 12U);
  BOOST_REQUIRE(image.pixels.size() == 1536U * 1024U);
  std::vector<unsigned> coarse(16);
  for (const std::uint16_t level : image.pixels) {
    BOOST_REQUIRE(level <= 4095U);
    ++coarse[level / 256];
  }
  for (const unsigned count : coarse) BOOST_TEST(count > 0U);  // the whole range is used
  BOOST_TEST(natural(0, 1, 1, 8).pixels.size() == 1U);
  BOOST_TEST(natural(0, 3, 70, 16).pixels.size() == 210U);
}

BOOST_AUTO_TEST_CASE(an_image_is_the_same_everywhere_and_each_seed_has_its_own) {
  const Image image = natural(1, 640, 480, 8);
  BOOST_TEST(sum(image) == 38416940U);
  BOOST_TEST((std::vector<std::uint16_t>(image.pixels.begin(), image.pixels.begin() + 6) ==
              std::vector<std::uint16_t>{98, 99, 98, 99, 99, 99}));
  BOOST_TEST(sum(natural(7, 1536, 1024, 12)) == 3201180015U);
  BOOST_TEST((image.pixels == natural(1, 640, 480, 8).pixels));
  BOOST_TEST((image.pixels != natural(2, 640, 480, 8).pixels));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::images
