// Environment variables set how a program runs; an error names the variable.
#include <fermata/platforms/program/measurement.h>

#include <fermata/stimuli/input_error.h>

#include "tests/support/test.h"

namespace fermata::test {
namespace {

struct Bad {
  const char* name;
  const char* value;
};
std::ostream& operator<<(std::ostream& out, const Bad& bad) {
  return out << bad.name << '=' << bad.value;
}
const Bad kBad[] = {{"FERMATA_FUNCTIONAL", "yes"}, {"FERMATA_LAUNCHES", "3-"},
                    {"FERMATA_LAUNCHES", "-3"},    {"FERMATA_LAUNCHES", "4-3"},
                    {"FERMATA_LAUNCHES", "1-2-3"}, {"FERMATA_LAUNCHES", "99999999999999999999"},
                    {"FERMATA_WINDOW", "0"},       {"FERMATA_BUDGET", "1e6"}};

}  // namespace

BOOST_AUTO_TEST_SUITE(settings)

BOOST_AUTO_TEST_CASE(are_those_of_the_environment) {
  platforms::Measurement none = platforms::measurementOfEnvironment();
  BOOST_TEST(none.platform == "gtx480");
  BOOST_TEST(none.times(0));
  BOOST_TEST(none.spool == "");
  ::setenv("FERMATA_PLATFORM", "k20", 1);
  ::setenv("FERMATA_SET", "a=b\nscratchpad.indexer=ami 33\n", 1);
  ::setenv("FERMATA_LAUNCHES", "3-7", 1);
  ::setenv("FERMATA_SPOOL", "/tmp/spool", 1);
  const platforms::Measurement all = platforms::measurementOfEnvironment();
  BOOST_TEST(all.platform == "k20");
  BOOST_TEST((all.sets == std::vector<std::string>{"a=b", "scratchpad.indexer=ami 33"}));
  BOOST_TEST(all.spool == "/tmp/spool");
  for (const std::uint64_t launch : {0, 2, 8}) BOOST_TEST(!all.times(launch));
  for (const std::uint64_t launch : {3, 5, 7}) BOOST_TEST(all.times(launch));
  ::setenv("FERMATA_FUNCTIONAL", "1", 1);
  BOOST_TEST(!platforms::measurementOfEnvironment().times(3));
}

BOOST_DATA_TEST_CASE(refuse_bad_input, bdata::make(kBad), bad) {
  ::setenv(bad.name, bad.value, 1);
  BOOST_CHECK_THROW(platforms::measurementOfEnvironment(), InputError);
}

BOOST_AUTO_TEST_CASE(a_timeline_takes_one_launch) {
  platforms::Measurement settings;
  platforms::requireOneLaunch(settings);
  settings.timeline = "t.vcd";
  BOOST_CHECK_THROW(platforms::requireOneLaunch(settings), InputError);
  settings.launches = "2-3";
  BOOST_CHECK_THROW(platforms::requireOneLaunch(settings), InputError);
  settings.launches = "2-2";
  platforms::requireOneLaunch(settings);
  settings.functional = true;
  BOOST_CHECK_THROW(platforms::requireOneLaunch(settings), InputError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
