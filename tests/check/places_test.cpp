// From a source to `check` and `explain`: lines, inlined functions, headers, macros and code that
// the compiler gives line 0, by clang at each level of optimisation and by nvcc.
#include "tests/energy/result_files.h"

using namespace fermata::test;

namespace {

const char* const kPlacesLaunch = R"(
[buffers.in]
type = "f32"
count = 1024
[buffers.out]
type = "f32"
count = 1024
[[launch]]
entry = "places"
grid = 1
block = [32, 32]
arguments = [{ buffer = "in" }, { buffer = "out" }]
)";

/// A folder with places.cu, compiled by `compiler`, and its launch file.
struct Compiled : Folder {
  explicit Compiled(const std::string& compiler) {
    const fs::path data = FERMATA_PLACES;
    for (const char* file : {"places.cu", "taps.h"}) fs::copy_file(data / file, path / file);
    if (compiler == "nvcc") fs::copy_file(data / "nvcc.ptx", path / "places.ptx");
    if (compiler[0] == 'O') compile(compiler);
    write("places.toml", (compiler == "cu" ? "kernel = \"places.cu\"" : "kernel = \"places.ptx\"") +
                             std::string(kPlacesLaunch));
  }

 private:
  void compile(const std::string& level) const {
    const std::string command =
        "cd '" + path.string() +
        "' && clang-16 -x cuda --cuda-device-only -S -nocudainc -nocudalib -nostdinc "
        "--cuda-path=/nonexistent --cuda-gpu-arch=sm_35 -gline-tables-only -" +
        level + " -include '" FERMATA_CUDA_HEADER "' -o places.ptx places.cu 2>/dev/null";
    BOOST_REQUIRE(std::system(command.c_str()) == 0);
  }
};

/// Returns the places of the findings of `check`, such as "about places.cu:12".
std::vector<std::string> placesFound(const std::string& text) {
  std::vector<std::string> places;
  for (const std::string& line : linesOf(text)) {
    const std::string place = line.substr(0, line.find(": warning: "));
    const bool about = has(line, ": warning: about this line: bank conflicts of ld.shared.f32");
    places.push_back((about ? "about " : "") + place.substr(place.rfind('/') + 1));
  }
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(places)

BOOST_DATA_TEST_CASE(each_conflict_has_its_line, bdata::make({"O1", "O2", "O3", "cu", "nvcc"}),
                     compiler) {
  const Compiled folder(compiler);
  const Outcome checked =
      runProgram("check --platform gtx480 places.toml --quiet", folder.path).ends(1);
  std::vector<std::string> expected = {"about places.cu:18", "places.cu:10", "places.cu:11",
                                       "places.cu:12",       "places.cu:17", "taps.h:3"};
  // clang moves the load of line 11 behind the branch of line 12; the load has no line there.
  if (compiler != std::string("nvcc")) {
    expected = {"about places.cu:12", "about places.cu:18", "places.cu:10",
                "places.cu:12",       "places.cu:17",       "taps.h:3"};
  }
  BOOST_TEST(placesFound(checked.text) == expected, tt::per_element());

  const Outcome explained =
      runProgram("explain --platform gtx480 places.toml --csv", folder.path).ok();
  folder.write("explained.csv", explained.text);
  const ResultTable table(folder.path / "explained.csv");
  BOOST_TEST_REQUIRE(table.size() == expected.size() + 1);
  std::vector<std::string> lines;
  for (std::size_t row = 0; row + 1 < table.size(); ++row) {
    const std::string& place = table.cell(row, "line");
    const bool about = place.rfind("about ", 0) == 0;
    lines.push_back((about ? "about " : "") +
                    place.substr(std::max(place.rfind('/') + 1, about ? 6UL : 0UL)));
  }
  std::sort(lines.begin(), lines.end());
  BOOST_TEST(lines == expected, tt::per_element());
  // The findings are complete: without all of them the machine is the ideal one.
  runProgram("run gtx480 places.toml --quiet --out out --set scratchpad.conflict_policy=ideal",
             folder.path)
      .ok();
  BOOST_TEST(table.cell(table.size() - 1, "cycles_without") ==
             ResultTable(folder.path / "out" / "runs.csv").cell(0, "cycles"));
}

// The list of scratchpad.conflict_free is separated by blanks: it names instructions instead.
BOOST_AUTO_TEST_CASE(a_file_whose_name_has_a_blank) {
  const Compiled folder("cu");
  fs::rename(folder.path / "places.cu", folder.path / "two words.cu");
  folder.write("places.toml", "kernel = \"two words.cu\"" + std::string(kPlacesLaunch));
  runProgram("explain --platform gtx480 places.toml", folder.path)
      .ok("two words.cu:17", "taps.h:3")
      .lacks("left out");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_named_is_left_out) {
  const Compiled folder("nvcc");
  runProgram("run gtx480 places.toml --quiet --record t.csv", folder.path).ok();
  std::string trace = readFile(folder.path / "t.csv");
  for (const std::string field : {"name=places", "kernel=places"}) {
    const std::size_t at = trace.find(field);
    BOOST_TEST_REQUIRE(at != std::string::npos);
    trace.replace(at, field.size(), '"' + field.substr(0, field.find('=')) + "=void places()\"");
  }
  folder.write("t.csv", trace);
  runProgram("explain --platform gtx480 t.csv", folder.path)
      .ok("places.cu:18 conflicts and is left out", "places.cu:11");
}

BOOST_AUTO_TEST_CASE(tables_give_no_line_where_there_is_none) {
  const Compiled folder("nvcc");
  runProgram("run gtx480 places.toml --quiet --out out --record t.csv", folder.path).ok();
  const ResultTable table(folder.path / "out" / "instructions.csv");
  unsigned without = 0;
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (table.cell(row, "opcode") != "ld.shared.f32") continue;
    BOOST_TEST((table.cell(row, "source_file") == "places.cu" ||
                table.cell(row, "source_file") == "taps.h"));
    without += table.cell(row, "line").empty() ? 1 : 0;
  }
  BOOST_TEST(without == 1U);
  const Outcome replayed = runProgram("check --platform gtx480 t.csv --quiet", folder.path);
  BOOST_TEST(
      placesFound(replayed.text) ==
          placesFound(runProgram("check --platform gtx480 places.toml --quiet", folder.path).text),
      tt::per_element());
  runProgram("search --platform gtx480 places.toml --class xor", folder.path)
      .says("about places.cu:18");
}

BOOST_AUTO_TEST_CASE(a_line_that_is_about_may_be_allowed) {
  const Compiled folder("nvcc");
  runProgram(
      "check --platform gtx480 places.toml --allow places.cu:18 --sarif s.sarif --junit j.xml",
      folder.path)
      .says("6 of 7 lines with shared accesses conflict: 5 over a limit, 1 allowed");
  BOOST_TEST(has(readFile(folder.path / "s.sarif"), "about this line: bank conflicts"));
  BOOST_TEST(has(readFile(folder.path / "j.xml"), "name=\"about "));
}

BOOST_AUTO_TEST_SUITE_END()
