// The linker of PTX: which definition stays, whose names change, and what is refused.
#include <boost/test/unit_test.hpp>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/linker.h>
#include <fermata/stimuli/ptx/module.h>

#include "tests/support/test.h"

namespace {

using namespace fermata;
using fermata::test::has;

std::string unit(const std::string& items, const char* version = "7.0",
                 const char* target = "sm_70") {
  return std::string(".version ") + version + "\n.target " + target + "\n.address_size 64\n" +
         items;
}

ptx::LinkedModule linked(const std::vector<std::string>& texts) {
  std::vector<ptx::LinkUnit> units;
  for (std::size_t k = 0; k < texts.size(); ++k)
    units.push_back({texts[k], "part" + std::to_string(k) + ".o", false});
  return ptx::link(units);
}

std::string refusal(const std::vector<std::string>& texts) {
  try {
    ptx::parse(linked(texts).text, "linked");
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++found;
  return found;
}

const std::string kCaller =
    ".extern .func f;\n.extern .global .align 4 .u32 x;\n"
    ".visible .entry k() { .reg .b32 %r<2>; ld.global.u32 %r1, [x]; call.uni f, (); ret; }\n";
const std::string kCallee = ".visible .global .align 4 .u32 x = 5;\n.visible .func f() { ret; }\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(linker)

BOOST_AUTO_TEST_CASE(definitions_meet_declarations_in_either_order) {
  for (const auto& texts :
       {std::vector{unit(kCaller), unit(kCallee)}, std::vector{unit(kCallee), unit(kCaller)}}) {
    const auto module = ptx::parse(linked(texts).text, "linked");
    BOOST_TEST(module->kernel("k").instructionCount() > 1U);
    BOOST_REQUIRE(module->variables().size() == 1);
    BOOST_TEST(module->variables()[0].second == 4U);
  }
}

BOOST_AUTO_TEST_CASE(the_newest_version_and_target_stand_above_all) {
  const std::string text = linked({unit("", "6.0", "sm_86"), unit("", "7.8", "sm_70")}).text;
  BOOST_TEST(has(text, ".version 7.8\n.target sm_86\n"));
  BOOST_TEST(count(text, ".version") == 1U);
}

BOOST_AUTO_TEST_CASE(names_of_one_unit_stay_apart) {
  const std::string own = ".global .align 4 .u32 x = 1;\n.func f() { ret; }\n";
  const auto module = linked({unit(own + ".visible .entry a() { call.uni f, (); ret; }"),
                              unit(own + ".visible .entry b() { call.uni f, (); ret; }")});
  BOOST_TEST(count(module.text, ".func f()") == 1U);
  BOOST_TEST(count(module.text, "call.uni f__2, ()") == 1U);
  BOOST_TEST(module.renamed[0].empty());
  BOOST_TEST(module.renamed[1].at("x") == "x__2");
  ptx::parse(module.text, "linked");
}

BOOST_AUTO_TEST_CASE(clang_s_two_names_of_a_static_variable_are_one) {
  const auto module =
      linked({unit(".extern .global .align 4 .u32 s;\n"
                   ".visible .global .align 4 .u32 s__static__0123456789abcdef = 3;\n"
                   ".visible .entry k() { .reg .b32 %r<2>; ld.global.u32 %r1, [s]; ret; }")});
  BOOST_TEST(count(module.text, ".global .align 4 .u32 s = 3;") == 1U);
  BOOST_TEST(count(module.text, ".extern") == 0U);
  BOOST_TEST(module.renamed[0].at("s") == "s");
  ptx::parse(module.text, "linked");
}

BOOST_AUTO_TEST_CASE(a_strong_definition_replaces_weak_ones_and_the_first_weak_one_the_others) {
  const std::string weak =
      ".weak .global .align 4 .u32 x = 1;\n.weak .func f() { ret; }\n"
      ".visible .entry k{}() { call.uni f, (); ret; }\n";
  const auto named = [&](const char* name) {
    std::string text = weak;
    return unit(text.replace(text.find("{}"), 2, name));
  };
  const std::string text = linked({named("1"), named("2"), unit(kCallee)}).text;
  BOOST_TEST(count(text, "= 1") == 0U);
  BOOST_TEST(count(text, "= 5") == 1U);
  ptx::parse(text, "linked");
  const std::string both = linked({named("1"), named("2")}).text;
  BOOST_TEST(count(both, "= 1") == 1U);
  ptx::parse(both, "linked");
}

BOOST_AUTO_TEST_CASE(source_files_keep_their_lines) {
  const std::string body = ".visible .entry {}() {\n.loc 1 7 0\nret;\n}\n.file 1 \"{}.cu\"\n";
  const auto named = [&](const char* name) {
    std::string text = body;
    for (std::size_t at = 0; (at = text.find("{}")) != std::string::npos;)
      text.replace(at, 2, name);
    return unit(text);
  };
  const auto module = ptx::parse(linked({named("a"), named("b")}).text, "linked");
  BOOST_TEST(module->kernel("a").text(0).file == "a.cu");
  BOOST_TEST(module->kernel("b").text(0).file == "b.cu");
  BOOST_TEST(module->kernel("b").text(0).line == 7U);
}

BOOST_AUTO_TEST_CASE(missing_and_double_symbols_are_refused_by_name) {
  BOOST_TEST(
      has(refusal({unit(kCaller)}), "not defined: 'f' of part0.o, 'x' of part0.o; expected"));
  BOOST_TEST(refusal({unit(".extern .func _Z5scalef;\n")}).find("'scale(float)'") !=
             std::string::npos);
  BOOST_TEST(has(refusal({unit(kCallee), unit(kCallee)}),
                 "'x' is defined in part0.o and in part1.o; expected one definition"));
  BOOST_TEST(has(refusal({unit(".extern .global .align 8 .u64 x;"), unit(kCallee)}),
                 "'x' has 4 bytes; its declaration at line 4 has 8"));
  BOOST_TEST(has(refusal({unit(".visible .func f() { ret;")}), "the file ends within"));
  BOOST_TEST(refusal({unit(".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);")})
                 .empty());
}

BOOST_AUTO_TEST_SUITE_END()
