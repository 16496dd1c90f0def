// Every kernel against its host reference, for several sizes, with reads of unset memory refused;
// and the parameters that kernels refuse. kernel_runs.txt lists both.

#include <fermata/stimuli/input_error.h>
#include "tests/cuda/shared_accesses.h"
#include "tests/support/says.h"

namespace {

using namespace fermata;
using fermata::test::Parameters;

struct Checked : test::Run {
  std::size_t buffers = 1;                            ///< that it checks
  std::uint64_t least = 1, most = ~std::uint64_t{0};  ///< instructions
};
struct Refused : test::Run {
  std::string part;  ///< of the message
};
const std::string kArrow = " -> ";

/// Returns the runs of the file, or its refusals.
std::vector<std::string> linesWhich(bool refuse) {
  std::ifstream in(FERMATA_SOURCE_DIR "/tests/cuda/kernel_runs.txt");
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#' || line[0] == '[') continue;
    if ((line.find(kArrow) != std::string::npos) == refuse) lines.push_back(line);
  }
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

std::vector<Checked> runs() {
  std::vector<Checked> all;
  for (const std::string& line : linesWhich(false)) {
    const std::size_t colon = line.find(':');
    std::istringstream head(line.substr(0, colon)), each(line.substr(colon + 1));
    Checked run;
    std::string size;
    head >> run.workload >> run.buffers >> size;
    for (std::string one; std::getline(each, one, '|');) {
      run.parameters = readParameters(one);
      all.push_back(run);
      if (size.empty() || !run.parameters.empty()) continue;
      all.back().least = size == "sized" ? 100'000 : 1'000;
      all.back().most = size == "sized" ? 2'000'000 : 1'000'000;
    }
  }
  return all;
}

std::vector<Refused> refusals() {
  std::vector<Refused> all;
  for (const std::string& line : linesWhich(true)) {
    const std::size_t arrow = line.find(kArrow);
    const std::string what = line.substr(0, arrow);
    all.push_back({{what.substr(0, what.find(' ')), readParameters(what)},
                   line.substr(arrow + kArrow.size())});
  }
  return all;
}

BOOST_AUTO_TEST_SUITE(kernels)

BOOST_DATA_TEST_CASE(compute_what_the_host_computes, bdata::make(runs()), run) {
  launch::WorkloadOptions options;
  options.checkUninitialised = true;
  const auto workload = launch::openLaunch(run.workload, run.parameters, options);
  const std::uint64_t instructions = workload->runFunctionally();
  BOOST_TEST(instructions >= run.least);
  BOOST_TEST(instructions <= run.most);
  BOOST_TEST(workload->checkResults() == run.buffers);
}

BOOST_DATA_TEST_CASE(refuse_impossible_parameters, bdata::make(refusals()), refused) {
  BOOST_CHECK_EXCEPTION(launch::openLaunch(refused.workload, refused.parameters), InputError,
                        test::says(refused.part));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(catalog)

BOOST_AUTO_TEST_CASE(lists_every_workload_with_its_parameters) {
  const auto entries = launch::listWorkloads();
  std::vector<std::string> names;
  for (const auto& entry : entries) {
    names.push_back(entry.name);
    BOOST_TEST(!entry.description.empty(), entry.name);
    BOOST_TEST(!entry.parameters.empty(), entry.name);
    for (const auto& parameter : entry.parameters)
      BOOST_TEST(!parameter.description.empty(), entry.name);
  }
  const std::vector<std::string> expected = {
      "aes",         "aesdec",     "atomicbench", "attention", "backprop",     "bulkcopy",
      "clusterhist", "clustersum", "clusterway",  "conv1",     "conv2",        "cp",
      "cpasync",     "dct",        "dct1",        "dct2",      "dctshort",     "dwt",
      "dxtc",        "fft1",       "fft2",        "fwt",       "groupmma",     "heartwall",
      "hgemm",       "hist256",    "hist64",      "histogram", "hotspot",      "hough",
      "idct",        "idctshort",  "kmeans",      "lavamd",    "layernorm",    "ldtranspose",
      "lud",         "lud1",       "lud2",        "matmul",    "matrixscan",   "mri1",
      "mri2",        "mri3",       "mri4",        "mrifhd",    "mriq",         "multicast",
      "nw",          "nw1",        "nw2",         "pns",       "reduction",    "rpes",
      "sad",         "scalarprod", "scan",        "sgemm",     "softmax",      "srad",
      "streamread",  "stride",     "tcgemm",      "tmagemm",   "tmatranspose", "tpacf",
      "transpose",   "wsattention"};
  BOOST_TEST(names == expected, tt::per_element());
  BOOST_TEST(entries.back().parameters[0].name == "groups");
  BOOST_TEST(entries.back().parameters[0].defaultValue == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
