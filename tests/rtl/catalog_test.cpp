// Refusals of the catalogue where there is no block.
#include <fermata/models/rtl/block_catalog.h>

#include "tests/rtl/support.h"
#include "tests/support/test.h"

namespace fermata::rtl {
namespace {

/// Returns makeMapBlock()'s refusal of a mapping; empty if it makes a block.
std::string refusal(const std::string& text, const indexing::Shape& shape = {}) {
  try {
    makeMapBlock(*indexing::build(text, shape));
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

/// Returns the refusal of a maker; empty if there is none.
template <class Make>
std::string refusalOf(Make make) {
  try {
    make();
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

const std::string kAbsent =
    "this build has no RTL blocks: Verilator 5 or zlib was not found when it was configured; "
    "install verilator and zlib1g-dev, and configure again";

}  // namespace

BOOST_AUTO_TEST_SUITE(catalog)

BOOST_AUTO_TEST_CASE(has_what_the_build_has) {
  for (const char* text : {"ami 33", "ami 62 form=array", "mod 32", "perm k=2", "fixed-xor", "add",
                           "xor k1=0 k2=5 mask=7", "bits 3,4,0,1,2", "pairs 3,4,0^5,1^6,2^7"}) {
    BOOST_TEST(refusal(text) == (FERMATA_HAS_VERILATOR ? "" : kAbsent));
  }
}

BOOST_AUTO_TEST_CASE(says_which_mappings_have_a_block) {
  BOOST_TEST(refusal("seznec 6") ==
             "no RTL block for 'seznec 6'; expected a mapping of ami, mod, perm, xor, bits, pairs, "
             "fixed-xor, add");
  BOOST_TEST(refusal("add", {256, 12288}) ==
             "no RTL block for 'add' on 256 banks; expected 2 to 128");
  BOOST_TEST(refusal("perm k=0", {1, 12288}) ==
             "no RTL block for 'perm k=0' on 1 banks; expected 2 to 128");
  BOOST_TEST(refusal("ami 33 corner=all-ones") ==
             "no RTL block for 'ami 33 corner=all-ones'; expected corner=exact");
  if (FERMATA_HAS_VERILATOR == 0) return;
  BOOST_TEST(refusal("ami 65") == "no RTL block for 'ami 65'; expected a modulus of 31, 33 to 63");
  BOOST_TEST(refusal("mod 256") == "no RTL block for 'mod 256'; expected 128 banks or fewer");
}

BOOST_AUTO_TEST_CASE(says_which_sizes_have_a_block) {
  const std::string built = FERMATA_HAS_VERILATOR ? "" : kAbsent;
  BOOST_TEST(refusalOf([] { makePassBlock(33); }) == built);
  BOOST_TEST(refusalOf([] { makeScratchpadBlock(33, 373); }) == built);
  BOOST_TEST(refusalOf([] { makeLockBlock(1024); }) == built);
  BOOST_TEST(refusalOf([] { makePassBlock(0); }) == "no RTL block has 0 banks; expected 1 to 128");
  BOOST_TEST(refusalOf([] { makePassBlock(129); }) ==
             "no RTL block has 129 banks; expected 1 to 128");
  BOOST_TEST(refusalOf([] { makeScratchpadBlock(32, 2049); }) ==
             "no RTL block has 2049 rows; expected 1 to 2048");
  BOOST_TEST(refusalOf([] { makeLockBlock(4097); }) ==
             "no RTL block has 4097 locks; expected 1 to 4096");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::rtl
