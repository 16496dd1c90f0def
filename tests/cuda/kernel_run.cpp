#include "tests/cuda/kernel_run.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/launch/catalog.h>
#include "tests/support/says.h"

namespace fermata::test {

namespace {

/// Returns the lines of the suite's section, without comments.
std::vector<std::string> linesOf(const std::string& suite) {
  std::ifstream in(FERMATA_SOURCE_DIR "/tests/cuda/kernel_runs.txt");
  std::vector<std::string> lines;
  bool isInside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind('[', 0) == 0)
      isInside = line == "[" + suite + "]";
    else if (isInside && !line.empty() && line[0] != '#')
      lines.push_back(line);
  }
  if (lines.empty()) throw std::runtime_error(suite + " has no runs");
  return lines;
}

Parameters readParameters(const std::string& text) {
  Parameters parameters;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t at = word.find('=');
    if (at != std::string::npos) parameters[word.substr(0, at)] = word.substr(at + 1);
  }
  return parameters;
}

const std::string kArrow = " -> ";

}  // namespace

std::vector<Run> runsOf(const std::string& suite) {
  std::vector<Run> runs;
  for (const std::string& line : linesOf(suite)) {
    if (line.find(kArrow) != std::string::npos) continue;
    const std::size_t colon = line.find(':');
    std::istringstream head(line.substr(0, colon)), all(line.substr(colon + 1));
    Run run;
    std::string sized;
    head >> run.workload >> run.buffers >> sized;
    run.isSized = sized == "sized";
    for (std::string one; std::getline(all, one, '|');) {
      run.parameters = readParameters(one);
      runs.push_back(run);
    }
  }
  return runs;
}

void checkRun(const Run& run) {
  launch::WorkloadOptions options;
  options.checkUninitialised = true;
  const auto workload = launch::openLaunch(run.workload, run.parameters, options);
  const std::uint64_t instructions = workload->runFunctionally();
  BOOST_TEST(instructions > 0U);
  if (run.isSized && run.parameters.empty())
    BOOST_TEST((instructions >= 100'000U && instructions <= 2'000'000U), instructions);
  BOOST_TEST(workload->checkResults() == run.buffers);
}

void checkRefusals(const std::string& suite) {
  std::size_t refusals = 0;
  for (const std::string& line : linesOf(suite)) {
    const std::size_t arrow = line.find(kArrow);
    if (arrow == std::string::npos) continue;
    ++refusals;
    const std::string what = line.substr(0, arrow), part = line.substr(arrow + kArrow.size());
    const std::string workload = what.substr(0, what.find(' '));
    BOOST_TEST_CONTEXT(what)
    BOOST_CHECK_EXCEPTION(launch::openLaunch(workload, readParameters(what)), InputError,
                          says(part));
  }
  BOOST_TEST(refusals > 0U);
}

}  // namespace fermata::test
