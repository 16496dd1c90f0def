// Every kernel against its host reference, for several sizes, with reads of unset memory refused.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>
#include <ostream>
#include <string>

#include <fermata/stimuli/launch/catalog.h>
#include "tests/cuda/kernel_run.h"

namespace {

namespace data = boost::unit_test::data;

using fermata::test::Run;

const std::vector<Run> kRuns = {
    {"stride", {}},
    {"stride", {{"stride", "0"}, {"iterations", "3"}, {"blocks", "1"}}},
    {"stride", {{"stride", "33"}, {"iterations", "1"}, {"blocks", "2"}}},
    {"stride", {{"stride", "64"}, {"iterations", "2"}, {"blocks", "1"}}},
    {"stride", {{"iterations", "0"}, {"blocks", "1"}}},
    {"transpose", {{"tile", "32"}}},
    {"transpose", {{"tile", "32"}, {"pad", "1"}}},
    {"transpose", {{"tile", "16"}, {"n", "48"}}},
    {"transpose", {{"tile", "16"}, {"pad", "1"}, {"n", "16"}}},
    {"reduction", {{"variant", "0"}, {"n", "1"}}},
    {"reduction", {{"variant", "0"}, {"n", "70001"}}},
    {"reduction", {{"variant", "1"}}},
    {"reduction", {{"variant", "1"}, {"n", "257"}}},
    {"reduction", {{"variant", "2"}, {"n", "1000"}}},
    {"reduction", {{"variant", "3"}, {"n", "513"}}},
    {"reduction", {{"variant", "3"}, {"n", "20000"}}},
    {"reduction", {{"variant", "4"}, {"n", "5000"}}},
    {"reduction", {{"variant", "5"}, {"n", "5001"}}},
    {"reduction", {{"variant", "6"}, {"n", "100003"}}},
    {"reduction", {{"variant", "6"}, {"n", "31"}}},
    {"fwt", {{"vectors", "3"}}},
    {"fwt", {{"log2n", "10"}, {"vectors", "2"}}},
    {"fwt", {{"log2n", "12"}, {"vectors", "1"}}},
    {"fwt", {{"log2n", "5"}, {"vectors", "5"}}},
    {"fwt", {{"log2n", "4"}, {"vectors", "1"}}},
    {"hist64", {{"variant", "0"}}},
    {"hist64", {{"variant", "0"}, {"n", "4"}, {"blocks", "3"}}},
    {"hist64", {{"variant", "0"}, {"pad", "1"}, {"n", "10004"}, {"picture", "100"}}},
    {"hist64", {{"variant", "1"}}},
    {"hist64", {{"variant", "1"}, {"n", "4"}}},
    {"hist64", {{"variant", "1"}, {"n", "16128"}}},
    {"hist64", {{"variant", "1"}, {"n", "16132"}}},
    {"hist256", {{"variant", "0"}}},
    {"hist256", {{"variant", "0"}, {"n", "4"}, {"blocks", "3"}}},
    {"hist256", {{"variant", "0"}, {"pad", "1"}, {"n", "10004"}, {"picture", "100"}}},
    {"hist256", {{"variant", "1"}, {"blocks", "24"}}},
    {"hist256", {{"variant", "1"}, {"n", "4"}, {"blocks", "1"}}},
    {"hist256", {{"variant", "1"}, {"n", "10000"}, {"blocks", "7"}}},
    {"scan", {}},
    {"scan", {{"n", "1"}}},
    {"scan", {{"n", "5001"}}},
    {"scan", {{"variant", "1"}}},
    {"scan", {{"variant", "1"}, {"n", "1"}}},
    {"scan", {{"variant", "1"}, {"n", "5001"}}},
    {"matmul", {{"n", "16"}}},
    {"matmul", {{"n", "80"}}},
    {"scalarprod", {{"vectors", "3"}}},
    {"scalarprod", {{"vectors", "2"}, {"n", "100"}}},
    {"scalarprod", {{"vectors", "1"}, {"n", "5000"}}},
    {"lud", {{"n", "16"}}},
    {"lud", {{"n", "32"}}},
    {"lud", {{"n", "112"}}},
    {"nw", {{"n", "16"}}},
    {"nw", {{"n", "32"}, {"penalty", "1"}}},
    {"nw", {{"n", "144"}, {"penalty", "3"}}},
};

BOOST_AUTO_TEST_SUITE(kernels)

BOOST_DATA_TEST_CASE(compute_what_the_host_computes, data::make(kRuns), run) {
  fermata::launch::WorkloadOptions options;
  options.checkUninitialised = true;
  const auto workload = fermata::launch::openLaunch(run.workload, run.parameters, options);
  BOOST_TEST(workload->runFunctionally() > 0U);
  BOOST_TEST(workload->checkResults() >= 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
