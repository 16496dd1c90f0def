// Constexpr functions of the device for both sides.
#include <boost/test/unit_test.hpp>

#include <string>

#include <fermata/platforms/program/cc/source_constexpr.h>

namespace {

using fermata::platforms::deviceMacros;
using fermata::platforms::withSharedConstexpr;

}  // namespace

BOOST_AUTO_TEST_SUITE(source_constexpr)

BOOST_AUTO_TEST_CASE(macros_of_the_device_are_found) {
  const std::string source =
      "#define D __forceinline__ \\\n __device__\n#define H __host__ __device__\n#define E\n"
      "#  define X 1\n#define F(a) __device__ a\n#define G __device__";
  BOOST_TEST((deviceMacros(source) == std::set<std::string>{"D", "G"}));
}

BOOST_AUTO_TEST_CASE(functions_are_of_both_sides) {
  const auto becomes = [](const std::string& source, const std::string& wanted) {
    BOOST_TEST(withSharedConstexpr(source, {"D"}) == wanted);
  };
  becomes("__device__ constexpr int f(int a);", "__device__ __host__ constexpr int f(int a);");
  becomes("D static constexpr\nauto f(int a) {}", "D static __host__ constexpr\nauto f(int a) {}");
  becomes("constexpr D T<int, 2> f(int a);", "__host__ constexpr D T<int, 2> f(int a);");
}

BOOST_AUTO_TEST_CASE(others_stay) {
  for (const std::string source :
       {"__host__ __device__ constexpr int f(int a);", "constexpr int f(int a);",
        "__device__ int f(int a);", "__device__ constexpr int x = f(1);",
        "__device__ constexpr int y{1};", "if constexpr (a) {}", "E constexpr int f();"})
    BOOST_TEST(withSharedConstexpr(source, {"D"}) == source);
}

BOOST_AUTO_TEST_SUITE_END()
