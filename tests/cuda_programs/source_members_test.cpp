// Keywords before member templates.
#include <boost/test/unit_test.hpp>

#include <string>

#include <fermata/platforms/program/cc/source_members.h>

namespace {

using fermata::platforms::withTemplateKeywords;

const std::string kHead = "template <class A, class B> int f(A a) { ";

}  // namespace

BOOST_AUTO_TEST_SUITE(source_members)

BOOST_AUTO_TEST_CASE(calls_of_member_templates_get_the_keyword) {
  const auto becomes = [](const std::string& body, const std::string& wanted) {
    BOOST_TEST(withTemplateKeywords(kHead + body) == kHead + wanted);
  };
  becomes("cast<A, B>::run<4>(a);", "cast<A, B>::template run<4>(a);");
  becomes("return n::cast<A, T<B>>::C<A>::run<int, n::X<3>>\n(a);",
          "return n::cast<A, T<B>>::C<A>::template run<int, n::X<3>>\n(a);");
  becomes("x = A::next<N>(1); y = n::A::next<N>(2);",
          "x = A::template next<N>(1); y = n::A::template next<N>(2);");
  becomes("f<decltype(g(a))::source_type, decltype(a)::N>(b);",
          "f<typename decltype(g(a))::source_type, decltype(a)::N>(b);");
  becomes("return sizeof(A::tile_t) + sizeof(A::N);",
          "return sizeof(typename A::tile_t) + sizeof(A::N);");
  becomes("f<A::tile_t, A::N>(b); f<n, B::type>(b);",
          "f<typename A::tile_t, A::N>(b); f<n, typename B::type>(b);");
  becomes("struct S { using tile = A; struct row {}; }; f<A::tile, A::rows>(b); f<A::row>(b);",
          "struct S { using tile = A; struct row {}; }; f<typename A::tile, A::rows>(b); "
          "f<typename A::row>(b);");
  becomes("x = a.load<N>(1) + p->load<N>(2);",
          "x = a.template load<N>(1) + p->template load<N>(2);");
}

BOOST_AUTO_TEST_CASE(others_stay) {
  for (const std::string body :
       {"cast<A, B>::template run<4>(a);", "a.template load<N>(1);", "n::run<4>(a);",
        "cast<A>::run(a);", "f<typename A::t_t>(a);", "f<A::N>(a);", "f<n::x_t>(a);",
        "std::get<0>(a);", "cast<A>::kN < b && c > (d);", "a.x < b;", "a.x < (b) > (c);",
        "// cast<A>::run<4>(a);", "\"a.load<N>(1)\";", "auto t = cast<A>::type<4>{};"})
    BOOST_TEST(withTemplateKeywords(kHead + body) == kHead + body);
  BOOST_TEST(withTemplateKeywords("template <int n, n::all R> int f() { return sizeof(R::T); }") ==
             "template <int n, n::all R> int f() { return sizeof(typename R::T); }");
  // Declarations name no member of an unknown class.
  for (const std::string& source :
       {std::string("template void S<int>::h<3>();"),
        std::string("template <> template <> void S<float>::h<5>() {}"),
        std::string("template <> template <> S<int>::S<char>(char c) {}"),
        std::string("template <> template <> int* S<int>::p<1>() {}"),
        std::string("using n::f; template <class A> int g(typename n::T t) { return n::f<A>(t); }"),
        std::string("a.f<1>(2);")})
    BOOST_TEST(withTemplateKeywords(source) == source);
}

BOOST_AUTO_TEST_SUITE_END()
