// Kernels of machines with tensor units: their results in each layout of their tiles, and refusals.
// tests/platforms/tile_layouts_test.cpp checks the layouts' costs.

#include <fermata/stimuli/launch/catalog.h>
#include "tests/cuda/reference_values.h"
#include "tests/support/test.h"

namespace {

using namespace fermata::test;

/// Returns the bits of a half: small integers and multiples of 1/4 only.
std::uint16_t half(double value) {
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);  // from 1/2 to 1
  return static_cast<std::uint16_t>((value < 0 ? 0x8000 : 0) + ((exponent + 14) << 10) +
                                    static_cast<int>((2 * fraction - 1) * 1024));
}
std::vector<std::uint8_t> halves(const std::vector<double>& values) {
  std::vector<std::uint16_t> bits;
  for (const double value : values) bits.push_back(half(value));
  return bytesOf(bits);
}

BOOST_AUTO_TEST_SUITE(modern_kernels)

BOOST_AUTO_TEST_CASE(references_give_known_answers) {
  BOOST_TEST(half(1.5) == 0x3e00);
  BOOST_TEST(half(-22) == 0xcd80);
  const ReferenceInput product{{{"n", 2}},
                               {{"a", halves({1, 2, -3, 4})}, {"b", halves({5, 0.5, 7, 8})}}};
  BOOST_TEST(bytesOf(reference<std::uint16_t>("hgemm", product)) == halves({19, 16.5, 13, 30.5}),
             tt::per_element());
  // Two queries. The first is all zeros: all keys weigh the same. The second fits the second key,
  // whose score is 24 * 24 / 8 above the first key's.
  std::vector<double> q(128), k(128), v(128);
  q[64] = k[64] = 24;
  v[0] = 1;
  v[64] = 2;
  std::vector<double> means(128);
  means[0] = 1.5;
  means[64] = 2;
  const ReferenceInput head{{{"n", 2}}, {{"q", halves(q)}, {"k", halves(k)}, {"v", halves(v)}}};
  BOOST_TEST(bytesOf(reference<std::uint16_t>("attention", head)) == halves(means),
             tt::per_element());
  const ReferenceInput square{{{"n", 2}}, {{"in", bytesOf<std::uint16_t>({1, 2, 3, 0xffff})}}};
  BOOST_TEST(reference<std::uint16_t>("ldtranspose", square) ==
                 std::vector<std::uint16_t>({1, 3, 2, 0xffff}),
             tt::per_element());
  const ReferenceInput rows{
      {{"n", 2}, {"m", 3}},
      {{"a", bytesOf<float>({1, 2, 3, 4, 5, 6})}, {"x", bytesOf<float>({1, -1, 0.5F})}}};
  BOOST_TEST(reference<float>("cpasync", rows) == std::vector<float>({0.5F, 2}), tt::per_element());
  // Equal numbers weigh the same; a number far above the others gets all the weight.
  const ReferenceInput numbers{{{"rows", 2}, {"columns", 2}},
                               {{"in", bytesOf<float>({7, 7, 200, -200})}}};
  BOOST_TEST(reference<float>("softmax", numbers) == std::vector<float>({0.5F, 0.5F, 1, 0}),
             tt::per_element());
  const ReferenceInput spread{{{"rows", 1}, {"columns", 2}},
                              {{"in", bytesOf<float>({1001, 3001})},
                               {"gamma", bytesOf<float>({2, 3})},
                               {"beta", bytesOf<float>({0.5F, -1})}}};
  BOOST_TEST(reference<float>("layernorm", spread) == std::vector<float>({-1.5F, 2}),
             tt::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
