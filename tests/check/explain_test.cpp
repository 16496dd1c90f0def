// fermata explain, and the parameter scratchpad.conflict_free that it is built on.
#include "tests/energy/result_files.h"

using namespace fermata::test;

namespace {

/// Returns the row of runs.csv of a run. Its cell "changes", which names the setting, is emptied.
std::vector<std::string> figuresOf(const Folder& folder, const std::string& run,
                                   const std::string& setting = "") {
  runProgram(
      "run " + run + " --quiet --out out" + (setting.empty() ? "" : " --set '" + setting + "'"),
      folder.path)
      .ok();
  const ResultTable runs(folder.path / "out" / "runs.csv");
  std::vector<std::string> row = runs.row(0);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (runs.names()[i] == "changes") row[i].clear();
  }
  return row;
}

std::string cyclesOf(const Folder& folder, const std::string& run,
                     const std::string& setting = "") {
  figuresOf(folder, run, setting);
  return ResultTable(folder.path / "out" / "runs.csv").cell(0, "cycles");
}

/// Returns the kernels of the last run that access shared memory, in the parameter's form.
std::string kernelsOf(const Folder& folder) {
  const ResultTable table(folder.path / "out" / "instructions.csv");
  std::set<std::string> kernels;
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (!table.cell(row, "mean_passes").empty()) kernels.insert(table.cell(row, "kernel"));
  }
  std::string names;
  for (const std::string& kernel : kernels) names += (names.empty() ? "" : " ") + kernel;
  return names;
}

const char* const kRuns[] = {
    "gtx480 nw --param n=64",
    "gtx480 histogram --param bins=64 --param width=64 --param height=64 --set "
    "scratchpad.atomics=native",
    "gtx580-atomics histogram --param bins=64 --param width=64 --param height=64",
    "elastic-gt200 dct --param width=32 --param height=32",
    "gtx280 transpose --param n=64",
    "k20 transpose --param n=64",
    "fermi-ami nw --param n=64",
};

}  // namespace

BOOST_AUTO_TEST_SUITE(explain)

// Freeing every kernel of conflicts equals the ideal machine, which conflict_policy=ideal sets.
BOOST_DATA_TEST_CASE(kernels_without_conflicts_are_those_of_the_ideal_machine, bdata::make(kRuns),
                     run) {
  const Folder folder;
  const auto asItIs = figuresOf(folder, run);
  const std::string kernels = kernelsOf(folder);
  const auto free = figuresOf(folder, run, "scratchpad.conflict_free=" + kernels);
  const auto ideal = figuresOf(folder, run, "scratchpad.conflict_policy=ideal");
  BOOST_TEST(free == ideal, tt::per_element());
  BOOST_TEST((free != asItIs));
}

BOOST_AUTO_TEST_CASE(agrees_with_runs_made_by_hand) {
  const Folder folder;
  const std::string run = "gtx480 nw --param n=64";
  const Outcome outcome =
      runProgram("explain --platform gtx480 nw --param n=64 --csv", folder.path).ok();
  folder.write("explained.csv", outcome.text);
  const ResultTable table(folder.path / "explained.csv");
  BOOST_TEST_REQUIRE(table.size() == 4U);
  const std::string cycles = cyclesOf(folder, run);
  std::uint64_t conflicts = 0;
  std::string all;
  for (std::size_t row = 0; row < 3; ++row) {
    std::string named = table.cell(row, "line");
    named.replace(named.find(':'), 1, "@");
    all += ' ' + named;
    BOOST_TEST(table.cell(row, "cycles") == cycles);
    BOOST_TEST(table.cell(row, "cycles_without") ==
               cyclesOf(folder, run, "scratchpad.conflict_free=" + named));
    BOOST_TEST(std::stoll(table.cell(row, "cycles_saved")) ==
               static_cast<long long>(table.integer(row, "cycles")) -
                   static_cast<long long>(table.integer(row, "cycles_without")));
    conflicts += table.integer(row, "conflict_cycles");
  }
  BOOST_TEST(table.cell(3, "line") == "all");
  BOOST_TEST(table.integer(3, "conflict_cycles") == conflicts);
  BOOST_TEST(table.cell(3, "cycles_without") ==
             cyclesOf(folder, run, "scratchpad.conflict_free=" + all));
  BOOST_TEST(table.cell(3, "cycles_without") ==
             cyclesOf(folder, run, "scratchpad.conflict_policy=ideal"));
}

BOOST_AUTO_TEST_CASE(lines_that_are_free_already_stay_so) {
  const Folder folder;
  const Outcome outcome = runProgram(
                              "explain --platform gtx480 nw --param n=64 --csv --set "
                              "'scratchpad.conflict_free=nw.cu@30'",
                              folder.path)
                              .ok()
                              .lacks("nw.cu:30");
  folder.write("explained.csv", outcome.text);
  const ResultTable table(folder.path / "explained.csv");
  BOOST_TEST_REQUIRE(table.size() == 3U);
  BOOST_TEST(table.cell(2, "cycles_without") ==
             cyclesOf(folder, "gtx480 nw --param n=64", "scratchpad.conflict_policy=ideal"));
}

// A conflict that another hides and one that costs cycles: the last column tells them apart.
BOOST_AUTO_TEST_CASE(tells_what_is_hidden_from_what_costs) {
  runProgram("explain --platform gtx480 transpose")
      .says("transpose on gtx480: 17,277 cycles, 17,263 without conflicts", "0.4%");
  runProgram("explain --platform gtx480 transpose --param tile=32").says("87.7%");
  runProgram("explain --platform gtx480 transpose --param tile=32 --param pad=1")
      .ok("no line conflicts");
}

// Without conflicts fwt.cu:19 saves 5,282 cycles, more than its 3,072 conflict cycles, and nw.cu:31
// loses 48 cycles.
BOOST_AUTO_TEST_CASE(gives_no_share_of_more_than_all) {
  const std::string fwt =
      runProgram("explain --platform gtx480 fwt")
          .says("more than all\n", "more than all: without its conflicts other waits change")
          .text;
  const std::string nw =
      runProgram("explain --platform gtx480 nw --param n=64").says(" none\n").text;
  for (const std::string& text : {fwt, nw}) {
    for (const std::string& line : linesOf(text)) {
      if (line.empty() || line.back() != '%') continue;
      const double share = std::stod(line.substr(line.rfind(' ') + 1));
      BOOST_TEST((share >= 0 && share <= 100), line);
    }
  }
}

BOOST_DATA_TEST_CASE(
    refuses,
    bdata::make({"explain", "explain --platform gtx480 none",
                 "explain --platform gtx480 transpose matmul",
                 "explain --platform gtx480 transpose --set x=1",
                 "explain --platform gtx480 transpose --set scratchpad.conflict_free=a@x",
                 "run gtx480 transpose --set scratchpad.conflict_free=transpose.cu@21",
                 "run gtx480 transpose --set scratchpad.conflict_free=transpose_16_0:9999",
                 "run gtx480 transpose --set scratchpad.conflict_free=:1"}),
    arguments) {
  runProgram(arguments).refused("fermata: error: ");
}

BOOST_AUTO_TEST_SUITE_END()
