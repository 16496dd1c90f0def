// Studies say things once: tables as rows under columns, workloads and variants of a base.
#include <fermata/platforms/program/study/study_pieces.h>

#include "tests/study/support.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::platforms::test;

namespace {

const std::string kThreeLines = kHead + "kind = 'runs'\n";  // three lines

Study studyOf(const std::string& text) {
  const Folder folder;
  return openStudy(folder.file(kThreeLines + text));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_rows)

BOOST_AUTO_TEST_CASE(are_tables_with_what_stands_beside_them) {
  const Study study = studyOf(
      "[[variant]]\nlabel = 'first'\n"
      "[[variant]]\nset = ['l1.ways=2']\ncolumns = ['label', 'mapping', 'less']\n"
      "rows = [\n['one', 'ami 33', 3],\n['two', '', 4.5],\n['three']\n]\n"
      "[[workload]]\nlabel = 'a {}'\ncolumns = ['name', 'parameters']\n"
      "rows = [['stride', { stride = 2 }], ['dwt']]\n");
  BOOST_TEST_REQUIRE(study.variants.size() == 4U);
  BOOST_TEST(study.variants[1].label == "one");
  BOOST_TEST(study.variants[1].mapping == "ami 33");
  BOOST_TEST(study.variants[1].less == 3);
  BOOST_TEST(study.variants[1].where.line == 10U);
  BOOST_TEST(study.variants[2].mapping.empty());
  BOOST_TEST(study.variants[2].less == 4.5);
  BOOST_TEST(study.variants[3].label == "three");
  BOOST_TEST(study.variants[3].less == 0);
  BOOST_TEST(study.variants[3].sets == std::vector<std::string>{"l1.ways=2"});
  BOOST_TEST_REQUIRE(study.workloads.size() == 2U);
  BOOST_TEST(study.workloads[0].label == "a stride");
  BOOST_TEST(study.workloads[0].parameters.at("stride") == "2");
  BOOST_TEST(study.workloads[1].label == "a dwt");
  BOOST_TEST(study.workloads[1].parameters.empty());
}

BOOST_AUTO_TEST_CASE(share_the_figures_of_a_note) {
  const Study study = studyOf(
      "[[workload]]\nname = 'dwt'\n[[variant]]\ncolumns = ['label']\nrows = [['a'], ['b']]\n"
      "[[compare]]\nmeasure = 'cycles'\nplace = 'here'\nnote = '{x}'\n"
      "figures.x = { measure = 'conflicts' }\n"
      "columns = ['subject', 'variant']\nrows = [['one', 'a'], ['two', 'b']]\n");
  BOOST_TEST_REQUIRE(study.comparisons.size() == 2U);
  BOOST_TEST(study.comparisons[0].figures.at("x").variant == "a");
  BOOST_TEST(study.comparisons[1].figures.at("x").variant == "b");
}

using Refusal = std::pair<const char*, const char*>;  ///< text of the table; begin of the refusal
const Refusal kRefusals[] = {
    {"rows = [['a']]", "4:1: a variant lacks 'columns'; expected this key"},
    {"columns = ['label']", "4:1: a variant lacks 'rows'; expected this key"},
    {"columns = ['label']\nrows = []", "6:8: 'rows' is no list; expected an array of rows"},
    {"columns = ['label']\nrows = 'a'", "6:8: 'rows' is no list; expected an array of rows"},
    {"columns = ['label']\nrows = ['a']",
     "6:9: 'rows' holds a string that does not fit; expected an array of up to 1 values"},
    {"columns = ['label']\nrows = [['a', 3]]",
     "6:9: 'rows' holds an array that does not fit; expected an array of up to 1 values"},
    {"columns = ['label', 'label']\nrows = [['a', 'b']]",
     "5:11: 'columns' names 'label', which has another value; expected each key once"},
    {"label = 'a'\ncolumns = ['label']\nrows = [['b']]",
     "6:11: 'columns' names 'label', which has another value; expected each key once"},
    {"columns = ['label', 'size']\nrows = [['a', 1]]",
     "5:11: unknown key 'size' in a variant; expected one of against, by_instruction, columns"},
    {"columns = ['label', 'less']\nrows = [['a'], ['b', 'c']]",
     "6:22: 'less' is a string; expected a number"},
    {"columns = ['label', 'less']\nrows = [['a'], ['', 1]]",
     "6:16: a variant lacks 'label'; expected this key"}};

BOOST_DATA_TEST_CASE(are_refused_with_their_place, bdata::xrange(std::size(kRefusals)), i) {
  const auto [text, expected] = kRefusals[i];
  const std::string said = refusal(kThreeLines + "[[variant]]\n" + text + "\n");
  BOOST_TEST(begins(said, std::string("mine.toml:") + expected), said);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(study_base)

const std::string kBase = kThreeLines +
                          "platform = 'k20'\nworkloads = ['stride']\n[[workload]]\nname = "
                          "'dwt'\n[[variant]]\nlabel = 'a'\n";

Study studyOn(const std::string& text, const std::string& base = kBase) {
  const Folder folder;
  folder.file(base, "other.toml");
  return openStudy(folder.file(kThreeLines + text));
}

BOOST_AUTO_TEST_CASE(gives_what_a_study_has_not_itself) {
  const Study both = studyOn("base = 'other.toml'\n");
  BOOST_TEST_REQUIRE(both.workloads.size() == 2U);
  BOOST_TEST(both.workloads[0].name == "stride");
  BOOST_TEST(both.workloads[1].name == "dwt");
  BOOST_TEST(both.workloads[1].platform == "k20");
  BOOST_TEST_REQUIRE(both.variants.size() == 1U);
  BOOST_TEST(both.variants[0].label == "a");
  const Study own = studyOn("base = 'other.toml'\n[[variant]]\nlabel = 'b'\nonly = ['dwt']\n");
  BOOST_TEST(own.workloads.size() == 2U);
  BOOST_TEST(studyOn("platform = 'p'\nbase = 'other.toml'\n").workloads[1].platform == "p");
  BOOST_TEST_REQUIRE(own.variants.size() == 1U);
  BOOST_TEST(own.variants[0].label == "b");
  BOOST_TEST(studyOn("base = 'other.toml'\nworkloads = ['fwt']\n").workloads[0].name == "fwt");
  BOOST_TEST(studyOn("base = 'xor-table6'\n").workloads.size() == 22U);
  BOOST_TEST(studyOn("base = 'xor-table6'\n").followed.size() == 13U);
  const Study one = studyOn("base = 'xor-table6'\nworkloads = ['fft1', 'fwt']\n");
  BOOST_TEST(one.followed.size() == 1U);
  BOOST_TEST(one.followed.count("fft1") == 1U);
  // Searches of the base's variants are none of a study of configurations.
  BOOST_TEST(!searchPieces(openStudy("xor-table6")).empty());
  BOOST_TEST(searchPieces(openStudy("xor-table5")).empty());
}

BOOST_AUTO_TEST_CASE(is_refused_with_its_place) {
  const auto said = [](const std::string& text, const std::string& base = kBase) {
    return errorOf<InputError>([&] { studyOn(text, base); });
  };
  BOOST_TEST(has(said("base = 'none'\n"), "mine.toml:4:8: unknown study 'none'; expected one of"));
  BOOST_TEST(has(said("base = 'none.toml'\n"), "none.toml: cannot be read; expected a study in"));
  BOOST_TEST(has(said("base = 'other.toml'\n", kThreeLines + "base = 'xor-table6'\n"),
                 "mine.toml:4:8: the study 'other.toml' has a base itself; expected one without"));
  BOOST_TEST(has(said("base = 'other.toml'\n", kBase + "size = 3\n"),
                 "other.toml:10:1: unknown key 'size' in a variant"));
}

BOOST_AUTO_TEST_SUITE_END()
