// Every kernel against its host reference, for several sizes, with reads of unset memory refused.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/cuda/kernel_run.h"

namespace {

namespace data = boost::unit_test::data;
using fermata::test::checkRun;
using fermata::test::runsOf;

BOOST_AUTO_TEST_SUITE(kernels)

BOOST_DATA_TEST_CASE(compute_what_the_host_computes, data::make(runsOf("kernels")), run) {
  checkRun(run);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
