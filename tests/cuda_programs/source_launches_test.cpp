// Launches in device code, written anew for clang.
#include <boost/test/unit_test.hpp>

#include <string>

#include <fermata/platforms/program/cc/source_launches.h>

namespace {

using fermata::platforms::withDeviceLaunches;

std::string launchOf(const std::string& kernel, const std::string& rest) {
  return "::fermata_launch::Launch<decltype(" + kernel + "), " + kernel + ">" + rest;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(source_launches)

BOOST_AUTO_TEST_CASE(device_code_is_rewritten) {
  const std::string head = "__global__ void k(int* a) {\n  if (a) ";
  const auto becomes = [&](const std::string& launch, const std::string& made) {
    BOOST_TEST(withDeviceLaunches(head + launch + "\n}") == head + made + "\n}");
  };
  becomes("c<<<1, 2>>>(a);", launchOf("c", "(1, 2)(a);"));
  becomes("ns::c<4, f(1 > 0)> <<<dim3(1, 2),\n f(x)[3], s>>>\n(a, (b));",
          launchOf("ns::c<4, f(1 > 0)>", "(dim3(1, 2),\n f(x)[3], s)\n(a, (b));"));
  becomes("::c<<<1, 2>>>(d<<<1>>>());", launchOf("::c", "(1, 2)(" + launchOf("d", "(1)()") + ");"));
  becomes("{ do { c<<<1, 2>>>(a); } while (0); c<<<1, 2>>>(a); }",
          "{ do { " + launchOf("c", "(1, 2)(a);") + " } while (0); " + launchOf("c", "(1, 2)(a);") +
              " }");
}

BOOST_AUTO_TEST_CASE(other_text_stays) {
  for (const std::string text :
       {"int main() { k<<<1, 2>>>(a); }", "__global__ void k(); void f() { k<<<1, 2>>>(a); }",
        "__host__ __device__ void f() { k<<<1, 2>>>(a); }",
        "__global__ void k() {} void f() { k<<<1, 2>>>(a); }",
        "__global__ void k() {\n#define GO \\\n  c<<<1, 2>>>(a)\n  x = a << 3 >> 1;\n}",
        "__global__ void k() { // c<<<1, 2>>>(a)\n  \"c<<<1, 2>>>(a)\"; }",
        "__global__ void k() { c<<<1, 2", "__device__ int t[] = {1}; void f() { k<<<1, 2>>>(); }"})
    BOOST_TEST(withDeviceLaunches(text) == text);
}

BOOST_AUTO_TEST_SUITE_END()
