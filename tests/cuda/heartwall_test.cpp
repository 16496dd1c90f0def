// The tracking of a heart's wall: its results, and how its threads meet in the shared template.

#include "tests/cuda/reference_values.h"
#include "tests/cuda/shared_accesses.h"
#include "tests/support/test.h"

namespace {

using namespace fermata::test;

BOOST_AUTO_TEST_SUITE(heartwall)

BOOST_AUTO_TEST_CASE(meets_where_parts_of_the_template_differ) {
  // The whole template is under the window at every displacement: all lanes walk it together.
  const auto together =
      degrees(sharedAccesses("heartwall", {{"points", "1"}, {"frames", "1"}, {"search", "40"}}));
  BOOST_TEST((together.size() == 1U));
  // Lanes need different parts of the template: other rows and columns, in a minority of accesses.
  const auto apart = degrees(sharedAccesses(
      "heartwall", {{"points", "1"}, {"frames", "1"}, {"search", "25"}, {"reach", "20"}}));
  BOOST_TEST(apart.at(2) > 1000U);
  BOOST_TEST(apart.at(1) > apart.at(2));
  BOOST_TEST(apart.rbegin()->first <= 4U);
}

BOOST_AUTO_TEST_CASE(reference_finds_the_motion) {
  // A scene that never repeats itself. Picture k begins 2 k rows and k columns further on.
  constexpr std::size_t kRows = 100 + 2 * 2;
  std::vector<float> scene(kRows * (100 + 2));
  for (std::size_t i = 0; i < scene.size(); ++i) {
    const std::size_t x = i / kRows;
    const std::size_t y = i % kRows;
    scene[i] = static_cast<float>((x * x * 7 + y * y * 13 + x * y * 5) % 251);
  }
  const ReferenceInput input{
      {{"points", 2},
       {"frames", 2},
       {"renew", 2},
       {"rows", 100},
       {"columns", 100},
       {"search", 28},
       {"reach", 3}},
      {{"scene", bytesOf(scene)}, {"places", bytesOf<std::int32_t>({50, 40, 29, 60})}}};
  // The second point moves until its window meets the edge of the picture, and stays there.
  BOOST_TEST((reference<std::int32_t>("heartwall_places", input) ==
              std::vector<std::int32_t>{46, 38, 28, 58}));
  const auto correlations = reference<float>("heartwall_correlations", input);
  BOOST_REQUIRE(correlations.size() == 2U * 49);
  BOOST_TEST(std::abs(correlations[2 * 7 + 1] - 1) < 1e-6F);  // 1 to the left, 2 up
  const auto templates = reference<float>("heartwall_templates", input);
  BOOST_REQUIRE(templates.size() == 2U * 2601);
  // The renewed template equals the old one: the scene has only moved.
  BOOST_TEST(std::abs(templates[0] - scene[15 * kRows + 25]) < 1e-3F);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
