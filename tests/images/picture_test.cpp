// Synthetic pictures have the requested spectrum, mean and contrast.
#include <fermata/stimuli/images/picture.h>

#include "tests/images/spectrum.h"

namespace fermata::images {
namespace {

std::vector<std::uint8_t> square(std::uint64_t seed, std::uint32_t slope,
                                 std::uint32_t contrast = 48) {
  PictureRequest request;
  request.seed = seed;
  request.width = kSide;
  request.slope = slope;
  request.contrast = contrast;
  return picture(request, kSide * kSide);
}

BOOST_AUTO_TEST_SUITE(pictures)

BOOST_AUTO_TEST_CASE(the_amplitude_falls_as_asked) {
  for (const std::uint32_t slope : {80U, 100U, 120U, 150U}) {
    double sum = 0;
    for (const std::uint64_t seed : {0U, 1U, 2U, 3U}) sum += slopeOf(square(seed, slope));
    BOOST_TEST(std::abs(sum / 4 + slope / 100.0) < 0.1, slope << ": " << sum / 4);
  }
}

BOOST_AUTO_TEST_CASE(mean_and_contrast_are_those_asked_for) {
  for (const std::uint32_t contrast : {0U, 16U, 40U}) {
    double sum = 0;
    double squares = 0;
    constexpr unsigned kPictures = 60;
    for (unsigned seed = 0; seed < kPictures; ++seed) {
      for (const std::uint8_t level : square(seed, 120, contrast)) {
        sum += level - 128;
        squares += (level - 128) * (level - 128);
      }
    }
    constexpr double kPixels = kPictures * double{kSide} * kSide;
    BOOST_TEST(std::abs(sum / kPixels) <= 0.5 + contrast / 8.0);
    BOOST_TEST(std::abs(std::sqrt(squares / kPixels) - contrast) <= 0.5 + contrast / 8.0);
  }
}

BOOST_AUTO_TEST_CASE(a_picture_is_the_same_everywhere_and_each_seed_has_its_own) {
  const auto first = square(0, 120);
  BOOST_TEST(std::accumulate(first.begin(), first.end(), 0U) == 10517297U);
  BOOST_TEST((std::vector<std::uint8_t>(first.begin(), first.begin() + 8) ==
              std::vector<std::uint8_t>{5, 13, 67, 74, 61, 57, 57, 75}));
  // A longer picture begins with the pixels of a shorter one.
  PictureRequest request;
  request.width = 100;
  const auto longer = picture(request, 1000);
  const auto shorter = picture(request, 333);
  BOOST_TEST(std::equal(shorter.begin(), shorter.end(), longer.begin()));

  const auto second = square(1, 100);
  const auto third = square(0, 100);
  double product = 0;
  for (std::size_t i = 0; i < second.size(); ++i) product += (second[i] - 128) * (third[i] - 128);
  BOOST_TEST(std::abs(product / static_cast<double>(second.size()) / (48 * 48)) < 0.3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::images
