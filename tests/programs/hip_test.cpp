// Every program of hip/ compiles unmodified with hipcc, runs, and finds the host's results on the
// device: waves of 64 lanes with time and without, waves of 32 without.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

#include "tests/support/program.h"

namespace {

using namespace fermata::test;

const std::string kHipPrograms = FERMATA_SOURCE_DIR "/tests/programs/hip/";
const char* const kNames[] = {"kernels", "lanes"};

void requirePass(const std::string& command, const std::string& folder) {
  const Outcome run = runProgram(command + " --quiet -- ./app", folder);
  BOOST_TEST(run.code == 0, run.text);
  BOOST_TEST(run.text.find("PASS") != std::string::npos, run.text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hip)

BOOST_DATA_TEST_CASE(passes_with_waves_of_64_lanes, boost::unit_test::data::make(kNames), name) {
  const Folder folder;
  const Outcome compiled =
      runProgram("hipcc -O3 -Wall -Wextra '" + kHipPrograms + name + ".hip' -o app", folder.path);
  BOOST_TEST_REQUIRE(compiled.code == 0, compiled.text);
  BOOST_TEST(compiled.text == "");  // no warning
  requirePass("exec --functional", folder.path);
  requirePass("exec --platform mi300", folder.path);
}

BOOST_DATA_TEST_CASE(passes_with_waves_of_32_lanes, boost::unit_test::data::make(kNames), name) {
  const Folder folder;
  const Outcome compiled = runProgram(
      "cc -x hip --offload-arch=gfx1100 '" + kHipPrograms + name + ".hip' -o app", folder.path);
  BOOST_TEST_REQUIRE(compiled.code == 0, compiled.text);
  requirePass("exec --functional --platform rdna3", folder.path);
}

// Products of matrices: on machines that have them, with time and without; refused elsewhere.
BOOST_AUTO_TEST_CASE(products_of_matrices) {
  const Folder folder;
  const std::string source = "'" + kHipPrograms + "matrices.hip' -o app";
  const Outcome compiled = runProgram("hipcc -O3 -Wall -Wextra " + source, folder.path);
  BOOST_TEST_REQUIRE(compiled.code == 0, compiled.text);
  BOOST_TEST(compiled.text == "");  // no warning
  requirePass("exec --functional --platform mi300", folder.path);
  requirePass("exec --platform mi300", folder.path);
  requirePass("exec --platform mi350", folder.path);
  for (const std::string platform : {"rdna3", "sm_90", "gtx480"}) {
    const Outcome run =
        runProgram("exec --functional --quiet --platform " + platform + " -- ./app", folder.path);
    BOOST_TEST(has(run.text, "products of a wave64 (mfma), for which platform " + platform +
                                 " has no units; expected --platform mi300 or mi350"),
               run.text);
  }
  const Outcome narrow = runProgram("hipcc --offload-arch=gfx1100 " + source, folder.path);
  BOOST_TEST(narrow.code != 0);
  BOOST_TEST(has(narrow.text, "mfma needs waves of 64 lanes"), narrow.text);
}

BOOST_AUTO_TEST_CASE(an_unknown_architecture_is_refused_by_name) {
  const Folder folder;
  const Outcome compiled =
      runProgram("hipcc --offload-arch=sm_80 '" + kHipPrograms + "lanes.hip' -o app", folder.path);
  BOOST_TEST(compiled.code == 2);
  BOOST_TEST(compiled.text.find("--offload-arch is 'sm_80'; expected gfx900") != std::string::npos,
             compiled.text);
}

BOOST_AUTO_TEST_SUITE_END()
