// Main function of test executables that elaborate SystemC models: SystemC's own main runs
// Boost.Test. SystemC allows one elaboration per process, so CTest runs every case in its own
// process. A report of severity warning or worse fails the case.
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <systemc>

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
  return boost::unit_test::unit_test_main([] { return true; }, argc, argv);
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);  // keeps output about the test
  setenv("FERMATA_CACHE", "off", 0);                    // nothing stays in the user's folder
  return sc_core::sc_elab_and_sim(argc, argv);
}
