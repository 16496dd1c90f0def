// fermata search --l1: mappings for the banks of an L1's data array.
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

const std::string kStride =
    "search pattern-stride --param space=global --param stride=32 --param threads=32 --param "
    "ctas=8 --param fill=0 --param repeat=50 --platform sm_90 ";
/// In an L1 of 56 ways the first lines of all sets lie in banks of their own, where a hash helps.
const std::string kL1 =
    "--set global.memory=l1 --set l1.carveouts= --set l1.bytes=28672 --set l1.ways=56 --l1 ";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(search_l1, Folder)

// Lane i asks for the first word of a line: all lie in bank 0. A hash spreads them, and a load then
// takes the cycles of its tags.
BOOST_AUTO_TEST_CASE(a_hash_frees_the_banks_of_lines) {
  const Outcome outcome = runProgram(kStride + kL1 + "--class xor");
  BOOST_TEST_CONTEXT(outcome.text) {
    outcome.ok();
    BOOST_TEST(has(outcome.text, "L1 accesses"));
    BOOST_TEST(has(outcome.text, "l1.indexer"));
    BOOST_TEST(has(outcome.text, "conflict cycles of the run"));
  }
}

BOOST_AUTO_TEST_CASE(conflicts_are_those_of_the_hits) {
  const std::string csv = runProgram(kStride + kL1 + "--class xor,bits --csv").text;
  // 8 warps of 50 loads; those that miss pass no bank. Each hit of 32 words in bank 0 has 31.
  const std::vector<std::string> lines = linesOf(csv);
  BOOST_REQUIRE(lines.size() >= 3U);
  BOOST_TEST(!has(csv, "padding"));
  BOOST_TEST(has(csv, "conflict-free"));
}

BOOST_AUTO_TEST_CASE(what_no_l1_can_do_is_refused) {
  const Refusal refusals[] = {
      {kStride + "--l1", "--l1: sm_90 has no L1, for global.memory is flat"},
      {"search --platform sm_90 --layout '(8,4):(64,8)' --atom ld.32 " + kL1,
       "expected workloads alone"},
      {kStride + kL1 + "--words 64", "--l1 with --words"},
      {kStride + kL1 + "--keep-occupancy", "--l1 with --keep-occupancy"},
      {kStride + kL1 + "--class padding", "change a kernel's shared array"}};
  for (const Refusal& refused : refusals) {
    const Outcome outcome = runProgram(refused.input);
    BOOST_TEST_CONTEXT(refused.input << "\n" << outcome.text)
    BOOST_TEST(has(outcome.text, refused.says));
  }
}

BOOST_AUTO_TEST_SUITE_END()
