// Measures of studies of replaying machines, by hand and on small runs.
#include <fermata/platforms/program/study/study_report.h>
#include "tests/study/support.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::platforms::test;

namespace {

/// A baseline with conflicts and replays, and a variant with fewer.
StudyCells replayCells() {
  StudyCells cells(1, std::vector<std::optional<StudyCell>>(3));
  StudyCell base;
  base.accesses = 150;
  base.globalAccesses = 50;
  base.conflicts = 300;
  base.l1Conflicts = 100;
  base.replays = 350;
  base.squashes = 50;
  base.warpInstructions = 1000;
  base.cycles = 4000;
  base.vectorBroadcasts = 20;
  base.warpBroadcasts = 40;
  base.laneBroadcasts = 60;
  base.scatters = 80;
  StudyCell fewer = base;
  fewer.conflicts = 20;
  fewer.replays = 40;
  fewer.squashes = 0;
  fewer.cycles = 2000;
  cells[0][0] = base;
  cells[0][1] = fewer;
  cells[0][2] = fewer;
  cells[0][2]->baseline = 1;
  return cells;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_measures)

BOOST_AUTO_TEST_CASE(replays_and_conflicts_are_counted_by_instructions) {
  const StudyCells cells = replayCells();
  BOOST_TEST(figure(cells, 0, 0, Measure::MemoryIntensity) == 20.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::ScratchpadIntensity) == 15.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::L1Intensity) == 5.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::Bcpki) == 400.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::BcpkiScratchpad) == 300.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::BcpkiL1) == 100.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::Rpki) == 400.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::AllConflictsRemoved) == 70.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::ReplaysRemoved) == 90.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::Issued) == 100 * (1040.0 / 1400.0));
  BOOST_TEST(figure(cells, 0, 1, Measure::IssuedRemoved) == 100 * (360.0 / 1400.0));
  BOOST_TEST(figure(cells, 0, 1, Measure::Speedup) == 2.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::VectorBroadcast) == 10.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::WarpBroadcast) == 20.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::LaneBroadcast) == 30.0);
  BOOST_TEST(figure(cells, 0, 0, Measure::ScatterGather) == 40.0);
}

BOOST_AUTO_TEST_CASE(a_variant_may_be_measured_against_another_than_the_first) {
  const StudyCells cells = replayCells();
  BOOST_TEST(figure(cells, 0, 2, Measure::Speedup) == 1.0);
  BOOST_TEST(figure(cells, 0, 2, Measure::ReplaysRemoved) == 0.0);
}

// Slopes: 100 accesses of 128 bytes more take 400 cycles more. The baseline has no slope.
BOOST_AUTO_TEST_CASE(slopes_leave_out_what_the_baseline_has) {
  StudyCells cells = replayCells();
  cells[0][1]->globalAccesses = 150;
  cells[0][0]->globalBytes = 50 * 128;
  cells[0][1]->globalBytes = 150 * 128;
  cells[0][1]->cycles = 4400;
  cells[0][1]->megahertz = 1500;
  BOOST_TEST(figure(cells, 0, 1, Measure::CyclesPerFurther) == 4.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::BytesPerCycle) == 32.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::BytesPerTime) == 48.0);
  BOOST_TEST(!measureOf(cells, 0, 0, Measure::CyclesPerFurther).has_value());
  BOOST_TEST(!measureOf(cells, 0, 0, Measure::BytesPerCycle).has_value());
}

// Two warps, one of them half full: 128 + 64 bytes per round.
BOOST_AUTO_TEST_CASE(a_study_that_asks_has_the_bytes_of_global_accesses) {
  const Study study =
      readStudy(kHead +
                "kind = 'runs'\nplatform = 'sm_80'\nmeasures = ['bytes_per_cycle']\n"
                "[[workload]]\nname = 'pattern-walk'\n"
                "parameters = { threads = 48, ctas = 1, fill = 0, repeat = 10, space = 'global' }\n"
                "[[variant]]\nlabel = 'v'\n");
  const StudyCells cells = runStudy(study, kQuiet);
  BOOST_TEST(cells[0][0]->globalBytes == 1920.0);
  BOOST_TEST(cells[0][0]->megahertz == 1410.0);
}

// One warp, 50 dependent loads of 32 words on one bank: 31 replays each, `replay.latency` apart.
BOOST_AUTO_TEST_CASE(a_small_run_under_replay) {
  const Study study =
      readStudy(kHead +
                "kind = 'runs'\nplatform = 'fermi-ami'\n[[workload]]\nname = 'genindex'\n"
                "parameters = { threads = 32, ctas = 1, fill = 0, repeat = 50, stride = 32 }\n"
                "vary = { way = [1, 32] }\n"
                "[[variant]]\nlabel = 'replay'\nset = ['replay.latency=18']\n"
                "[[variant]]\nlabel = 'serialize'\nset = ['scratchpad.conflict_policy=serialize']\n"
                "[[variant]]\nlabel = '33'\nset = ['ami=33/32']\n");
  const StudyCells cells = runStudy(study, kQuiet);
  const double instructions = cells[1][0]->warpInstructions;
  BOOST_TEST(cells[1][0]->accesses == 50.0);
  BOOST_TEST(figure(cells, 1, 0, Measure::Bcpki) == 1000 * (50 * 31) / instructions);
  BOOST_TEST(figure(cells, 1, 0, Measure::Rpki) == figure(cells, 1, 0, Measure::Bcpki));
  BOOST_TEST(figure(cells, 1, 1, Measure::Bcpki) == figure(cells, 1, 0, Measure::Bcpki));
  BOOST_TEST(figure(cells, 1, 1, Measure::Rpki) == 0.0);
  BOOST_TEST(figure(cells, 1, 0, Measure::MemoryIntensity) == 100 * (50 / instructions));
  BOOST_TEST(figure(cells, 1, 2, Measure::ReplaysRemoved) == 100.0);
  BOOST_TEST(figure(cells, 1, 2, Measure::Issued) ==
             100 * (instructions / (instructions + 50 * 31)));
  BOOST_TEST(figure(cells, 1, 0, Measure::CyclesPerWay) == 18.0, tt::tolerance(1e-9));
  BOOST_TEST(figure(cells, 1, 1, Measure::CyclesPerWay) == 1.0, tt::tolerance(1e-9));
  BOOST_TEST(figure(cells, 1, 0, Measure::VectorBroadcast) == 0.0);  // the study did not ask
}

// With stride 0 the lanes of a warp read one word, with stride 1 a word each. A study must ask for
// such figures.
BOOST_AUTO_TEST_CASE(a_study_that_asks_has_the_kinds_of_accesses) {
  const Study study =
      readStudy(kHead +
                "kind = 'runs'\nplatform = 'fermi-ami'\nmeasures = ['scatter_gather']\n"
                "[[workload]]\nname = 'pattern-stride'\nvary = { stride = [0, 1] }\n"
                "parameters = { threads = 64, ctas = 2, fill = 0 }\n[[variant]]\nlabel = 'v'\n");
  const StudyCells cells = runStudy(study, kQuiet);
  BOOST_TEST(figure(cells, 0, 0, Measure::VectorBroadcast) == 100.0);
  BOOST_TEST(figure(cells, 1, 0, Measure::ScatterGather) == 100.0);
}

BOOST_AUTO_TEST_SUITE_END()
