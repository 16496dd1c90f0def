// Main function of test executables that need no SystemC.
#define BOOST_TEST_MODULE fermata
#include <boost/test/unit_test.hpp>
