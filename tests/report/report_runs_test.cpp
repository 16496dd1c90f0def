// Pages of runs: source lines, banks, and the lanes of the worst accesses.
#include "tests/report/page_data.h"

using namespace fermata::test;
using nlohmann::json;

namespace {

struct Runs : Folder {
  Outcome program(const std::string& arguments) const { return runProgram(arguments, path); }
  void must(const std::string& arguments) const { program(arguments).ok(); }
  json page(const std::string& folder) const {
    must("report " + folder);
    return dataOf(path / folder / "report.html");
  }
};

const char* const kTranspose = "run gtx480 transpose --param tile=32 --param n=64 --quiet";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(report_runs, Runs)

// The README's example: line 20 reads a column, with 32 lanes on one bank.
BOOST_AUTO_TEST_CASE(the_worst_access_has_its_line_and_its_lanes) {
  must(std::string(kTranspose) + " --out d");
  const json data = page("d");
  BOOST_TEST(data.at("kind") == "run");
  BOOST_TEST_REQUIRE(data.at("details").size() == 1U);
  const json& detail = data.at("details").at(0);
  BOOST_TEST(detail.at("label") == "transpose, mod 32");
  BOOST_TEST(detail.at("note") == "");
  BOOST_TEST(detail.at("banks").size() == 32U);
  BOOST_TEST_REQUIRE(detail.at("accesses").size() == 1U);
  const json& access = detail.at("accesses").at(0);
  BOOST_TEST(access.at("place") == "transpose.cu:20");
  BOOST_TEST(has(access.at("source").get<std::string>(), "tile"));
  BOOST_TEST(access.at("degree") == 32);
  BOOST_TEST(access.at("passes") == 32);
  BOOST_TEST(access.at("ideal") == 1);
  BOOST_TEST(access.at("lane").size() == 32U);
  std::set<json> banks(access.at("bank").begin(), access.at("bank").end());
  BOOST_TEST(banks.size() == 1U);
  std::set<json> words(access.at("word").begin(), access.at("word").end());
  BOOST_TEST(words.size() == 32U);
  for (const json& pile : access.at("pile")) BOOST_TEST(pile == 32);
  const json& line = detail.at("lines").at(0);
  BOOST_TEST(line.at("place") == "transpose.cu:20");
  BOOST_TEST(line.at("accesses") == 128);  // 4 tiles, 8 times, four warps' loads per tile
  BOOST_TEST(line.at("conflict_cycles") == 128 * 31);
}

// The page begins with the bound of each run, which bound.csv has.
BOOST_AUTO_TEST_CASE(each_run_has_its_bound) {
  must("run gtx480 transpose scan --quiet --out d");
  const json data = page("d");
  const json& bounds = data.at("bounds");
  BOOST_TEST_REQUIRE(bounds.size() == 2U);
  const json& transpose = bounds.at(0);
  BOOST_TEST(transpose.at("row") == 0);
  BOOST_TEST(transpose.at("run") == "transpose, mod 32");
  BOOST_TEST(transpose.at("bound") == "issue");
  BOOST_TEST(transpose.at("cycles") == column(data, "cycles").at(0));
  double slots = 0;
  for (const json& use : transpose.at("slots")) slots += use.get<double>();
  BOOST_TEST(slots == 2 * transpose.at("cycles").get<double>());
  BOOST_TEST(transpose.at("most").get<double>() > 1);
  BOOST_TEST(bounds.at(1).at("most") == 1);
  fs::remove(path / "d" / "bound.csv");  // a folder of an older version
  BOOST_TEST(page("d").at("bounds").is_null());
}

// A report runs a run without accesses.csv again, with the same details. If the run's table does
// not match the new run, the details lack the accesses.
BOOST_AUTO_TEST_CASE(a_run_without_accesses_runs_again) {
  must(std::string(kTranspose) + " --out with");
  must(std::string(kTranspose) + " --out without");
  BOOST_TEST(fs::remove(path / "without" / "accesses.csv"));  // a folder of an older version
  BOOST_TEST(page("with").at("details") == page("without").at("details"));
  std::string runs = readFile(path / "without" / "runs.csv");
  const json cycles = column(page("without"), "cycles").at(0);
  const std::string text = ',' + cycles.dump() + ',';
  runs.replace(runs.find(text), text.size(), ",1,");
  write("without/runs.csv", runs);
  const json detail = page("without").at("details").at(0);
  BOOST_TEST(detail.at("accesses").empty());
  BOOST_TEST(has(detail.at("note").get<std::string>(), "keeps them in accesses.csv"));
  BOOST_TEST(!detail.at("lines").empty());
}

BOOST_AUTO_TEST_CASE(accesses_that_cannot_be_are_refused_with_their_line) {
  must(std::string(kTranspose) + " --out d");
  const std::string good = readFile(path / "d" / "accesses.csv");
  const std::string first = linesOf(good).at(1);  // ends in group, lane, part, word, bank
  const auto with = [&](const std::string& ending) {
    std::string line = first;
    for (int field = 0; field < 5; ++field) line.erase(line.rfind(','));
    write("d/accesses.csv", linesOf(good).at(0) + '\n' + line + ending + '\n');
    const Outcome outcome = program("report d");
    return std::to_string(outcome.code) + outcome.text;
  };
  BOOST_TEST(with(",0,0,0,5,5") == "0Report: d/report.html\n");
  BOOST_TEST(has(with(",0,32,0,5,5"), "accesses.csv:2: lane 32; expected 0 to 31"));
  BOOST_TEST(has(with(",0,0,0,5,32"), "accesses.csv:2: bank 32 of 32; expected one that there is"));
  BOOST_TEST(has(with(",0,0,0,5.5,5"), "accesses.csv:2: word is '5.5'; expected a whole number"));
  BOOST_TEST(has(with(",0,0,0,5"), "accesses.csv:2: the row has 17 fields; expected 18"));
}

// A table can name any file of the machine: by its path, by a name in the working folder, by a link
// in the run's folder, and with a forged hash.
BOOST_AUTO_TEST_CASE(no_line_is_copied_from_a_file_that_the_run_did_not_read) {
  must(std::string(kTranspose) + " --out d");
  std::string secret;
  for (int line = 0; line < 30; ++line) secret += "secret\n";
  write("secret.txt", secret);
  fs::create_symlink("../secret.txt", path / "d" / "link.txt");
  const std::string whole = (path / "secret.txt").string();
  const std::vector<std::string> tables{"d/instructions.csv", "d/accesses.csv", "d/sources.csv"};
  std::vector<std::string> good;
  for (const std::string& table : tables) good.push_back(readFile(path / table));
  for (const std::string& name :
       {whole, std::string("../secret.txt"), std::string("secret.txt"), std::string("link.txt")}) {
    for (std::size_t i = 0; i < tables.size(); ++i) {
      std::string text = good[i];
      const std::string from = ",transpose.cu,";
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += name.size())
        text.replace(at, from.size(), "," + name + ",");
      write(tables[i], text);
    }
    const json detail = page("d").at("details").at(0);
    BOOST_TEST(!has(readFile(path / "d" / "report.html"), "secret\""), name);
    BOOST_TEST(detail.at("lines").at(0).at("source") == "");
    BOOST_TEST(has(detail.at("source_note").get<std::string>(), "no source lines of " + name));
  }
}

// The lines of a user's kernel are shown from the run's folder or from a named file, if its
// contents are those that the run read. A folder without hashes shows named files only.
BOOST_AUTO_TEST_CASE(lines_are_those_of_the_file_that_the_run_read) {
  const std::string kernel =
      "__global__ void k(float* p) {\n  __shared__ float tile[1024];\n  tile[threadIdx.x * 32] = "
      "p[0];\n  __syncthreads();\n  p[threadIdx.x] = tile[threadIdx.x];\n}\n";
  fs::create_directory(path / "k");
  write("k/k.cu", kernel);
  write("k/k.toml",
        "kernel = 'k.cu'\n[buffers.p]\ntype = 'f32'\ncount = 32\nfill = 'zero'\n[[launch]]\n"
        "entry = 'k'\ngrid = 1\nblock = 32\narguments = [{ buffer = 'p' }]\n");
  must("run gtx480 k/k.toml --quiet --out d");
  const auto page = [&](const std::string& options) {
    must("report d " + options);
    return dataOf(path / "d" / "report.html").at("details").at(0);
  };
  const auto source = [&](const std::string& options) {
    return page(options).at("lines").at(0).at("source").get<std::string>();
  };
  const std::string line = "tile[threadIdx.x * 32] = p[0];";
  BOOST_TEST(source("") == "");
  BOOST_TEST(has(page("").at("source_note").get<std::string>(), "--source"));
  BOOST_TEST(source("--source k/k.cu") == line);
  BOOST_TEST(source("--source k") == line);
  BOOST_TEST(page("--source k").at("source_note") == "");
  write("k.cu", kernel);  // in the current folder
  BOOST_TEST(source("") == line);
  write("k.cu", "\n" + kernel);
  BOOST_TEST(source("") == "");
  write("d/k.cu", kernel);
  BOOST_TEST(source("") == line);
  write("d/k.cu", "\n" + kernel);  // edited after the run
  BOOST_TEST(source("") == "");
  write("k/k.cu", "\n" + kernel);
  BOOST_TEST(source("--source k/k.cu") == "");
  write("k/k.cu", kernel);
  write("d/k.cu", kernel);
  fs::remove(path / "d" / "sources.csv");
  BOOST_TEST(source("") == "");
  BOOST_TEST(has(page("").at("source_note").get<std::string>(), "recorded no hash"));
  BOOST_TEST(source("--source k") == "");
  BOOST_TEST(source("--source k/k.cu") == line);
  program("report d --source none.cu").refused();
}

// Half warps: lanes of different halves on one bank are no conflict.
BOOST_AUTO_TEST_CASE(lanes_of_different_groups_do_not_pile_up) {
  must("run gtx280 stride --param stride=2 --quiet --out d");
  const json data = page("d");
  BOOST_TEST_REQUIRE(!data.at("details").at(0).at("accesses").empty());
  const json& access = data.at("details").at(0).at("accesses").at(0);
  BOOST_TEST(access.at("banks") == 16);
  BOOST_TEST(access.at("degree") == 2);
  for (const json& pile : access.at("pile")) BOOST_TEST(pile == 2);
  std::set<json> groups(access.at("group").begin(), access.at("group").end());
  BOOST_TEST(groups.size() == 2U);
}

// One workload runs twice beside others: each run has its own rows.
BOOST_AUTO_TEST_CASE(several_runs_of_one_folder_are_told_apart) {
  must("run gtx480 reduction transpose transpose --quiet --out d --power fermi-40nm");
  const json data = page("d");
  BOOST_TEST(data.at("points") == 3);
  BOOST_TEST(data.at("details").size() == 2U);  // the worst access of each workload
  for (const json& detail : data.at("details")) BOOST_TEST(detail.at("banks").size() == 32U);
  const json& energy = data.at("energy");
  BOOST_TEST_REQUIRE(energy.is_array());
  double sum = 0;
  for (const json& row : energy) sum += row.at("nj").get<double>();
  double runs = 0;
  for (const json& one : column(data, "energy_nj")) runs += one.get<double>();
  BOOST_TEST(sum == runs, tt::tolerance(1e-5));
}

// A sweep's report runs the worst point of each kernel again, with the sweep's settings.
BOOST_AUTO_TEST_CASE(a_sweep_shows_the_worst_points) {
  write("s.toml",
        "[base]\nplatform = \"gtx480\"\nprices = \"fermi-40nm\"\n[axes]\nworkload = "
        "[\"transpose\", \"reduction\"]\nmapping = [\"ami 33\", \"mod 32\"]\n");
  must("sweep run s.toml d");
  const json data = page("d");
  BOOST_TEST_REQUIRE(data.at("details").size() == 2U);
  BOOST_TEST(data.at("details").at(0).at("label") == "reduction, mod 32");
  BOOST_TEST(data.at("details").at(0).at("row") == 3);
  BOOST_TEST(data.at("details").at(1).at("label") == "transpose, mod 32");
  for (const json& detail : data.at("details")) {
    BOOST_TEST(detail.at("note") == "");
    BOOST_TEST(!detail.at("accesses").empty());
    double sum = 0;
    for (const json& line : detail.at("lines")) sum += line.at("conflict_cycles").get<double>();
    BOOST_TEST(
        sum ==
        column(data, "wavefronts_excessive").at(detail.at("row").get<std::size_t>()).get<double>());
  }
  BOOST_TEST(data.at("missing").at("energy").is_null());
  BOOST_TEST(column(data, "energy_nj").at(0).get<double>() > 0);
}

BOOST_AUTO_TEST_SUITE_END()
