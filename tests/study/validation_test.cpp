// Measurements of machines beside the model's figures: verdicts, and their counts by study.
#include <fermata/platforms/program/study/validation.h>

#include "tests/study/support.h"

using namespace fermata::platforms;

namespace {

Claim claimOf(const std::string& id, const std::string& value, const std::string& notCompared) {
  Claim claim;
  claim.id = id;
  claim.value = value;
  claim.notCompared = notCompared;
  return claim;
}

ComparedFigure figureOf(const std::string& id, double measured, std::optional<double> ours) {
  ComparedFigure figure;
  figure.id = id;
  figure.published = measured;
  figure.ours = ours;
  return figure;
}

ReproducedStudy studyOf(const std::string& name, std::vector<ComparedFigure> figures) {
  ReproducedStudy study;
  study.study.name = name;
  study.figures = std::move(figures);
  return study;
}

std::vector<ValidatedRow> rows() {
  Claims claims;
  for (const char* id : {"a", "b", "c", "d"}) claims.emplace(id, claimOf(id, "20", ""));
  claims.emplace("e", claimOf("e", "20", "no model has it"));
  return validated(claims, {studyOf("rates", {figureOf("a", 20, 21), figureOf("b", 20, 21.1)}),
                            studyOf("latency", {figureOf("c", 20, 19)})});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(validation)

// 5 percent is met. A row that no study has is excused, or its study has failed.
BOOST_AUTO_TEST_CASE(gives_each_measurement_a_verdict) {
  std::vector<std::string> verdicts, reasons;
  for (const ValidatedRow& row : rows()) {
    verdicts.push_back(row.verdict);
    reasons.push_back(row.why);
  }
  const std::vector<std::string> expected{"met", "differs", "met", "not run", "not run"};
  BOOST_TEST(verdicts == expected, boost::test_tools::per_element());
  BOOST_TEST(reasons.at(3) == "its study has failed");
  BOOST_TEST(reasons.at(4) == "no model has it");
}

BOOST_AUTO_TEST_CASE(counts_by_study) {
  const std::string table = validationTable(rows());
  const std::string end =
      "\nlatency: 1 met, 0 differs, 0 not run\nrates: 1 met, 1 differs, 0 not run\n"
      "\n2 met, 1 differs, 2 not run\n";
  BOOST_TEST_REQUIRE(table.size() > end.size());
  BOOST_TEST(table.substr(table.size() - end.size()) == end);
}

BOOST_AUTO_TEST_SUITE_END()
