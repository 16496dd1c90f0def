// Measures of studies of an in-order pipeline, by hand and on small runs, and the cost of its
// hardware.
#include <fermata/platforms/program/study/study_facts.h>
#include <fermata/platforms/program/study/study_hardware.h>
#include <fermata/platforms/program/study/study_picture.h>
#include <fermata/platforms/program/study/study_text.h>
#include "tests/study/support.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::platforms::test;

namespace {

const std::string kElasticRuns = kHead + "kind = 'runs'\nplatform = 'elastic-gt200'\n";
const std::string kHardware = kHead + "kind = 'hardware'\nplatform = 'elastic-gt200'\n";
const std::string kAsItStands = "[[variant]]\nlabel = 'as it stands'\n";

/// Returns the refusal of hardwareRows() for a study that can be read; "none" if there is none.
std::string hardwareRefusal(const std::string& text) {
  const Study study = readStudy(text);
  return messageOf([&] { hardwareRows(study); });
}

/// A baseline with 200 stall cycles, and a variant with 80.
StudyCells stallingCells() {
  StudyCells cells(1, std::vector<std::optional<StudyCell>>(2));
  StudyCell base;
  base.accesses = 100;
  base.warpInstructions = 250;
  base.threadInstructions = 5000;
  base.sharedThreads = 1000;
  base.cycles = 1200;
  base.wavefronts = 600;
  base.wavefrontsIdeal = 400;
  base.subwarps = 4;
  base.stallBankConflict = 150;
  base.stallScheduleFail = 40;
  base.stallWriteback = 10;
  StudyCell freed = base;
  freed.cycles = 1000;
  freed.stallBankConflict = 5;
  freed.stallScheduleFail = 60;
  freed.stallWriteback = 15;
  freed.historyHits = 90;
  freed.historyMisses = 10;
  freed.historyWrong = 25;
  cells[0][0] = base;
  cells[0][1] = freed;
  return cells;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(elastic)

BOOST_AUTO_TEST_CASE(stalls_are_shares_of_the_baselines) {
  const StudyCells cells = stallingCells();
  BOOST_TEST(figure(cells, 0, 0, Measure::Stalls) == 200.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::Stalls) == 80.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::StallsRemoved) == 60.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::StallBankConflict) == 75.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::StallBankConflict) == 2.5);
  BOOST_TEST(figure(cells, 0, 1, Measure::StallScheduleFail) == 30.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::StallWriteback) == 7.5);
  BOOST_TEST(figure(cells, 0, 1, Measure::Improvement) == 20.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::SubwarpDegree) == 1.5);
  BOOST_TEST(figure(cells, 0, 0, Measure::ThreadScratchpadIntensity) == 20.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::ScratchpadIntensity) == 40.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::ThreadInstructions) == 5000.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::ThreadAccesses) == 1000.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::TheoreticSpeedup) == (4 * 250.0 + 200) / (4 * 250.0));
  BOOST_TEST(figure(cells, 0, 1, Measure::HistoryWrong) == 25.0);
  BOOST_TEST(!measureOf(cells, 0, 0, Measure::HistoryWrong).has_value());
}

BOOST_AUTO_TEST_CASE(where_nothing_stalls_nothing_is_removed) {
  StudyCells cells = stallingCells();
  cells[0][0]->stallBankConflict = cells[0][0]->stallScheduleFail = cells[0][0]->stallWriteback = 0;
  BOOST_TEST(!measureOf(cells, 0, 1, Measure::StallsRemoved).has_value());
  BOOST_TEST(!measureOf(cells, 0, 1, Measure::StallBankConflict).has_value());
}

// 50 loads of 32 words on one of 8 banks: each subwarp takes 8 passes instead of 1.
BOOST_AUTO_TEST_CASE(a_small_run_of_a_pipeline) {
  const Study study = readStudy(
      kElasticRuns +
      "[[workload]]\nname = 'genindex'\n"
      "parameters = { threads = 32, ctas = 1, fill = 0, repeat = 50, stride = 8, way = 32 }\n"
      "[[variant]]\nlabel = 'unified'\n"
      "set = ['pipeline.organisation=unified', 'scheduler.policy=lrr']\n"
      "[[variant]]\nlabel = 'elastic'\n"
      "[[variant]]\nlabel = '16 lanes'\nset = ['pipeline.simd_width=16', "
      "'crossbar.groups_32=0-15|16-31']\n"
      "[[variant]]\nlabel = 'perfect'\nset = ['scheduler.prediction=perfect']\n");
  const StudyCells cells = runStudy(study, kQuiet);
  BOOST_TEST(figure(cells, 0, 0, Measure::SubwarpDegree) == 8.0);
  const double issue = 4 * cells[0][0]->warpInstructions;
  BOOST_TEST(figure(cells, 0, 0, Measure::TheoreticSpeedup) == (issue + 50 * 28) / issue);
  BOOST_TEST(figure(cells, 0, 2, Measure::TheoreticSpeedup) == (issue / 2 + 50 * 30) / (issue / 2));
  BOOST_TEST(figure(cells, 0, 0, Measure::Stalls) > 0);
  BOOST_TEST(figure(cells, 0, 0, Measure::StallBankConflict) +
                     figure(cells, 0, 0, Measure::StallScheduleFail) +
                     figure(cells, 0, 0, Measure::StallWriteback) ==
                 100.0,
             tt::tolerance(1e-9));
  // The first prediction of each load is wrong.
  const StudyCell& foretold = *cells[0][1];
  BOOST_TEST(foretold.historyHits.value() + foretold.historyMisses.value() == 50.0);
  BOOST_TEST(foretold.historyMisses.value() > 0);
  BOOST_TEST(figure(cells, 0, 1, Measure::HistoryWrong) == 2 * foretold.historyMisses.value());
  BOOST_TEST(!measureOf(cells, 0, 0, Measure::HistoryWrong).has_value());
  BOOST_TEST(!measureOf(cells, 0, 3, Measure::HistoryWrong).has_value());
  BOOST_TEST(figure(cells, 0, 0, Measure::ThreadScratchpadIntensity) ==
             0.0);  // the study did not ask for it
}

BOOST_AUTO_TEST_CASE(other_platforms_have_no_such_figures) {
  const Study study =
      readStudy(kHead +
                "kind = 'runs'\nplatform = 'gtx480'\n[[workload]]\nname = 'genindex'\n"
                "parameters = { threads = 32, ctas = 1, repeat = 5 }\n[[variant]]\nlabel = 'v'\n");
  const StudyCells cells = runStudy(study, kQuiet);
  for (const Measure measure : {Measure::Stalls, Measure::StallsRemoved, Measure::StallBankConflict,
                                Measure::StallScheduleFail, Measure::StallWriteback,
                                Measure::TheoreticSpeedup, Measure::HistoryWrong}) {
    BOOST_TEST(!measureOf(cells, 0, 0, measure).has_value());
  }
  BOOST_TEST(measureOf(cells, 0, 0, Measure::SubwarpDegree).has_value());
}

// Two warps of 40 threads: the second one has 8 lanes.
BOOST_AUTO_TEST_CASE(threads_are_counted_where_a_study_asks) {
  const std::string runs =
      "[[workload]]\nname = 'genindex'\nparameters = { ctas = 1, repeat = 40, fill = 0 }\n"
      "vary = { threads = [32, 40] }\n" +
      kAsItStands;
  const Study asks =
      readStudy(kElasticRuns + "measures = ['thread_scratchpad_intensity']\n" + runs);
  const StudyCells cells = runStudy(asks, kQuiet);
  BOOST_TEST(cells[0][0]->sharedThreads == 32 * cells[0][0]->accesses);
  BOOST_TEST(cells[1][0]->accesses == 2 * cells[0][0]->accesses);
  BOOST_TEST(cells[1][0]->sharedThreads == 20 * cells[1][0]->accesses);
  const Study compares =
      readStudy(kElasticRuns + runs +
                "[[compare]]\nsubject = 's'\nplace = 'p'\nvariant = 'as it stands'\n"
                "measure = 'cycles'\nnote = '{a}'\n"
                "figures.a = { variant = 'as it stands', "
                "measure = 'thread_scratchpad_intensity' }\n");
  BOOST_TEST(asks.countsThreads());
  BOOST_TEST(readStudy(kElasticRuns + "measures = ['thread_accesses']\n" + runs).countsThreads());
  BOOST_TEST(compares.countsThreads());
  BOOST_TEST(!readStudy(kElasticRuns + runs).countsThreads());
}

// Gou and Gaydadjiev, tables 1 and 2, with M = 4, N = 3 and 256 sets of 2 ways.
BOOST_AUTO_TEST_CASE(hardware_is_that_of_the_paper) {
  const Study study = readStudy(
      kHardware +
      "parts = ['nonmem_queue', 'premem_queue', 'latches', 'writeback_mux', "
      "'writeback_mux_complexity', 'memory_mux', 'memory_mux_complexity', 'history_lines', "
      "'history_tag_bits', 'history_bytes', 'gates', 'accumulator_bits', 'counter_bits', "
      "'comparator_bits', 'mux']\n" +
      kAsItStands +
      "[[variant]]\nlabel = 'other'\nset = ['pipeline.simd_width=16', "
      "'pipeline.memory_stages=8', 'history.sets=64', 'history.ways=1', 'limits.warps=16', "
      "'limits.threads=512', 'crossbar.groups_32=0-15|16-31']\n"
      "[[cost]]\nclaim = 'elastic.history_cache'\npart = 'history_bytes'\n"
      "[[cost]]\nclaim = 'elastic.queue.premem'\npart = 'premem_queue'\nvariant = 'other'\n");
  const auto rows = hardwareRows(study);
  const double expected[][2] = {{4, 8},   {3, 1}, {56, 144}, {7, 11}, {6, 10},
                                {4, 2},   {3, 1}, {512, 64}, {6, 8},  {704, 104},
                                {64, 32}, {5, 5}, {5, 5},    {5, 5},  {1, 1}};
  BOOST_REQUIRE(rows.size() == 17U);
  for (std::size_t i = 0; i < 15; ++i) {
    BOOST_TEST_CONTEXT("part " << i) {
      BOOST_TEST(rows[i].amounts.at(0) == expected[i][0]);
      BOOST_TEST(rows[i].amounts.at(1) == expected[i][1]);
    }
  }
  const auto figures = compareHardware(study, rows);
  BOOST_TEST(figures.at(0).published.value() == 704.0);
  BOOST_TEST(figures.at(0).ours.value() == 704.0);
  BOOST_TEST(figures.at(1).ours.value() == 1.0);
}

BOOST_AUTO_TEST_CASE(hardware_that_a_platform_has_not_is_refused) {
  const std::string queues = "parts = ['nonmem_queue']\n[[variant]]\nlabel = 'v'\n";
  const std::string history = "parts = ['history_bytes']\n[[variant]]\nlabel = 'v'\n";
  const std::string gtx = kHead + "kind = 'hardware'\nplatform = 'gtx480'\n";
  BOOST_TEST(hardwareRefusal(kHardware + queues) == "none");
  BOOST_TEST(begins(hardwareRefusal(gtx + queues), "mine.toml:6"));
  BOOST_TEST(begins(hardwareRefusal(kHardware + queues + "set = ['pipeline.organisation=split']\n"),
                    "mine.toml:6"));
  BOOST_TEST(begins(hardwareRefusal(kHardware + history + "set = ['scheduler.policy=lrr']\n"),
                    "mine.toml:6"));
  BOOST_TEST(
      begins(hardwareRefusal(kHardware + history + "set = ['scheduler.prediction=perfect']\n"),
             "mine.toml:6"));
  BOOST_TEST(begins(hardwareRefusal(kHardware + queues + "set = ['pipeline.nonsense=1']\n"),
                    "mine.toml:6"));
}

BOOST_AUTO_TEST_CASE(bad_studies_of_hardware_are_refused) {
  const std::string parts = "parts = ['gates']\n";
  BOOST_TEST(begins(refusal(kHardware + "parts = ['gate']\n" + kAsItStands),
                    "mine.toml:5:9: unknown part 'gate'; expected one of nonmem_queue"));
  BOOST_TEST(begins(refusal(kHardware + kAsItStands), "mine.toml:3:8: no 'parts'"));
  BOOST_TEST(begins(refusal(kHardware + parts), "mine.toml:3:8: no 'parts' or no variant"));
  BOOST_TEST(
      begins(refusal(kElasticRuns + parts), "mine.toml:5:9: 'parts' and 'cost' are for kind"));
  BOOST_TEST(
      begins(refusal(kElasticRuns + "[[cost]]\nclaim = 'c'\npart = 'gates'\n"), "mine.toml:5:"));
  BOOST_TEST(begins(refusal(kHardware + parts + kAsItStands +
                            "[[cost]]\nclaim = 'c'\npart = 'gates'\nvariant = 'w'\n"),
                    "mine.toml:11:11: no variant has the label 'w'"));
  BOOST_TEST(begins(refusal(kHardware + parts + kAsItStands +
                            "[[cost]]\nclaim = 'c'\npart = 'gates'\nkind = 'w'\n"),
                    "mine.toml:11:"));
  for (const char* kind : {"hardware", "moduli", "facts", "sizes"}) {
    const std::string head = kHead + "kind = '" + kind + "'\nworkloads = ['aes']\n";
    const bool hardware = kind == std::string("hardware");
    const bool moduli = kind == std::string("moduli");
    const std::string rest = hardware ? parts + kAsItStands
                             : moduli ? "moduli = { from = 33, to = 63 }\n"
                                      : "";
    BOOST_TEST_CONTEXT(kind)
    BOOST_TEST(refusal(head + rest) ==
               "mine.toml:4:13: a study of this kind runs nothing; expected no workload");
  }
}

BOOST_AUTO_TEST_CASE(unknown_claims_are_refused_where_they_stand) {
  const Study study = readStudy(kHardware + "parts = ['gates']\n" + kAsItStands +
                                "[[cost]]\nclaim = 'c'\npart = 'gates'\n");
  BOOST_CHECK_EXCEPTION(requireClaims(study), InputError,
                        fermata::test::says("mine.toml:9:9: unknown claim 'c'"));
  const Study runs = readStudy(
      "title = 't'\nsource = 's'\nkind = 'runs'\nmeasures = ['cycles']\n"
      "workloads = ['stride']\n[[variant]]\nlabel = 'a'\n"
      "[[compare]]\nclaim = 'd'\nvariant = 'a'\nmeasure = 'cycles'\n");
  BOOST_CHECK_EXCEPTION(requireClaims(runs), InputError,
                        fermata::test::says("mine.toml:8:1: unknown claim 'd'"));
}

BOOST_AUTO_TEST_CASE(bars_of_named_variants_stand_side_by_side) {
  const std::string picture =
      "measures = ['conflicts', 'cycles']\nworkloads = ['transpose', 'reduction']\n"
      "[[variant]]\nlabel = 'a'\n[[variant]]\nlabel = 'b'\n[[variant]]\nlabel = 'c'\n"
      "[picture]\nstyle = 'stacked'\n";
  const Study first = readStudy(kElasticRuns + picture);
  const auto one = panels(first, someCells());
  BOOST_TEST(one.at(0).places.size() == 2U);
  const Study named = readStudy(kElasticRuns + picture + "variants = ['a', 'b']\n");
  const auto two = panels(named, someCells());
  const std::vector<std::string> places{"transpose, a", "transpose, b", "", "reduction, a",
                                        "reduction, b"};
  BOOST_TEST(two.at(0).places == places, tt::per_element());
  BOOST_TEST(two.at(0).series.size() == 2U);
  BOOST_TEST(two.at(0).series.at(0).values.at(1).value() == 20.0);
  BOOST_TEST(!two.at(0).series.at(1).values.at(2));  // the gap
  BOOST_TEST(two.at(0).series.at(1).values.at(4).value() == 400.0);
}

BOOST_AUTO_TEST_SUITE_END()
