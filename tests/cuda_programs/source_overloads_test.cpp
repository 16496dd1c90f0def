// Overloads that clang-16 finds ambiguous, marked.
#include <boost/test/unit_test.hpp>

#include <string>

#include <fermata/platforms/program/cc/source_overloads.h>

namespace {

using fermata::platforms::FirstParameter;
using fermata::platforms::packOverloads;
using fermata::platforms::withOverloadsMarked;

const std::string kPack = "template <class A, class... B> void f(T<A, B...> const& t) {}\n";
const std::string kMark = " __attribute__((enable_if(true, \"\")))";

}  // namespace

BOOST_AUTO_TEST_SUITE(source_overloads)

BOOST_AUTO_TEST_CASE(packs_of_first_parameters_are_found) {
  const auto of = [](const std::string& source) { return packOverloads(source); };
  BOOST_TEST((of(kPack) == std::set<FirstParameter>{{"f", "T"}}));
  BOOST_TEST((of("void g (\n  U<B...>& u)") == std::set<FirstParameter>{{"g", "U"}}));
  for (const std::string none : {"int f(int a, T<B...> t);", "struct S : T<B...> {};",
                                 "f(T<g<A>, B...> t)", "x = a<...>b;", ""})
    BOOST_TEST(of(none).empty(), none);
}

BOOST_AUTO_TEST_CASE(more_special_overloads_are_marked) {
  const auto marked = [](const std::string& source) {
    return withOverloadsMarked(source, packOverloads(kPack));
  };
  BOOST_TEST(marked("template <class A>\nvoid f(T<A> const& t,\n  g(int) x)\n{ f(t); }") ==
             "template <class A>\nvoid f(T<A> const& t,\n  g(int) x)" + kMark + "\n{ f(t); }");
  BOOST_TEST(marked("void f( T < A > t) {} void f(T<B> t) {}") ==
             "void f( T < A > t)" + kMark + " {} void f(T<B> t)" + kMark + " {}");
  for (const std::string& same :
       {kPack, std::string("f(T<A>());"), std::string("void g(T<A> t) {}"),
        std::string("void f(U<A> t) {}"), std::string("void f(T<A> t);"), std::string("f(T<A"),
        std::string("void f(T<A, B> t) {}"), std::string("if (a < b) {}")})
    BOOST_TEST(marked(same) == same);
  BOOST_TEST(withOverloadsMarked("void f(T<A> t) {}", {}) == "void f(T<A> t) {}");
}

BOOST_AUTO_TEST_SUITE_END()
