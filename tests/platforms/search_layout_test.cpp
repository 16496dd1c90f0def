// fermata search of layouts and vectors: what a kernel of today does to its own index.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/program.h"

namespace bdata = boost::unit_test::data;

namespace {

using fermata::test::has;
using fermata::test::Outcome;
using fermata::test::runProgram;

}  // namespace

BOOST_AUTO_TEST_SUITE(search_layouts)

// Eight rows of 128 bytes one below the other, four columns of 16 bytes: 32 wavefronts, not 4.
BOOST_AUTO_TEST_CASE(a_layout_is_answered_in_the_kernels_words) {
  const std::string layout =
      "search --platform sm_80 --layout '(8,4):(64,8)' --atom ldmatrix.x4 --element 2 --vector 16";
  const Outcome outcome = runProgram(layout);
  BOOST_TEST_CONTEXT(outcome.text) {
    BOOST_TEST(outcome.code == 0);
    for (const char* line :
         {"28 conflicts with mod 32", "recommended: swizzle b=3 m=4 s=3: 0 conflicts left",
          "cute::Swizzle<3,3,3>", "CU_TENSOR_MAP_SWIZZLE_128B",
          "SwizzledSharedLayout(vec=8, per_phase=1, max_phase=8) for rows of 64 elements",
          "offset ^ ((offset >> 3) & 0x38)", "rows of 64 elements: leading dimension + 8"})
      BOOST_TEST(has(outcome.text, line), line);
  }
  const std::string csv = runProgram(layout + " --csv").text;
  BOOST_TEST(has(csv, "tma,exhaustive,tma 128,28,0,5,conflict-free"), csv);
  // The writer stores rows side by side, which the swizzle leaves free of conflicts.
  const std::string both = runProgram(layout + " --layout 32:8 --atom st.128 --weights 1,3").text;
  BOOST_TEST(has(both, "32:8                 1       3          0           0"), both);
}

// Every lane on a word of one bank, 4 KB apart: nothing below bit 12 could tell them apart.
BOOST_AUTO_TEST_CASE(what_no_swizzle_does_is_proved) {
  const Outcome outcome = runProgram(
      "search --platform sm_80 --layout '(8,4):(16384,2048)' --atom ld.32 --element 1 "
      "--words 65536 --class tma,swizzle");
  BOOST_TEST(has(outcome.text, "no swizzle leaves fewer than "), outcome.text);
  BOOST_TEST(has(outcome.text, " were counted"), outcome.text);
}

BOOST_DATA_TEST_CASE(
    a_wrong_layout_is_refused,
    bdata::make(std::vector<std::string>{
        "--layout 8:8 --atom ldmatrix.x3", "--layout 8:8", "--atom ld.32 transpose",
        "--layout '(8,4):(8)' --atom ld.32", "--layout 8:1 --atom ld.128 --element 2",
        "--layout 8:8 --atom ld.32 --vector 12", "--layout 8:8 --atom ld.32 --element 3",
        "transpose --vector 16 --class ami"}) ^
        bdata::make(std::vector<std::string>{
            "unknown atom 'ldmatrix.x3'", "0 of --atom for 1 of --layout",
            "1 of --atom for 0 of --layout", "layout '(8,4):(8)':7: a stride of another form",
            "element 1 lies at byte 2; ld.128 takes multiples of 16", "--vector", "--element",
            "ami does not keep vectors of 16 bytes whole"}),
    arguments, message) {
  const Outcome outcome = runProgram("search " + arguments);
  BOOST_TEST(outcome.code == 2, outcome.text);
  BOOST_TEST(has(outcome.text, message), outcome.text);
}

// Two CTAs of 4 KB in 8 KB: 31 words more in each leave one.
BOOST_AUTO_TEST_CASE(what_padding_costs_in_ctas_is_said) {
  const std::string search =
      "search transpose --param tile=32 --param n=64 --set scratchpad.bytes=8192 --class padding";
  const std::string text = runProgram(search).text;
  BOOST_TEST(has(text, "31 words, 2 -> 1 CTAs"), text);
  const std::string kept = runProgram(search + " --keep-occupancy").text;
  BOOST_TEST(has(kept, ", 0 words more at most"), kept);
  BOOST_TEST(has(kept, "recommended: keep mod 32"), kept);
  const Outcome nobody = runProgram("search --layout 8:8 --atom ld.32 --keep-occupancy");
  BOOST_TEST(nobody.code == 2);
  BOOST_TEST(has(nobody.text, "--keep-occupancy: expected a workload"), nobody.text);
}

BOOST_AUTO_TEST_SUITE_END()
