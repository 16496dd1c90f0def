// Deduction guides that clang needs, written behind the classes.
#include <boost/test/unit_test.hpp>

#include <string>

#include <fermata/platforms/program/cc/source_guides.h>

namespace {

using fermata::platforms::withDeductionGuides;

/// Returns a class template with a nested class and a function that deduces its arguments.
std::string outer(const std::string& nested, const std::string& guides,
                  const std::string& use = "return P{a, 1};") {
  return "template <class X> struct O {\n" + nested + guides + "\nauto f(int a) { " + use +
         " }\n};\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(source_guides)

BOOST_AUTO_TEST_CASE(nested_classes_get_guides) {
  const auto becomes = [](const std::string& nested, const std::string& guides) {
    BOOST_TEST(withDeductionGuides(outer(nested, "")) == outer(nested, guides));
  };
  becomes(
      "template <class A, int N = f(1, 2)> class P : public B<A> {\n public:\n  DEVICE explicit "
      "P(A const& a, // a\n    T<N, 2> b = {}) : a(a), b{b} { g(P(a)); }\n  ~P();\n};",
      " template <class A, int N = f(1, 2)> __host__ __device__ P(A const& a, T<N, 2> b = {}) -> "
      "P<A, N>;");
  becomes("template <template <class> class A, class... B>\nstruct P { P(B... b); P(int); };",
          " template <template <class> class A, class... B> __host__ __device__ P(B... b) -> P<A, "
          "B...>; template <template <class> class A, class... B> __host__ __device__ P(int) -> "
          "P<A, B...>;");
}

BOOST_AUTO_TEST_CASE(others_stay) {
  const std::string plain = "template <class A> struct P { P(A a); };";
  for (const std::string& source :
       {plain + " template <class A> auto f(A a) { return P{a}; }",  // clang makes this one
        outer(plain, "", "return P<int>{a};"),
        outer(plain + " template <class A> P(A) -> P<A>;", ""),
        outer("template <class A> struct P { P(P const& a); template <class B> P(B b); P(); };",
              ""),
        outer("template <class> struct P { P(int a); };", ""),
        outer("template <class A> struct P<A*> { P(A a); };", ""),
        outer("template <class A> struct P; template <class A> void g(A a);", ""),
        std::string("template <class A> struct P { P(A a); // no end\ntemplate")})
    BOOST_TEST(withDeductionGuides(source) == source);
}

BOOST_AUTO_TEST_SUITE_END()
