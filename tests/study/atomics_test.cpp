// Features of study files for studies of shared atomics: costs in cycles of another clock, counters
// of locks, searches of both hashes, groups of workloads.
#include <fermata/platforms/program/study/study_measures.h>
#include <fermata/platforms/program/study/study_picture.h>
#include <fermata/platforms/program/study/study_report.h>
#include <fermata/platforms/program/study/study_text.h>
#include "tests/study/support.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::platforms::test;

namespace {

const std::string kAtomicRuns = kHead + "kind = 'runs'\nplatform = 'gtx580-atomics'\n";

const std::string kBench =
    "[[workload]]\nname = 'atomicbench'\nlabel = 'a '\nparameters = { stride = 0 }\n"
    "vary = { conflicts = [1, 3] }\n"
    "[[workload]]\nname = 'atomicbench'\nlabel = 'b '\nparameters = { stride = 32 }\n"
    "vary = { conflicts = [1, 2] }\n";

const std::string kVariants =
    "[[variant]]\nlabel = 'one'\nparameters = { iterations = 1 }\n"
    "[[variant]]\nlabel = 'two'\nless = 18\nparameters = { iterations = 2 }\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(atomics)

// Van den Braak et al., ICCD 2013, section III: 118 n and 32 m + 18 + 36 m + 32 shader cycles.
BOOST_AUTO_TEST_CASE(what_a_run_adds_is_counted_in_the_cycles_of_the_source) {
  const Study study = readStudy(kAtomicRuns + "cycles = { unit = 'shader cycles', of_each = 2 }\n" +
                                kBench + kVariants);
  const StudyCells cells = runStudy(study, kQuiet);
  const auto added = [&](std::size_t workload) {
    return figure(cells, workload, 1, Measure::CyclesAdded);
  };
  BOOST_TEST(added(0) == 118.0);
  BOOST_TEST(added(1) == 3 * 118.0);
  BOOST_TEST(added(2) == 118.0);
  BOOST_TEST(added(3) == 2 * 32.0 + 18 + 2 * 36.0 + 32);
  BOOST_TEST(!measureOf(cells, 0, 0, Measure::CyclesAdded).has_value());  // the baseline
  BOOST_TEST(heading(study, Measure::Cycles) == "cycles (shader cycles)");
  BOOST_TEST(!has(heading(study, Measure::Speedup), "shader"));
}

BOOST_AUTO_TEST_CASE(a_variant_may_be_a_baseline_of_its_own) {
  const Study study = readStudy(kAtomicRuns + kBench + kVariants +
                                "[[variant]]\nlabel = 'other'\nagainst = 'other'\n"
                                "[[variant]]\nlabel = 'less'\nagainst = 'other'\n");
  BOOST_TEST(study.variants[2].baseline == 2U);
  StudyCells cells(4, std::vector<std::optional<StudyCell>>(4));
  for (std::size_t v = 0; v < 4; ++v) {
    cells[0][v].emplace().cycles = 2000 - 500.0 * v;
    cells[0][v]->baseline = study.variants[v].baseline;
  }
  BOOST_TEST(figure(cells, 0, 2, Measure::Speedup) == 1.0);
  BOOST_TEST(!measureOf(cells, 0, 2, Measure::CyclesAdded).has_value());
  BOOST_TEST(shown(measureOf(cells, 0, 3, Measure::CyclesAdded), Measure::CyclesAdded) == "-500");
  BOOST_TEST(shown(-1500.0, Measure::CyclesAdded) == "-1,500");
}

BOOST_AUTO_TEST_CASE(locks_and_degrees_are_measured) {
  const Study study = readStudy(kAtomicRuns + kBench +
                                "[[variant]]\nlabel = 'locked'\nparameters = { iterations = 1 }\n" +
                                "[[variant]]\nlabel = 'load'\nset = ['scratchpad.atomics=load']\n");
  const StudyCells cells = runStudy(study, kQuiet);
  BOOST_TEST(figure(cells, 1, 0, Measure::MaxDegree) == 1.0);  // one word
  BOOST_TEST(figure(cells, 1, 0, Measure::AtomicRounds) == 3.0);
  BOOST_TEST(figure(cells, 1, 0, Measure::LockTries) == 32.0 + 2 + 1);
  BOOST_TEST(figure(cells, 1, 0, Measure::LockFailuresPosition) == 2.0 + 1);
  BOOST_TEST(figure(cells, 1, 0, Measure::LockFailuresAlias) == 0.0);
  BOOST_TEST(figure(cells, 1, 0, Measure::LockFailuresOtherWarp) == 0.0);
  BOOST_TEST(figure(cells, 3, 0, Measure::MaxDegree) ==
             2.0);  // two words of one bank, each with its lock
  BOOST_TEST(figure(cells, 3, 0, Measure::AtomicRounds) == 1.0);
  BOOST_TEST(figure(cells, 1, 1, Measure::AtomicRounds) == 0.0);  // no locks with atomics=load
}

// 8 lanes, 256 words apart: one pair of bits per bank bit spreads them over 32 banks, and over 1024
// locks too.
BOOST_AUTO_TEST_CASE(a_search_chooses_banks_and_locks) {
  const Folder folder;
  const Study study = readStudy(
      kAtomicRuns +
      "[[workload]]\nname = 'atomicbench'\nparameters = { stride = 256, conflicts = 32 }\n"
      "[[variant]]\nlabel = 'mod'\n[[variant]]\nlabel = 'locks'\nlock_search = 'matrix.general'\n"
      "[[variant]]\nlabel = 'both'\nsearch = 'matrix.general'\nlock_search = 'matrix.general'\n");
  const StudyCells cells = runStudy(study, kQuiet);
  BOOST_TEST(figure(cells, 0, 0, Measure::AtomicRounds) == 8.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::MaxDegree) == 32.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::AtomicRounds) == 1.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::MaxDegree) == 32.0);
  BOOST_TEST(figure(cells, 0, 2, Measure::AtomicRounds) == 1.0);
  BOOST_TEST(figure(cells, 0, 2, Measure::MaxDegree) == 1.0);
  BOOST_TEST(cells[0][0]->locks == "");
  BOOST_TEST(begins(cells[0][2]->locks, "matrix "));
  files::OutputSet files;
  writeCells(study, cells, files, folder.path());
  files.commit();
  BOOST_TEST(has(bytesOf(folder / "table.csv"), ",lock_mapping\n"));
}

BOOST_AUTO_TEST_CASE(a_figure_may_be_the_parameter_of_the_extreme) {
  const std::string compare =
      "[[compare]]\nsubject = 's'\nplace = 'p'\nvariant = 'one'\nmeasure = 'cycles'\n"
      "parameter = 'conflicts'\n";
  const Study study = readStudy(kAtomicRuns + kBench + kVariants + compare +
                                "summary = 'smallest'\nonly = ['a *']\n");
  StudyCells cells(4, std::vector<std::optional<StudyCell>>(2));
  for (std::size_t w = 0; w < 4; ++w) cells[w][0].emplace().cycles = 40 - 10.0 * w;
  BOOST_TEST(has(compare, "parameter"));
  const Comparison& smallest = study.comparisons.at(0);
  BOOST_TEST((smallest.workloads == std::vector<std::string>{"a conflicts=1", "a conflicts=3"}));
  BOOST_TEST(summarise(study, cells, smallest).value() == 3.0);
  Selection largest = smallest;
  largest.summary = Summary::Largest;
  BOOST_TEST(summarise(study, cells, largest).value() == 1.0);
  largest.parameter = "bins";
  BOOST_TEST(!summarise(study, cells, largest).has_value());
  refuses(kAtomicRuns + kBench + kVariants + compare, "of the largest or the smallest");
}

BOOST_AUTO_TEST_CASE(a_picture_has_a_panel_a_group) {
  const std::string picture = "[picture]\nstyle = 'lines-over-workloads'\nmeasures = ['cycles']\n";
  const Study study =
      readStudy(kAtomicRuns + kBench + kVariants + picture + "groups = ['b ', 'a ']\n");
  StudyCells cells(4, std::vector<std::optional<StudyCell>>(2));
  for (std::size_t w = 0; w < 4; ++w) cells[w][0].emplace().cycles = 40 - 10.0 * w;
  const std::vector<PicturePanel> all = panels(study, cells);
  BOOST_REQUIRE_EQUAL(all.size(), 2U);
  BOOST_TEST(all[0].heading == "b cycles");
  BOOST_TEST((all[0].places == std::vector<std::string>{"1", "2"}));
  BOOST_TEST(all[0].axis == "conflicts");
  const Study named = readStudy(kAtomicRuns + kBench + kVariants + picture + "axis = 'degree'\n");
  BOOST_TEST(panels(named, cells).at(0).places.at(0) == "a conflicts=1");
  BOOST_TEST(panels(named, cells).at(0).axis == "degree");
  BOOST_TEST(all[0].series.at(0).values.at(1).value() == 10.0);
  BOOST_TEST(all[1].series.at(0).values.at(0).value() == 40.0);
  refuses(kAtomicRuns + kBench + kVariants + picture + "groups = ['c']\n",
          "no workload's label begins with 'c'");
  refuses(kAtomicRuns + kBench + kVariants + "[picture]\nstyle = 'stacked'\ngroups = ['a']\n",
          "expected the style bars or lines");
}

BOOST_AUTO_TEST_CASE(a_parameter_of_the_command_is_over_those_of_the_file) {
  Study study = readStudy(kAtomicRuns + kBench + kVariants);
  setParameter(study, "stride=7");
  setParameter(study, "warps=2");
  for (const StudyWorkload& workload : study.workloads) {
    BOOST_TEST(workload.parameters.at("stride") == "7");
    BOOST_TEST(workload.parameters.at("warps") == "2");
  }
  BOOST_CHECK_THROW(setParameter(study, "stride"), InputError);
  BOOST_CHECK_THROW(setParameter(study, "=3"), InputError);
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused) {
  refuses(kAtomicRuns + "cycles = { unit = 'ns', of_each = 0 }\n", "1 to 1000");
  refuses(kAtomicRuns + "cycles = { unit = '', of_each = 2 }\n", "name of a unit");
  refuses(kAtomicRuns + "[[variant]]\nlabel = 'v'\nless = -1\n", "0 cycles or more");
  refuses(kHead +
              "kind = 'searches'\n[[variant]]\nlabel = 'v'\n"
              "lock_search = 'matrix.general'\n",
          "expected kind = \"runs\"");
  refuses(kAtomicRuns + kBench + "[[variant]]\nlabel = 'v'\nonly = ['c*']\n",
          "no workload has the label 'c*'");
}

BOOST_AUTO_TEST_SUITE_END()
