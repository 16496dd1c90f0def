// Functions of floats by name, handed to function templates: which get a type.
#include <boost/test/unit_test.hpp>

#include <string>

#include <fermata/platforms/program/cc/source_functions.h>

namespace {

using fermata::platforms::withFunctionTypes;

const std::string kTemplate =
    "template <class F, class T> __device__ T reduce(F f, T x) { return f(x, fmaxf(x, 1)); }\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(source_functions)

BOOST_AUTO_TEST_CASE(names_handed_to_templates_get_types) {
  BOOST_TEST(
      withFunctionTypes(kTemplate + "y = reduce(fmaxf, g(x));\nz = reduce<int>(g(1), expf);") ==
      kTemplate +
          "y = reduce(static_cast<float (*)(float, float)>(fmaxf), g(x));\n"
          "z = reduce<int>(g(1), static_cast<float (*)(float)>(expf));");
}

BOOST_AUTO_TEST_CASE(other_names_stay) {
  for (const std::string text :
       {"KERNEL(fmaxf)", "other(expf, 1)", "reduce(fmaxf(1, 2), x)", "reduce(\"fmaxf\", x)",
        "void f(float expf, int x);", "reduce(g, x); (expf)"})
    BOOST_TEST(withFunctionTypes(kTemplate + text) == kTemplate + text);
}

BOOST_AUTO_TEST_SUITE_END()
