// The main function of every test executable that needs no SystemC.
#define BOOST_TEST_MODULE fermata
#include <boost/test/unit_test.hpp>
