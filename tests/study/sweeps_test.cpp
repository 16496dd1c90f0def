// Sweeps of variants, pictures, and studies of moduli: what a file may contain, and the result.
#include <fermata/platforms/program/study/study_moduli.h>
#include <fermata/platforms/program/study/study_picture.h>
#include "tests/study/support.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::platforms::test;

namespace {

const std::string kSweptRuns = kHead + "kind = 'runs'\nworkloads = ['a', 'b']\n";
const std::string kBase = "[[variant]]\nlabel = 'base'\n";
const std::string kModuli = kHead + "kind = 'moduli'\n";

std::string sweep(const std::string& more, const std::string& label = "{}") {
  return kSweptRuns + kBase + "[[variant]]\nlabel = '" + label + "'\nsweep = { " + more + " }\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_sweeps)

BOOST_AUTO_TEST_CASE(a_sweep_makes_a_variant_a_number) {
  const Study study =
      readStudy(kSweptRuns + kBase +
                "[[variant]]\nlabel = '{} banks'\nset = ['x=1']\n"
                "sweep = { set = 'ami={}/32', from = 47, to = 49, mark_easy = true }\n");
  BOOST_REQUIRE_EQUAL(study.variants.size(), 4U);
  BOOST_TEST(!study.variants[0].swept);
  BOOST_TEST(study.variants[1].label == "47 banks");
  BOOST_TEST(study.variants[2].label == "48+ banks");  // +: one row per digit; 47 has 8, 49 has 7
  BOOST_TEST(study.variants[3].swept);
  BOOST_TEST((study.variants[3].sets == std::vector<std::string>{"x=1", "ami=49/32"}));
  BOOST_TEST(readStudy(sweep("set = 'a={}', from = 48, to = 48")).variants[1].label == "48");
}

BOOST_AUTO_TEST_CASE(bad_sweeps_are_refused) {
  BOOST_TEST(begins(refusal(sweep("set = 'a=32', from = 1, to = 2")),
                    "mine.toml:9:17: 'set' of a sweep is 'a=32'; expected {}"));
  BOOST_TEST(begins(refusal(sweep("set = 'a={}', from = 1, to = 2", "all")),
                    "mine.toml:8:9: 'label' of a sweep is 'all'; expected {}"));
  for (const char* range : {"from = 0, to = 2", "from = 3, to = 2", "from = 1, to = 4097"}) {
    refuses(sweep(std::string("set = 'a={}', ") + range), "expected 1 <= from <= to <= 4096");
  }
  refuses(sweep("set = 'a={}', from = 1"), "lacks 'to'");
  refuses(sweep("set = 'a={}', from = 1, to = 2, step = 2"), "unknown key 'step'");
  refuses(sweep("set = 'a={}', from = 32, to = 33") + "[[variant]]\nlabel = '33'\n",
          "another variant has the label '33'");
}

BOOST_AUTO_TEST_CASE(the_best_of_a_sweep_is_a_figure) {
  const std::string variants =
      kSweptRuns + "[[variant]]\nlabel = '{}'\nsweep = { set = 'a={}', from = 1, to = 3 }\n";
  const std::string compare =
      "[[compare]]\nsubject = 's'\nplace = 'p'\nvariant = 'best of the sweep'\nmeasure = "
      "'speedup'\n";
  StudyCells cells = someCells();
  cells[0][2] = cells[0][1];
  cells[0][2]->cycles = 500;
  const Study study = readStudy(variants + compare);
  BOOST_TEST(summarise(study, cells, study.comparisons.at(0)).value() == 2.0);
  refuses(kSweptRuns + kBase + compare, "no variant has the label 'best of the sweep'");
}

BOOST_AUTO_TEST_CASE(a_baseline_is_a_variant_before_or_itself) {
  const std::string against = "[[variant]]\nlabel = 'w'\nagainst = ";
  BOOST_TEST(readStudy(kSweptRuns + kBase + "[[variant]]\nlabel = 'v'\n" + against + "'v'\n")
                 .variants[2]
                 .baseline == 1U);
  BOOST_TEST(readStudy(kSweptRuns + kBase + against + "'w'\n").variants[1].baseline == 1U);
  BOOST_TEST(begins(refusal(kSweptRuns + kBase + "[[variant]]\nlabel = 'w'\nlike = 'w'\n"),
                    "mine.toml:9:8: no variant before this one has the label 'w'"));
  BOOST_TEST(begins(refusal(kSweptRuns + kBase + against + "'x'\n"),
                    "mine.toml:9:11: no variant before this one has the label"));
}

BOOST_AUTO_TEST_CASE(a_picture_has_the_figures_of_the_cells) {
  const Study study = readStudy(kSweptRuns + kBase +
                                "[[variant]]\nlabel = 'a \"b\"'\n[[variant]]\nlabel = 'c'\n"
                                "[picture]\nstyle = 'bars'\nmeasures = ['cycles', 'speedup']\n");
  const auto drawn = panels(study, someCells());
  BOOST_REQUIRE_EQUAL(drawn.size(), 2U);
  BOOST_TEST(drawn[0].places == (std::vector<std::string>{"a", "b"}));
  BOOST_TEST(drawn[1].series.at(1).values.at(0).value() == 1.25);
  BOOST_TEST(!drawn[1].series.at(2).values.at(0));
  const std::string picked = kSweptRuns + kBase +
                             "[[variant]]\nlabel = 'c'\n[picture]\nstyle = 'bars'\n"
                             "measures = ['cycles']\nonly = ['b']\nvariants = ";
  const auto few = panels(readStudy(picked + "['c']\n"), someCells());
  BOOST_REQUIRE_EQUAL(few.at(0).series.size(), 1U);
  BOOST_TEST(few[0].series[0].name == "c");
  BOOST_TEST(few[0].series[0].values.at(0).value() == 400.0);
  refuses(picked + "['d']\n", "no variant has the label 'd'");
  const std::string script = gnuplotScript("mine", "t", drawn);
  BOOST_TEST(has(script, "\"a\" 1000 800 ?\n"), script);
  BOOST_TEST(has(script, "title \"a \\\"b\\\"\""), script);
  BOOST_TEST(has(script, "set output \"mine.svg\""));
  BOOST_TEST(has(script, "set ylabel \"cycles\""));
  BOOST_TEST(has(script, "norotate"));
}

BOOST_AUTO_TEST_CASE(lines_of_ours_name_their_places) {
  for (const char* kind : {kPaperStudies, kSiliconStudies}) {
    for (const Study& study : listStudies(kind)) {
      if (!study.picture || !study.picture->axis.empty()) continue;
      const auto style = study.picture->style;
      const bool lines =
          style == StudyPicture::Style::OverVariants || style == StudyPicture::Style::OverWorkloads;
      // Places such as "n=1" name their parameter at the axis.
      BOOST_TEST((!lines || has(study.workloads.front().label, "=")), study.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(lines_run_over_a_sweep_or_over_workloads) {
  const std::string variants =
      kSweptRuns + kBase +
      "[[variant]]\nlabel = '{}'\nsweep = { set = 'a={}', from = 1, to = 2 }\n";
  const auto drawn = [&](const std::string& style) {
    return panels(
               readStudy(variants + "[picture]\nstyle = '" + style + "'\nmeasures = ['cycles']\n"),
               someCells())
        .at(0);
  };
  BOOST_TEST(drawn("lines-over-variants").places == (std::vector<std::string>{"1", "2"}));
  BOOST_TEST(drawn("lines-over-variants").series.at(1).values.at(0).value() == 400.0);
  BOOST_TEST(drawn("lines-over-workloads").places == (std::vector<std::string>{"a", "b"}));
  BOOST_TEST(drawn("stacked").series.size() == 1U);
  refuses(kSweptRuns + kBase + "[picture]\nstyle = 'lines-over-variants'\n",
          "expected a variant with 'sweep'");
  const std::string published = kSweptRuns + kBase +
                                "[picture]\nstyle = 'lines-over-workloads'\nmeasures = ['time']\n"
                                "published = { name = 'theirs', values = ";
  BOOST_TEST(
      panels(readStudy(published + "[1, 2.5] }\n"), someCells())[0].series[1].values[1].value() ==
      2.5);
  for (const char* values : {"[1]", "[1, 2, 3]", "1"}) {
    refuses(published + values + " }\n", "expected one of each of 2 workloads");
  }
  for (const char* values : {"[1, 'x']", "[1, nan]", "[-inf, 1]"})
    refuses(published + values + " }\n", "expected numbers");
  const std::string lines =
      kHead + "kind = 'runs'\n" +
      "measures = ['cycles']\nworkloads = ['x a', 'y a']\n[[variant]]\nlabel = "
      "'base'\n[[variant]]\nlabel = 'fixed'\n[picture]\nstyle = "
      "'lines-over-workloads'\nvariants = ['base']\nlines = ";
  const auto twoLines = panels(readStudy(lines + "['x ', 'y ']\n"), someCells());
  BOOST_TEST(twoLines.at(0).places == std::vector<std::string>{"a"});
  BOOST_TEST(twoLines[0].series.at(0).name == "x");
  BOOST_TEST(twoLines[0].series.at(1).values.at(0).value() == 500.0);
  refuses(lines + "['x ', '']\n", "'' has 2 workloads and 'x ' has 1");
  refuses(lines + "['z']\n", "no workload's label begins with 'z'");
  refuses(lines + "['x ']\ngroups = ['y ']\n", "without groups");
  refuses(kSweptRuns + kBase + "[picture]\nstyle = 'pie'\n", "unknown style");
}

// Moduli 33 to 63 of the AMI paper: section III.A counts eleven with two levels or fewer.
BOOST_AUTO_TEST_CASE(moduli_are_counted_listed_and_looked_up) {
  const Study study =
      readStudy(kModuli +
                "address_bits = 32\n[moduli]\nfrom = 33\nto = 63\n"
                "[[figure]]\nclaim = 'ami.cost.levels'\nof = 'levels'\nat_most = 2\n"
                "[[figure]]\nclaim = 'ami.cost.inefficient'\nof = 'width'\nover = 30\n"
                "[[figure]]\nclaim = 'ami.cost.full_adders'\nof = 'full_adders'\n"
                "modulus = 255\n");
  const auto rows = modulusRows(study);
  BOOST_TEST(rows.size() == 31U);
  const auto figures = compareModuli(study, rows);
  BOOST_REQUIRE_EQUAL(figures.size(), 3U);
  BOOST_TEST(figures[0].ours.value() == 11.0);
  BOOST_TEST(figures[0].published.value() == 11.0);
  BOOST_TEST(figures[1].oursText == "37 53 59 61");
  BOOST_TEST(figures[1].text == "37 53 59 61");
  BOOST_TEST(figures[2].ours.value() == 24.0);
}

// Seznec: MOD alone is less than DIV and MOD, and the rows are a power of two.
BOOST_AUTO_TEST_CASE(moduli_have_gates_and_rows_of_a_memory) {
  const Study study = readStudy(kModuli +
                                "[moduli]\nfrom = 31\nto = 63\nwords = 12288\n"
                                "[[figure]]\nclaim = 'seznec.cheap_moduli'\nof = 'seznec_gates'\n"
                                "fewest = 3\n"
                                "[[figure]]\nclaim = 'ami.cost.levels'\nof = 'ami_gates'\n"
                                "at_most = 1000\n");
  const auto rows = modulusRows(study);
  for (const ModulusRow& row : rows) {
    BOOST_TEST(row.ami.rows == (12288 + row.modulus - 1) / row.modulus);
    if (row.modulus == 32) continue;
    BOOST_TEST((row.seznec.rows & (row.seznec.rows - 1)) == 0U);
    if (row.levels == 1) BOOST_TEST(row.seznec.gates.value() < row.ami.gates.value());
  }
  BOOST_TEST(rows[33 - 31].seznec.rows == 512U);
  BOOST_TEST(rows[48 - 31].seznec.rows == 256U);
  BOOST_TEST(rows[62 - 31].seznec.rows == 256U);
  const auto figures = compareModuli(study, rows);
  BOOST_TEST(figures.at(0).oursText == "32 40 56");  // 32: wires
  BOOST_TEST(figures.at(1).ours.value() < 33.0);
  BOOST_TEST(panels(study, rows).at(0).series.size() == 2U);
  std::ostringstream out;
  printModuli(study, rows, out);
  BOOST_TEST(has(out.str(), "gates: ami"));
}

BOOST_AUTO_TEST_CASE(bad_moduli_are_refused) {
  const std::string range = "[moduli]\nfrom = 33\nto = 63\n";
  const std::string figure = "[[figure]]\nclaim = 'c'\nof = 'levels'\n";
  BOOST_TEST(begins(refusal(kModuli), "mine.toml:3:8: no 'moduli'"));
  refuses(kModuli + "[moduli]\nfrom = 33\nto = 32\n", "'to' is 32; expected 33");
  refuses(kModuli + "[moduli]\nfrom = 0\nto = 32\n", "'from' is 0; expected 1");
  refuses(kModuli + range + figure, "0 of 'at_most', 'over', 'fewest' and 'modulus'");
  refuses(kModuli + range + figure + "fewest = 0\n", "'fewest' is 0; expected 1 or more");
  refuses(kModuli + range + "words = -1\n", "'words' is -1; expected 1 to");
  refuses(kModuli + range + "[[figure]]\nclaim = 'c'\nof = 'ami_gates'\nfewest = 2\n",
          "gates without a memory; expected 'words'");
  refuses(kModuli + range + figure + "at_most = 2\nover = 3\n", "2 of");
  refuses(kSweptRuns + kBase + range, "are for kind = \"moduli\"");
}

BOOST_AUTO_TEST_SUITE_END()
