// Folders that are not of a sweep or a run, or incomplete: they are refused with the place of the
// error, and nothing is written.
#include <fermata/platforms/program/report/report_input.h>
#include <fermata/stimuli/launch/data_directory.h>

#include "tests/report/sweep_folder.h"
#include "tests/support/says.h"

using namespace fermata::test;
using namespace fermata::platforms;

namespace {

struct Input : SweepFolder {
  /// Returns the error of reading the folder; "none" if there is none.
  std::string refusal(const std::string& folder) const {
    return errorOf<fermata::InputError>([&] { readReportInput(path / folder); });
  }
  /// Replaces one occurrence of a text in a file of the sweep.
  void change(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = readFile(path / file);
    const std::size_t at = text.find(from);
    BOOST_TEST_REQUIRE(at != std::string::npos);
    write(file, text.replace(at, from.size(), to));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(report_folders, Input)

BOOST_AUTO_TEST_CASE(a_sweep_by_hand_is_read) {
  put();
  BOOST_TEST(refusal("s") == "none");
  const auto input = readReportInput(path / "s");
  BOOST_TEST(input.sweep);
  BOOST_TEST(input.points.rows() == 8U);
  BOOST_TEST(input.planned == 8U);
  BOOST_TEST(input.runs[2].sets.at(0) == "scratchpad.indexer=ami 33");
}

BOOST_AUTO_TEST_CASE(what_is_no_folder_of_fermata_is_refused) {
  put();
  fs::create_directory(path / "empty");
  BOOST_TEST(has(refusal("none"), "is no folder; expected that of a sweep"));
  BOOST_TEST(has(refusal("s/plan.csv"), "is no folder"));
  BOOST_TEST(has(refusal("empty"), "neither plan.csv"));
  fs::remove_all(path / "s" / "merged");
  BOOST_TEST(has(refusal("s"), "expected 'fermata sweep run"));
}

BOOST_AUTO_TEST_CASE(torn_and_foreign_tables_are_refused_with_their_line) {
  const auto after = [&](const std::string& from, const std::string& to) {
    put();
    change("s/merged/runs.csv", from, to);
    return refusal("s");
  };
  BOOST_TEST(has(after("\n3,ami 33", "\nami 33"), "runs.csv:5: the row has "));
  BOOST_TEST(has(after("\n3,", "\n8,"), "runs.csv:5: point 8 is not in plan.csv"));
  BOOST_TEST(has(after("\n3,", "\n1.5,"), "runs.csv:5: point 1.5 is not in plan.csv"));
  BOOST_TEST(has(after("\n3,", "\nx,"), "runs.csv:5: point is 'x'; expected a number"));
  BOOST_TEST(has(after("point,", "number,"), "no column 'point'"));
  BOOST_TEST(has(after("indexer,banks", "banks,banks"), "column 'banks' again"));
  put();
  write("s/merged/runs.csv", "");
  BOOST_TEST(has(refusal("s"), "runs.csv:1: an empty table"));
  write("s/merged/runs.csv", "point,cycles\n");
  BOOST_TEST(has(refusal("s"), "runs.csv:1: no row; expected a run or more"));
  put();
  change("s/plan.csv", "k3", "\"k3\"");
  BOOST_TEST(has(refusal("s"), "no plan of a sweep"));
}

BOOST_AUTO_TEST_CASE(a_run_without_its_other_tables_is_refused) {
  fs::create_directory(path / "r");
  write("r/runs.csv", std::string(kRunColumns) + "\nw,,p,,mod 32,32,1,1,0,0,0,\n");
  write("r/schema.csv", kSchema);
  BOOST_TEST(has(refusal("r"), "instructions.csv"));
}

// Numbers are read where they are used: the program reports a bad one with exit code 2 and leaves
// no page. Without the library it reports that, and what to install.
BOOST_AUTO_TEST_CASE(the_program_refuses_and_writes_nothing) {
  put();
  change("s/merged/runs.csv", ",400,400,", ",many,400,");
  const Outcome outcome = report("s --closer 0").refused();
  const bool library =
      fs::exists(fs::path(fermata::launch::dataDirectory()) / "report/vega.min.js");
  outcome.says(library ? "runs.csv:2: cycles is 'many'" : "npm ci");
  BOOST_TEST(!fs::exists(path / "s" / "report.html"));
  report("").refused();
  report("s --closer 33").refused();
}

// A build without npm: only reports are missing, and the message says what to install.
BOOST_AUTO_TEST_CASE(without_the_library_it_says_what_to_install) {
  put();
  const fs::path data = path / "data";
  fs::create_directory(data);
  for (const auto& entry : fs::directory_iterator(fermata::launch::dataDirectory())) {
    if (entry.path().filename() != "report")
      fs::create_directory_symlink(entry.path(), data / entry.path().filename());
  }
  setenv("FERMATA_DATA", data.c_str(), 1);
  report("s --closer 0").refused("report/vega.min.js: not there", "npm ci");
  BOOST_TEST(!fs::exists(path / "s" / "report.html"));
}

BOOST_AUTO_TEST_SUITE_END()
