// The program that measures bank conflicts by the clock: on the model it finds the platform's
// latency, and two cycles for each further pass of one warp.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

namespace {

using namespace fermata::test;

const std::string kBanksSource = FERMATA_SOURCE_DIR "/stimuli/programs/bank_conflicts.cu";

struct Machine {
  const char* name;
  /// Cycles of a 32-bit load without a conflict: the figure that the platform cites.
  double latency;
  double more;      ///< cycles beyond a pass's two for each lane group behind the first
  double interval;  ///< least cycles between two loads of a warp
};
std::ostream& operator<<(std::ostream& out, const Machine& machine) {
  return out << machine.name;
}
const Machine kMachines[] = {{"sm_70", 19, 0, 4}, {"sm_80", 29, 0, 4}, {"sm_90", 23, 1, 4}};

/// Returns the lanes of a lane group: a warp, half or quarter by width. A wide load of one element
/// for all packs: two groups come together.
unsigned lanesOf(unsigned bytes, unsigned stride) {
  return 128 / bytes * (stride == 0 && bytes > 4 ? 2 : 1);
}

/// Returns the passes of a load: lanes on one word merge.
unsigned passesOf(unsigned bytes, unsigned stride) {
  const unsigned together = lanesOf(bytes, stride);
  unsigned sum = 0;
  for (unsigned first = 0; first < 32; first += together) {
    std::map<unsigned, std::set<unsigned>> words;
    for (unsigned lane = first; lane < first + together; ++lane) {
      for (unsigned w = 0; w < bytes / 4; ++w) {
        const unsigned word = lane * stride * bytes / 4 + w;
        words[word % 32].insert(word);
      }
    }
    std::size_t most = 0;
    for (const auto& [bank, of] : words) most = std::max(most, of.size());
    sum += static_cast<unsigned>(most);
  }
  return sum;
}

/// Returns the program's own rows of the printed text.
std::string rowsOf(const std::string& text) {
  std::istringstream lines(text);
  std::string rows;
  for (std::string line; std::getline(lines, line);) {
    const std::string first = line.substr(0, line.find(','));
    if (first == "loads" || first == "dependent" || first == "independent" || first == "many")
      rows += line + '\n';
  }
  return rows;
}

struct Built : Folder {
  Built() {
    const Outcome made = runProgram("cc " + kBanksSource + " -o bank_conflicts", path);
    BOOST_TEST_REQUIRE(made.code == 0, made.text);
  }
  Outcome run(const std::string& platform, const std::string& arguments) const {
    return runProgram("exec --platform " + platform + " -- ./bank_conflicts " + arguments, path);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bank_conflicts_by_the_clock, Built)

BOOST_DATA_TEST_CASE(are_those_of_the_platform, bdata::make(kMachines), machine) {
  const std::string name = machine.name;
  const Outcome outcome = run(name, "");
  BOOST_TEST(outcome.code == 0);
  const std::string rows = rowsOf(outcome.text);
  write(name + ".csv", rows);
  const auto loads = column(rows, "loads"), bytes = column(rows, "bytes"),
             stride = column(rows, "stride"), cycles = column(rows, "cycles");
  BOOST_TEST(loads.size() == 3U * 3U * 12U);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const auto width = static_cast<unsigned>(std::stoul(bytes[i]));
    const auto apart = static_cast<unsigned>(std::stoul(stride[i]));
    const unsigned passes = passesOf(width, apart);
    const double took = std::stod(cycles[i]);
    BOOST_TEST_CONTEXT(loads[i] << ' ' << bytes[i] << ' ' << stride[i]) {
      // The clock is read once per 48 loads, behind a comparison and what it guards.
      const double latency = machine.latency + machine.more * (32 / lanesOf(width, apart) - 1);
      const double each = latency + 2 * (passes - 1);
      if (loads[i] == "dependent") {
        BOOST_TEST((took >= each && took < each + 0.4), took << " for " << each);
      } else if (loads[i] == "many") {  // a pass every cycle
        BOOST_TEST((took >= passes && took < passes + 1), took << " for " << passes);
      } else {  // a pass every two cycles; the last load waits for its latency
        const double held = std::max<double>(machine.interval, 2 * passes);
        const double last = (latency - held + 2 * (passes - 1)) / 48;
        BOOST_TEST((took >= held + last && took < held + last + 0.4), took << " for " << held);
      }
    }
  }
  const Outcome same = run(name, name + ".csv 0.01");
  BOOST_TEST(same.code == 0);
  BOOST_TEST(has(same.text, "0 of 108 differ by more than 0.01 %, or are missing"));
}

BOOST_AUTO_TEST_CASE(of_another_machine_stand_beside) {
  write("other.csv", "loads,bytes,stride,cycles\ndependent,4,1,58.25\nindependent,4,1,4.9\n");
  const Outcome beside = run("sm_80", "other.csv");
  BOOST_TEST_CONTEXT(beside.text) {
    BOOST_TEST(beside.code == 1);
    BOOST_TEST(has(beside.text, "dependent,4,1,29.3125,58.2500,-49.7\n"));
    BOOST_TEST(has(beside.text, "dependent,4,2,31.3125,,\n"));
    BOOST_TEST(has(beside.text, "107 of 108 differ by more than 5 %, or are missing"));
  }
  write("bad.csv", "loads,bytes,stride,cycles\ndependent,4,1\n");
  for (const auto& [arguments, says] : std::map<std::string, std::string>{
           {"bad.csv", "bank_conflicts: bad.csv:2: expected loads,bytes,stride,cycles"},
           {"none.csv", "bank_conflicts: cannot read 'none.csv'"},
           {"other.csv many", "usage: bank_conflicts [FILE [PERCENT]]"}}) {
    const Outcome bad = run("sm_80", arguments);
    BOOST_TEST(bad.code == 2, bad.text);
    BOOST_TEST(has(bad.text, says), bad.text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
