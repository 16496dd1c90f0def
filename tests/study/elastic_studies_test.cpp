// Properties of the studies of the elastic pipeline (Gou and Gaydadjiev, CF 2011).
#include <fermata/platforms/program/study/study_hardware.h>

#include "tests/study/support.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::platforms::test;

namespace {

std::size_t variantOf(const Study& study, const std::string& label) {
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    if (study.variants[v].label == label) return v;
  }
  throw InputError("no variant " + label);
}

/// Opens a study without its workloads of the whole chip, which take longer.
Study ofOneCore(const char* name) {
  Study study = openStudy(name);
  study.workloads.erase(study.workloads.begin(), study.workloads.begin() + 8);
  return study;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(elastic_studies)

BOOST_AUTO_TEST_CASE(tables_1_and_2_have_the_published_costs) {
  for (const char* name : {"elastic-table1", "elastic-table2"}) {
    const Study study = openStudy(name);
    const auto figures = compareHardware(study, hardwareRows(study));
    BOOST_TEST(!figures.empty());
    for (const ComparedFigure& one : figures) {
      BOOST_TEST(one.ours.value() == one.published.value());
    }
  }
}

// Table 4: our kernels make as many shared accesses as the paper's, with its degrees.
BOOST_AUTO_TEST_CASE(table_4_has_the_accesses_of_the_paper) {
  Study study = openStudy("elastic-table4");
  study.workloads.erase(study.workloads.begin(), study.workloads.begin() + 3);
  study.variants.resize(1);
  const StudyCells cells = runStudy(study, kQuiet);
  const double published[][2] = {
      {131072, 4.5}, {1572864, 3.33}, {1572864, 3.33}, {1048576, 2.75}, {1048576, 2.75}};
  BOOST_REQUIRE(cells.size() == 5U);
  for (std::size_t w = 0; w < cells.size(); ++w) {
    BOOST_TEST_CONTEXT(study.workloads[w].label) {
      BOOST_TEST(figure(cells, w, 0, Measure::ThreadAccesses) == published[w][0]);
      BOOST_TEST(std::abs(figure(cells, w, 0, Measure::SubwarpDegree) - published[w][1]) < 0.005);
    }
  }
}

// Figure 8: with conflicts predicted, hardly any conflict stalls the pipeline.
BOOST_AUTO_TEST_CASE(figure_8_is_left_without_stalls_of_conflicts) {
  const Study study = ofOneCore("elastic-figure8");
  const std::size_t baseline = variantOf(study, "1 core, baseline");
  const std::size_t aware = variantOf(study, "1 core");
  const StudyCells cells = runStudy(study, kQuiet);
  BOOST_REQUIRE(cells.size() == 8U);
  for (std::size_t w = 0; w < cells.size(); ++w) {
    BOOST_TEST_CONTEXT(study.workloads[w].label) {
      BOOST_TEST(figure(cells, w, baseline, Measure::StallBankConflict) > 50.0);
      BOOST_TEST(figure(cells, w, aware, Measure::StallBankConflict) < 10.0);
      BOOST_TEST(figure(cells, w, aware, Measure::StallsRemoved) > 40.0);
    }
  }
}

// Figure 9: the pipeline alone gains little; with the schedule every kernel gains more.
BOOST_AUTO_TEST_CASE(figure_9_needs_the_schedule) {
  const Study study = ofOneCore("elastic-figure9");
  const std::size_t elastic = variantOf(study, "1 core, elastic");
  const std::size_t aware = variantOf(study, "1 core");
  const StudyCells cells = runStudy(study, kQuiet);
  BOOST_REQUIRE(cells.size() == 8U);
  for (std::size_t w = 0; w < cells.size(); ++w) {
    BOOST_TEST_CONTEXT(study.workloads[w].label) {
      const double alone = figure(cells, w, elastic, Measure::Improvement);
      BOOST_TEST(alone > 0.0);
      BOOST_TEST(alone < 5.0);
      BOOST_TEST(figure(cells, w, aware, Measure::Improvement) > 2 * alone);
    }
  }
}

// Figure 11: kernels without conflicts neither lose nor gain 1 %.
BOOST_AUTO_TEST_CASE(figure_11_leaves_other_kernels_alone) {
  const Study study = openStudy("elastic-figure11");
  const StudyCells cells = runStudy(study, kQuiet);
  for (const char* label : {"elastic", "aware"}) {
    const std::size_t variant = variantOf(study, label);
    for (std::size_t w = 0; w < cells.size(); ++w) {
      BOOST_TEST_CONTEXT(label << ": " << study.workloads[w].label) {
        BOOST_TEST(figure(cells, w, variant, Measure::Conflicts) == 0.0);
        BOOST_TEST(std::abs(figure(cells, w, variant, Measure::Improvement)) < 1.0);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
