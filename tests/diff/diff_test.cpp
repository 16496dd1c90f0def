// fermata diff: two folders beside each other.
#include "tests/support/csv_columns.h"

using namespace fermata::test;

namespace {

/// Returns the sum of column `figure` over the rows of diff's CSV that have the two cells.
double sumOf(const std::string& csv, const std::string& table, const std::string& name,
             const std::string& figure) {
  double sum = 0;
  for (const std::string& line : linesOf(csv)) {
    const auto cells = cellsOf(line);
    if (cells[0] == table && cells[2] == name)
      sum += std::stod(cells[figure == "a" ? 4 : figure == "b" ? 5 : 6]);
  }
  return sum;
}

struct Runs : Folder {
  Runs() {
    run("transpose nw --param n=64", "mod");
    run("nw transpose --param n=64 --set scratchpad.indexer='ami 33'", "ami");
  }
  void run(const std::string& arguments, const std::string& out) const {
    runProgram("run gtx480 " + arguments + " --power fermi-40nm --quiet --out " + out, path).ok();
  }
  Outcome diff(const std::string& arguments) const { return runProgram("diff " + arguments, path); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(diff)

BOOST_AUTO_TEST_CASE(figures_are_those_of_the_tables) {
  const Runs runs;
  const std::string csv = runs.diff("mod ami --csv").ok().text;
  for (const char* const name : {"wavefronts_excessive", "cycles"}) {
    for (const std::string folder : {"mod", "ami"}) {
      double sum = 0;
      for (const std::string& cell : column(readFile(runs.path / folder / "runs.csv"), name))
        sum += std::stod(cell);
      BOOST_TEST(sumOf(csv, "runs", name, folder == "mod" ? "a" : "b") == sum, name);
    }
  }
  // Conflicts of the lines are those of the runs.
  BOOST_TEST(sumOf(csv, "lines", "wavefronts_excessive", "difference") ==
             sumOf(csv, "runs", "wavefronts_excessive", "difference"));
  BOOST_TEST(sumOf(csv, "lines", "wavefronts_excessive", "difference") < 0);
}

BOOST_AUTO_TEST_CASE(the_greatest_differences_come_first) {
  const Runs runs;
  const Outcome outcome =
      runs.diff("mod ami --most 1")
          .ok("indexer: mod 32 -> ami 33\n", "changes: none -> scratchpad.indexer=ami 33\n",
              "\nRuns\n", "\nStalls, in issue slots\n", "energy nJ A",
              "more differ less (--most)\n");
  const std::size_t lines = outcome.text.find("\nLines, ");
  BOOST_TEST_REQUIRE(lines != std::string::npos);
  BOOST_TEST(has(outcome.text.substr(lines), "nw.cu"));
}

BOOST_AUTO_TEST_CASE(a_folder_does_not_differ_from_itself) {
  const Runs runs;
  BOOST_TEST(runs.diff("mod mod --csv").ok().text ==
             "table,row,figure,unit,a,b,difference,percent\n");
  runs.diff("mod mod").ok("+0.0%").lacks("Stalls", "Lines", " -> ");
}

BOOST_AUTO_TEST_CASE(runs_of_one_folder_alone_are_counted) {
  const Runs runs;
  runs.run("transpose matmul --param n=64", "other");
  runs.diff("mod other").ok("only in mod: 1 of the runs\n", "only in other: 1 of the runs\n");
  runs.run("fwt stride", "far");
  runs.diff("mod far").refused("no run of 'mod' has a partner in 'far'");
}

BOOST_AUTO_TEST_CASE(sweeps_pair_by_their_axes) {
  const Folder folder;
  for (const std::string machine : {"gtx480", "sm_80"}) {
    folder.write(machine + ".toml", "[base]\nplatform = \"" + machine +
                                        "\"\n[axes]\nworkload = [\"transpose\"]\n"
                                        "mapping = [\"mod 32\", \"ami 33\"]\n");
    runProgram("sweep run " + machine + ".toml " + machine, folder.path).ok();
  }
  runProgram("diff gtx480 sm_80", folder.path)
      .ok("platform: gtx480 -> sm_80\n", "mod 32", "ami 33", "stall_memory_port");
}

BOOST_AUTO_TEST_CASE(the_page_fetches_nothing) {
  const Runs runs;
  runs.diff("mod ami --html page.html").ok("Page: page.html\n");
  const std::string page = readFile(runs.path / "page.html");
  BOOST_TEST(has(page, "default-src 'none'"));
  BOOST_TEST(has(page, "<h2>Runs</h2>"));
  BOOST_TEST(has(page, "<li>indexer: <code>mod 32</code> in A, <code>ami 33</code> in B</li>"));
  runs.diff("mod ami --html again.html").ok();
  BOOST_TEST(page == readFile(runs.path / "again.html"));
}

BOOST_DATA_TEST_CASE(refuses,
                     bdata::make({"", "mod", "mod none", "none mod", "mod ami --most 0",
                                  "mod ami --html /none/p.html", "mod empty", "mod broken"}),
                     arguments) {
  const Folder folder;
  runProgram("run gtx480 transpose --quiet --out mod", folder.path).ok();
  runProgram("run gtx480 transpose --quiet --out ami", folder.path).ok();
  fs::create_directories(folder.path / "empty");
  fs::create_directories(folder.path / "broken");
  folder.write("broken/runs.csv", "a,a\n");
  folder.write("broken/schema.csv", readFile(folder.path / "mod/schema.csv"));
  runProgram(std::string("diff ") + arguments, folder.path).refused("fermata: error: ");
}

BOOST_AUTO_TEST_SUITE_END()
