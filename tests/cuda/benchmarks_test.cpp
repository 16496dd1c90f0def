// The benchmarks of van den Braak et al. (table 5, and the conflict-free ones and dxtc of section
// 7), each run by its bare name. Each is right, and neither trivial nor slow.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <fermata/stimuli/launch/catalog.h>

namespace {

namespace data = boost::unit_test::data;

const char* const kBenchmarks[] = {
    "conv1",     "conv2",    "dct1",    "dct2",    "dwt",        "fft1",  "fft2",
    "fwt",       "hist64",   "hist256", "lavamd",  "lud1",       "lud2",  "matrixscan",
    "mri1",      "mri2",     "mri3",    "mri4",    "nw1",        "nw2",   "reduction",
    "transpose", "backprop", "srad",    "hotspot", "scalarprod", "sgemm", "dxtc",
};

BOOST_AUTO_TEST_SUITE(benchmarks)

BOOST_DATA_TEST_CASE(are_right_and_of_a_sensible_size, data::make(kBenchmarks), name) {
  const auto workload = fermata::launch::openLaunch(name, {});
  const std::uint64_t instructions = workload->runFunctionally();
  BOOST_TEST(instructions >= 1'000U);
  BOOST_TEST(instructions <= 1'000'000U);
  BOOST_TEST(workload->checkResults() >= 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
