// Main function of test executables that need no SystemC.
#define BOOST_TEST_MODULE fermata
#include <boost/test/unit_test.hpp>
#include <cstdlib>

namespace {
// Tests compile what they test, and leave nothing in the user's folder.
[[maybe_unused]] const int kNoCache = setenv("FERMATA_CACHE", "off", 0);
}  // namespace
