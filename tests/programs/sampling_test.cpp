// fermata exec --sample: estimates within their error of whole runs, from a small part of the
// instructions; refusals; nothing changes without it.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

namespace {

using namespace fermata::test;

struct Long {
  const char* name;
  const char* arguments;
  double less;  ///< a sample times at most one in so many warp instructions
};
std::ostream& operator<<(std::ostream& out, const Long& program) {
  return out << program.name;
}
const Long kLong[] = {{"scan", "64 40", 5}, {"stencil", "128 60", 10}};

double sumOf(const std::string& csv, const std::string& name) {
  double sum = 0;
  for (const std::string& cell : column(csv, name)) sum += std::stod(cell);
  return sum;
}

/// Returns the warp instructions of the CTAs that were timed.
double timedInstructions(const std::string& csv) {
  const auto all = column(csv, "ctas"), timed = column(csv, "timed_ctas"),
             instructions = column(csv, "warp_instructions");
  double sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    sum += std::stod(instructions[i]) * std::stod(timed[i]) / std::stod(all[i]);
  return sum;
}

struct Program {
  Folder folder;
  std::string run;
  Program(const std::string& name, const std::string& arguments) : run(" -- ./app " + arguments) {
    runProgram("cc '" FERMATA_SOURCE_DIR "/stimuli/programs/sampled/" + name + ".cu' -o app",
               folder.path)
        .ok();
  }
  Outcome exec(const std::string& options) const {
    return runProgram("exec --platform sm_80 " + options + run, folder.path);
  }
  std::string file(const std::string& name) const { return readFile(folder.path / name); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(sampled_programs)

BOOST_DATA_TEST_CASE(estimates_are_within_their_error, bdata::make(kLong), program) {
  const Program app(program.name, program.arguments);
  const std::string printed = app.exec("--quiet --out whole").ok().text;
  const Outcome sampled = app.exec("--sample --out part").ok(printed, "sampled: ", " +- ");
  const std::string whole = app.file("whole/runs.csv"), part = app.file("part/runs.csv");
  for (const char* exact :
       {"launch", "kernel", "grid", "ctas", "warp_instructions", "thread_instructions"})
    BOOST_TEST(column(whole, exact) == column(part, exact), tt::per_element());
  for (const auto& [figure, error] :
       {std::pair("cycles", "cycles_error"), std::pair("shared_accesses", "shared_accesses_error"),
        std::pair("wavefronts_excessive", "wavefronts_excessive_error")})
    BOOST_TEST(std::abs(sumOf(whole, figure) - sumOf(part, figure)) <= sumOf(part, error), figure);
  BOOST_TEST(sumOf(part, "cycles_error") < 0.032 * sumOf(part, "cycles"));
  BOOST_TEST(timedInstructions(part) * program.less <= sumOf(part, "warp_instructions"));
  BOOST_TEST(!has(whole, "timed_ctas"));
  // A launch is timed as in the whole run, or has a group whose launches were.
  BOOST_TEST(column(part, "cycles")[0] == column(whole, "cycles")[0]);
  BOOST_TEST(column(part, "timed_ctas").back() == "0");
}

// A launch of many waves is timed until its rate is steady.
BOOST_AUTO_TEST_CASE(a_launch_is_timed_in_part) {
  const Program app("matmul", "192 1");
  app.exec("--quiet --out whole").ok();
  app.exec("--quiet --sample --out part").ok();
  const std::string whole = app.file("whole/runs.csv"), part = app.file("part/runs.csv");
  BOOST_TEST(column(part, "ctas")[0] == "144");
  BOOST_TEST(column(part, "timed_ctas")[0] == "80");
  BOOST_TEST(column(part, "warp_instructions") == column(whole, "warp_instructions"),
             tt::per_element());
  BOOST_TEST(std::abs(sumOf(whole, "cycles") - sumOf(part, "cycles")) <=
             sumOf(part, "cycles_error"));
}

BOOST_AUTO_TEST_CASE(what_needs_whole_launches_is_refused) {
  const Folder folder;
  for (const char* options :
       {"--power fermi-40nm", "--record t.csv", "--functional", "--timeline t.vcd --launches 3"})
    runProgram(std::string("exec --sample ") + options + " -- ./app", folder.path)
        .refused("--sample with --", "expected one of the two");
}

BOOST_AUTO_TEST_SUITE_END()
