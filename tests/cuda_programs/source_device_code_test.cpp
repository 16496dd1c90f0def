// Launches and objects of dynamic shared memory in device code, written anew for clang.
#include <boost/test/unit_test.hpp>

#include <string>

#include <fermata/platforms/program/cc/source_device_code.h>

namespace {

using fermata::platforms::withClangDeviceCode;

std::string launchOf(const std::string& kernel, const std::string& rest) {
  return "::fermata_launch::Launch<decltype(" + kernel + "), " + kernel + ">" + rest;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(source_device_code)

BOOST_AUTO_TEST_CASE(device_code_is_rewritten) {
  const std::string head = "__global__ void k(int* a) {\n  if (a) ";
  const auto becomes = [&](const std::string& launch, const std::string& made) {
    BOOST_TEST(withClangDeviceCode(head + launch + "\n}") == head + made + "\n}");
  };
  becomes("c<<<1, 2>>>(a);", launchOf("c", "(1, 2)(a);"));
  becomes("ns::c<4, f(1 > 0)> <<<dim3(1, 2),\n f(x)[3], s>>>\n(a, (b));",
          launchOf("ns::c<4, f(1 > 0)>", "(dim3(1, 2),\n f(x)[3], s)\n(a, (b));"));
  becomes("::c<<<1, 2>>>(d<<<1>>>());", launchOf("::c", "(1, 2)(" + launchOf("d", "(1)()") + ");"));
  becomes("{ do { c<<<1, 2>>>(a); } while (0); c<<<1, 2>>>(a); }",
          "{ do { " + launchOf("c", "(1, 2)(a);") + " } while (0); " + launchOf("c", "(1, 2)(a);") +
              " }");
}

BOOST_AUTO_TEST_CASE(objects_of_dynamic_shared_memory_are_elements) {
  const std::string head = "__global__ void k() {\n  ";
  const auto becomes = [&](const std::string& before, const std::string& name) {
    BOOST_TEST(withClangDeviceCode(head + before + name + "; }") ==
               head + before + name + "_fermata[]; auto& " + name + " = " + name +
                   "_fermata[0]; }");
  };
  becomes("extern __shared__ Tiles<64, int> ", "s");
  becomes("extern __shared__ __align__(128)\n ns::Tiles ", "tiles_2");
}

BOOST_AUTO_TEST_CASE(other_text_stays) {
  for (const std::string text :
       {"__global__ void k() { extern __shared__ int s[]; s[0] = 1; }",
        "__global__ void k() { extern __shared__ s; extern int t; extern", "extern __shared__ T s;",
        "void f() { extern __shared__ T s; }", "int main() { k<<<1, 2>>>(a); }",
        "__global__ void k(); void f() { k<<<1, 2>>>(a); }",
        "__host__ __device__ void f() { k<<<1, 2>>>(a); }",
        "__global__ void k() {} void f() { k<<<1, 2>>>(a); }",
        "__global__ void k() {\n#define GO \\\n  c<<<1, 2>>>(a)\n  x = a << 3 >> 1;\n}",
        "__global__ void k() { // c<<<1, 2>>>(a)\n  \"c<<<1, 2>>>(a)\"; }",
        "__global__ void k() { c<<<1, 2", "__device__ int t[] = {1}; void f() { k<<<1, 2>>>(); }"})
    BOOST_TEST(withClangDeviceCode(text) == text);
}

BOOST_AUTO_TEST_SUITE_END()
