// Edges lie where levels change by at least the threshold.
#include <fermata/stimuli/images/edges.h>

#include "tests/support/test.h"

namespace fermata::images {
namespace {

using Pixels = std::vector<std::uint32_t>;

constexpr std::uint32_t pixel(std::uint32_t x, std::uint32_t y) {
  return y << 16 | x;
}

BOOST_AUTO_TEST_SUITE(edges)

BOOST_AUTO_TEST_CASE(lie_on_both_sides_of_a_step) {
  // Dark on the left, 10 levels brighter from column 3 on.
  const Image image{5, 4, 255, {0, 0, 0, 10, 10, 0, 0, 0, 10, 10,  //
                                0, 0, 0, 10, 10, 0, 0, 0, 10, 10}};
  const Pixels expected = {pixel(2, 1), pixel(3, 1), pixel(2, 2), pixel(3, 2)};
  BOOST_TEST(edgePixels(image, 10) == expected, tt::per_element());
  BOOST_TEST(edgePixels(image, 11).empty());
  // A horizontal step from bright to dark.
  const Image lying{4, 5, 255, {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,  //
                                0, 0, 0, 0, 0, 0, 0, 0}};
  const Pixels below = {pixel(1, 2), pixel(2, 2), pixel(1, 3), pixel(2, 3)};
  BOOST_TEST(edgePixels(lying, 9) == below, tt::per_element());
}

BOOST_AUTO_TEST_CASE(weigh_the_neighbours_as_sobel_does) {
  // A lone bright pixel weighs 2 at its sides, |1| + |1| at its corners and 0 at its own place.
  Image image{5, 5, 65535, std::vector<std::uint16_t>(25)};
  image.pixels[12] = 40000;
  const Pixels around = {pixel(1, 1), pixel(2, 1), pixel(3, 1), pixel(1, 2),
                         pixel(3, 2), pixel(1, 3), pixel(2, 3), pixel(3, 3)};
  BOOST_TEST(edgePixels(image, 20000) == around, tt::per_element());
  BOOST_TEST(edgePixels(image, 20001).empty());
}

BOOST_AUTO_TEST_CASE(are_none_in_an_image_without_an_inside) {
  for (const auto& [width, height] : {std::pair{1U, 9U}, {2U, 2U}, {9U, 1U}}) {
    Image image{width, height, 255, std::vector<std::uint16_t>(width * height)};
    image.pixels.back() = 255;
    BOOST_TEST(edgePixels(image, 1).empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::images
