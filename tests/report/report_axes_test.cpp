// Effects of axes: points that differ in one axis alone are compared.
#include <fermata/platforms/program/report/report_axes.h>

#include "tests/support/test.h"

using namespace fermata::platforms;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

const AxisValue& valueOf(const AxisEffect& effect, const std::string& value) {
  for (const AxisValue& one : effect.values) {
    if (one.value == value) return one;
  }
  throw std::out_of_range(value);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_axes)

// The second kernel takes ten times the cycles of the first: the mapping must not get the credit.
BOOST_AUTO_TEST_CASE(points_are_compared_with_those_that_differ_in_the_axis_alone) {
  const std::vector<AxisColumn> axes{{"kernel", {"a", "a", "b", "b"}},
                                     {"mapping", {"mod", "ami", "mod", "ami"}}};
  const auto effects = axisEffects(axes, {200, 100, 1000, 2000});
  BOOST_TEST_REQUIRE(effects.size() == 2U);
  const AxisEffect& mapping = effects[1];
  BOOST_TEST(mapping.name == "mapping");
  BOOST_TEST(valueOf(mapping, "mod").points == 2U);
  BOOST_TEST(valueOf(mapping, "mod").most == 2);
  BOOST_TEST(valueOf(mapping, "mod").least == 1);
  BOOST_TEST(valueOf(mapping, "mod").best == 1U);
  BOOST_TEST(valueOf(mapping, "mod").mean == std::sqrt(2.0), tt::tolerance(1e-12));
  BOOST_TEST(valueOf(mapping, "ami").mean == std::sqrt(2.0), tt::tolerance(1e-12));
  BOOST_TEST(mapping.range() == 1, tt::tolerance(1e-12));
  BOOST_TEST(effects[0].name == "kernel");
  BOOST_TEST(effects[0].range() == 10, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(axes_come_by_falling_range_and_those_of_one_value_not_at_all) {
  const std::vector<AxisColumn> axes{{"small", {"1", "2", "1", "2"}},
                                     {"platform", {"p", "p", "p", "p"}},
                                     {"large", {"x", "x", "y", "y"}}};
  const auto effects = axisEffects(axes, {10, 11, 30, 33});
  BOOST_TEST_REQUIRE(effects.size() == 2U);
  BOOST_TEST(effects[0].name == "large");
  BOOST_TEST(effects[0].range() == 3, tt::tolerance(1e-12));
  BOOST_TEST(effects[1].name == "small");
  BOOST_TEST(effects[1].range() == 1.1, tt::tolerance(1e-12));
}

// Axes of a zip: neither of them ever changes alone.
BOOST_AUTO_TEST_CASE(axes_that_move_together_are_compared_together) {
  const std::vector<AxisColumn> axes{{"scratchpad.bytes", {"16", "48", "16", "48"}},
                                     {"l1.bytes", {"48", "16", "48", "16"}},
                                     {"kernel", {"a", "a", "b", "b"}}};
  const auto effects = axisEffects(axes, {100, 200, 300, 300});
  for (const AxisEffect& effect : effects) {
    if (effect.name == "kernel") continue;
    BOOST_TEST(effect.values.size() == 2U, effect.name);
    BOOST_TEST(effect.range() == std::sqrt(2.0), tt::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(a_point_with_nothing_to_compare_or_no_figure_counts_nowhere) {
  // "b" has run with one mapping only, and the figure of the last point is unknown.
  const std::vector<AxisColumn> axes{{"kernel", {"a", "a", "b", "a"}},
                                     {"mapping", {"mod", "ami", "mod", "xor"}}};
  const auto effects = axisEffects(axes, {20, 10, 700, kNone});
  for (const AxisEffect& effect : effects) {
    if (effect.name != "mapping") continue;
    BOOST_TEST(effect.values.size() == 2U);
    BOOST_TEST(valueOf(effect, "mod").points == 1U);
    BOOST_TEST(valueOf(effect, "mod").mean == 2, tt::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_SUITE_END()
