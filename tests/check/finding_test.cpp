// The lines that `fermata check` reports, and the messages.
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include <fermata/models/vocabulary/error.h>
#include <fermata/platforms/program/check/finding.h>

#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::platforms;
using Verdict = CheckedLine::Verdict;

namespace {

ConflictLine line(const std::string& file, std::uint32_t number, std::uint64_t wavefronts,
                  std::uint64_t ideal, unsigned degree) {
  ConflictLine one;
  one.workload = "w";
  one.kernel = "k<&>";
  one.file = file;
  one.line = number;
  one.pcs = {24};
  one.opcode = "ld.shared.f32";
  one.accesses = ideal;
  one.wavefronts = wavefronts;
  one.ideal = ideal;
  one.degree = degree;
  return one;
}

CheckedLine judged(const ConflictLine& one, const ConflictLimits& limits,
                   std::vector<AllowedLine> allowed = {}) {
  return judge({one}, limits, allowed).at(0);
}

ConflictLimits degree(unsigned limit) {
  ConflictLimits limits;
  limits.degree = limit;
  return limits;
}
ConflictLimits percent(double limit) {
  ConflictLimits limits;
  limits.excessPercent = limit;
  return limits;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(finding)

BOOST_AUTO_TEST_CASE(a_limit_itself_is_allowed) {
  const ConflictLine one = line("a.cu", 3, 400, 300, 4);  // 25 % excessive
  BOOST_TEST((judged(one, degree(4)).verdict == Verdict::Passed));
  BOOST_TEST((judged(one, degree(3)).verdict == Verdict::Found));
  BOOST_TEST((judged(one, percent(25)).verdict == Verdict::Passed));
  BOOST_TEST((judged(one, percent(24.9)).verdict == Verdict::Found));
  ConflictLimits both = degree(3);
  both.excessPercent = 20;
  BOOST_TEST(judged(one, both).why == "degree 4 (limit 3), 25.0% excessive (limit 20%)");
}

// Two lane groups take one pass each: two wavefronts, no conflict.
BOOST_AUTO_TEST_CASE(groups_of_lanes_are_no_conflict) {
  const ConflictLine wide = line("a.cu", 3, 200, 200, 1);
  BOOST_TEST((judged(wide, degree(1)).verdict == Verdict::Passed));
  BOOST_TEST((judged(wide, percent(0)).verdict == Verdict::Passed));
}

struct Allow {
  const char* text;
  const char* file;
  bool covers;
};
std::ostream& operator<<(std::ostream& out, const Allow& one) {
  return out << one.text << " of " << one.file;
}
const Allow kAllows[] = {
    {"a.cu:3", "a.cu", true},           {"a.cu:3", "kernels/a.cu", true},
    {"a.cu:3", "kernels/aa.cu", false}, {"kernels/a.cu:3", "/x/kernels/a.cu", true},
    {"kernels/a.cu:3", "a.cu", false},  {"a.cu:4", "a.cu", false},
    {"a:b.cu:3", "a:b.cu", true},       {"/x/a.cu:3", "/x/a.cu", true}};

BOOST_DATA_TEST_CASE(a_line_is_allowed_by_the_end_of_its_path, bdata::make(kAllows), one) {
  std::vector<AllowedLine> allowed{parseAllowedLine(one.text)};
  const auto checked = judge({line(one.file, 3, 4, 1, 4)}, degree(1), allowed);
  BOOST_TEST((checked[0].verdict == (one.covers ? Verdict::Allowed : Verdict::Found)));
  BOOST_TEST(allowed[0].found == one.covers);
}

BOOST_AUTO_TEST_CASE(a_line_without_source_is_allowed_as_it_is_printed) {
  std::vector<AllowedLine> allowed{parseAllowedLine("k<&>:pc 24")};
  BOOST_TEST((judge({line("", 0, 4, 1, 4)}, degree(1), allowed)[0].verdict == Verdict::Allowed));
  BOOST_TEST((judge({line("a.cu", 24, 4, 1, 4)}, degree(1), allowed)[0].verdict == Verdict::Found));
}

BOOST_AUTO_TEST_CASE(an_annotation_is_one_line_whatever_the_names_hold) {
  ConflictLine odd = line("a,b:100%.cu", 3, 40, 10, 8);
  odd.workload = "two\nlines";
  const std::string text = githubAnnotation(judged(odd, degree(1)));
  BOOST_TEST(text.rfind("::warning file=a%2Cb%3A100%25.cu,line=3,title=bank conflict::", 0) == 0U,
             text);
  BOOST_TEST(text.find('\n') == std::string::npos);
  BOOST_TEST(githubAnnotation(judged(line("", 0, 40, 10, 8), degree(1)))
                 .rfind("::warning title=bank conflict::", 0) == 0U);
}

BOOST_AUTO_TEST_CASE(what_needs_no_leave_takes_none) {
  std::vector<AllowedLine> allowed{parseAllowedLine("a.cu:3")};
  BOOST_TEST((judge({line("a.cu", 3, 4, 4, 1)}, degree(1), allowed)[0].verdict == Verdict::Passed));
  BOOST_TEST(!allowed[0].found);
}

BOOST_DATA_TEST_CASE(other_texts_allow_nothing,
                     bdata::make({"", "a.cu", "a.cu:", "a.cu:0", "a.cu:-1", "a.cu:3x", ":3",
                                  "a.cu:99999999999"}),
                     text) {
  BOOST_CHECK_THROW(parseAllowedLine(text), BadInput);
}

BOOST_AUTO_TEST_CASE(a_place_without_source_is_a_pc) {
  BOOST_TEST(line("a.cu", 3, 1, 1, 1).place() == "a.cu:3");
  BOOST_TEST(line("", 0, 1, 1, 1).place() == "k<&>:pc 24");
  BOOST_TEST(line("a.cu", 0, 1, 1, 1).place() == "k<&>:pc 24");
}

BOOST_AUTO_TEST_CASE(a_finding_reads_as_a_warning_of_a_compiler) {
  BOOST_TEST(findingText(judged(line("a.cu", 3, 4096, 128, 32), degree(1))) ==
             "a.cu:3: warning: bank conflicts of ld.shared.f32 in k<&>: degree 32 (limit 1); 4,096 "
             "wavefronts, 128 ideal, 3,968 excessive, in 128 accesses [w]");
}

BOOST_AUTO_TEST_CASE(files_say_the_same) {
  std::vector<AllowedLine> allowed{parseAllowedLine("b.cu:5")};
  const auto lines = judge({line("a.cu", 3, 40, 10, 8), line("b.cu", 5, 40, 10, 8),
                            line("c.cu", 7, 10, 10, 1), line("", 0, 20, 10, 2)},
                           degree(1), allowed);
  const auto log = nlohmann::json::parse(sarif(lines, "1.2.3"));
  BOOST_TEST(log.at("version") == "2.1.0");
  const auto& run = log.at("runs").at(0);
  BOOST_TEST(run.at("tool").at("driver").at("version") == "1.2.3");
  const auto& results = run.at("results");
  BOOST_REQUIRE(results.size() == 3U);
  const auto& place = results[0].at("locations").at(0).at("physicalLocation");
  BOOST_TEST(place.at("artifactLocation").at("uri") == "a.cu");
  BOOST_TEST(place.at("region").at("startLine") == 3);
  BOOST_TEST(results[0].at("ruleId") == run.at("tool").at("driver").at("rules").at(0).at("id"));
  BOOST_TEST(results[0].at("properties").at("wavefronts_excessive") == 30);
  BOOST_TEST(!results[0].contains("suppressions"));
  BOOST_TEST(results[1].at("suppressions").at(0).at("kind") == "external");
  BOOST_TEST(results[2].at("locations").at(0).contains("logicalLocations"));

  pugi::xml_document document;
  BOOST_REQUIRE(document.load_string(junit(lines).c_str()));
  const auto suite = document.child("testsuites").child("testsuite");
  BOOST_TEST(suite.attribute("tests").as_int() == 4);
  BOOST_TEST(suite.attribute("failures").as_int() == 2);
  BOOST_TEST(suite.attribute("skipped").as_int() == 1);
  auto test = suite.child("testcase");
  BOOST_TEST(test.attribute("classname").as_string() == std::string("k<&>"));
  BOOST_TEST(!test.child("failure").empty());
  test = test.next_sibling();
  BOOST_TEST(!test.child("skipped").empty());
  test = test.next_sibling();
  BOOST_TEST(test.first_child().empty());
}

BOOST_AUTO_TEST_SUITE_END()
