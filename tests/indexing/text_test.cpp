// Mapping texts: their canonical forms, and bad texts with message and column.
#include <fermata/models/indexing/families.h>
#include <fermata/models/indexing/warp_pattern.h>

#include "tests/indexing/support.h"

namespace fermata::indexing {
namespace {

const std::vector<test::BadText> kBadTexts = {
    {"", "no mapping; expected mod", 1},
    {"   ", "no mapping", 1},
    {"modulo 32", "no mapping has the name 'modulo'; expected mod, ami", 1},
    {"  XOR", "no mapping has the name 'XOR'", 3},
    {"mod", "the bank count is missing; expected mod B", 4},
    {"mod 33", "expected a power of two, or ami 33", 5},
    {"mod 0", "'0' is out of range; expected 1 to 4096", 5},
    {"mod 8192", "out of range", 5},
    {"mod 32 33", "'33' is not understood; expected mod B", 8},
    {"mod -32", "'-32' is not a number", 5},
    {"mod 32.0", "is not a number", 5},
    {"mod 0x", "is not a number", 5},
    {"mod 99999999999999999999", "out of range", 5},
    {"ami", "the modulus is missing", 4},
    {"ami 0", "expected 1 to 4096", 5},
    {"ami 4097", "expected 1 to 4096", 5},
    {"ami 33 form=quick", "form= has no such choice; expected fast, array or canonical", 13},
    {"ami 33 form=", "form has no value", 13},
    {"ami 33 form=fast form=array", "form is given twice", 18},
    {"ami 33 corner=ones", "expected exact or all-ones", 15},
    {"ami 33 corner", "'corner' is not understood", 8},
    {"ami 31 corner=all-ones", "words 0 and 31 the same bank 0, row 0", 0},
    {"ami 62 corner=all-ones form=array", "words 0 and 62 the same bank 0", 0},
    {"seznec", "the bank count is missing", 7},
    {"seznec 5000", "expected 1 to 4096", 8},
    {"seznec 6 x", "'x' is not understood", 10},
    {"perm", "k= is missing; expected perm k=K", 5},
    {"perm 2", "'2' is not understood; expected perm k=K", 6},
    {"perm k=10", "expected 0 to 9 (14 address bits and 5 bank bits)", 8},
    {"perm k=1 k=2", "k is given twice", 10},
    {"perm k=x", "'x' is not a number", 8},
    {"perm k=2",
     "33 banks: its bank number is made of bits; expected a power of two",
     0,
     {33, 12288}},
    {"xor k1=0 k2=5", "mask= is missing", 14},
    {"xor k1=10 k2=5 mask=7", "expected 0 to 9", 8},
    {"xor k1=0 k2=14 mask=7", "expected 0 to 13", 13},
    {"xor k1=0 k2=5 mask=32", "expected 0 to 31", 20},
    {"xor k1=0 k2=5 mask=7 k3=1", "'k3=1' is not understood", 22},
    {"swizzle b=3 m=4", "s= is missing; expected swizzle b=B m=M s=S", 16},
    {"swizzle b=3 m=4 s=2", "expected s of b or more", 19},
    {"swizzle b=3 m=1 s=3", "splits the words of 4 bytes; expected m of 2 or more", 15},
    {"swizzle b=3 m=2 s=3", "splits the words of 8 bytes", 15, {32, 6144, 8}},
    {"swizzle b=3 m=4 s=3", "33 banks: its bank number is made of bits", 0, {33, 12288}},
    {"swizzle b=30 m=4 s=31", "expected 0 to 1", 16},
    {"xor-ami 33", "'33' is not understood; expected xor-ami [shifts=A,B]", 9},
    {"xor-ami shifts=7", "shifts= has 1 numbers; expected two, as in shifts=7,13", 16},
    {"xor-ami shifts=0,13", "expected 1 to 31", 16},
    {"xor-ami shifts=7,x", "'x' is not a number", 18},
    {"tma", "the mode is missing; expected tma 32|64|128", 4},
    {"tma 96", "a mode of 96 bytes; expected 32, 64 or 128", 5},
    {"tma 256", "expected 32 to 128", 5},
    {"xor k1=3 k2=3 mask=1", "words 0 and 1 collide in bank 0, row 0", 0},
    {"xor k1=0 k2=0 mask=31", "1 of 32 banks would be used and words 0 and 1 collide", 0},
    {"bits", "0 bank bits for 32 banks; expected 5", 5},
    {"bits 0,1,2,3", "4 bank bits for 32 banks; expected 5", 13},
    {"bits 0,1,2,3,4,5", "6 bank bits for 32 banks", 16},
    {"bits 0,1,2,3,14", "expected 0 to 13 (14 address bits)", 14},
    {"bits 0,1,2,3,", "'' is not a number", 14},
    {"bits 0,1,1,3,4", "words 0 and 4 collide in bank 0, row 0", 10},
    {"bits 0,1,2^3,4,5", "'2^3' is not a number", 10},
    {"bits 0", "1 bank has no bank bits", 0, {1, 64}},
    {"pairs 0,1,2,3,4^5^6", "one or two address bits", 15},
    {"pairs 0,1,2,3,4^4", "always 0", 15},
    {"pairs 0,1,2,3,^4", "'' is not a number", 15},
    {"pairs 0^1,1^2,0^2,3,4", "bank bit 2 is a sum of the bank bits before it", 15},
    {"matrix 0x21,0x42,0x63,8,16", "words 0 and 4 collide in bank 0, row 0", 18},
    {"matrix 0,1,2,4,8", "bank bit 0 is a sum of the bank bits before it or zero", 8},
    {"matrix 1,2,4,8,0x4000", "expected 0 to 16383", 16},
    {"matrix 1,2,4,8,0xg", "'0xg' is not a number", 16},
    {"fixed-xor 5", "'5' is not understood; expected fixed-xor", 11},
    {"fixed-xor", "48 banks", 0, {48, 12288}},
    {"add 1", "'1' is not understood", 5},
    {"add", "31 banks", 0, {31, 12288}},
    {"add", "0 banks; expected 1 to 4096", 0, {0, 12288}},
    {"add", "8192 banks", 0, {8192, 12288}},
    {"add", "a memory of 0 words", 0, {32, 0}},
    {"ami 33", "a memory of 0 words", 0, {33, 0}},
};

class OwnIndexer : public Indexer {
 public:
  explicit OwnIndexer(const Shape& shape) : Indexer(shape) { rows_ = shape.words; }
  Location location(std::uint32_t word) const override { return {0, word}; }
  void locate(const test::Lanes& word, LaneMask, test::Lanes& bank,
              test::Lanes& row) const override {
    bank.fill(0);
    row = word;
  }
  std::string text() const override { return "own"; }
  Cost cost() const override { return {}; }
};

std::unique_ptr<Indexer> buildOwn(Arguments& arguments, const Shape& shape) {
  arguments.expectNoMore();
  return std::make_unique<OwnIndexer>(shape);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(texts)

BOOST_AUTO_TEST_CASE(bad_texts_are_refused_with_reason_and_column) {
  test::checkRefusals(kBadTexts, test::buildBad);
}

BOOST_AUTO_TEST_CASE(canonical_texts) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"mod 32", "mod 32"},
      {" mod\t0x20 ", "mod 32"},
      {"ami 33", "ami 33"},
      {"ami 33 form=fast corner=exact", "ami 33"},
      {"ami 33 corner=all-ones form=array", "ami 33 form=array corner=all-ones"},
      {"ami 33 form=canonical", "ami 33 form=canonical"},
      {"seznec 6", "seznec 6"},
      {"perm k=2", "perm k=2"},
      {"xor mask=0x7 k2=5 k1=0", "xor k1=0 k2=5 mask=7"},
      {"bits 3,4,0,1,2", "bits 3,4,0,1,2"},
      {"bits 3, 4, 0, 1, 2", "bits 3,4,0,1,2"},
      {"pairs 3,4,5^0,1 ^ 6,2^7", "pairs 3,4,0^5,1^6,2^7"},
      {"matrix 0x21,66,0x84,0X108,0x210", "matrix 0x21,0x42,0x84,0x108,0x210"},
      {"fixed-xor", "fixed-xor"},
      {"add", "add"},
      {"xor-ami", "xor-ami"},
      {"xor-ami shifts=0x7,13", "xor-ami"},
      {"xor-ami shifts=5,11", "xor-ami shifts=5,11"},
      {"pad words=0x1 row=32", "pad row=32 words=1"},
  };
  for (const auto& [text, canonical] : cases) {
    BOOST_TEST(build(text, {32, 12288})->text() == canonical);
    BOOST_TEST(build(canonical, {32, 12288})->text() == canonical);
  }
}

BOOST_AUTO_TEST_CASE(a_text_with_its_own_bank_count_overrides_the_shape) {
  BOOST_TEST(build("mod 16", {32, 100})->shape().banks == 16U);
  BOOST_TEST(build("ami 33", {32, 100})->shape().banks == 33U);
  BOOST_TEST(build("seznec 6", {32, 100})->shape().banks == 6U);
  BOOST_TEST(build("add", {64, 100})->shape().banks == 64U);
}

BOOST_AUTO_TEST_CASE(seeded_rubbish_is_refused_or_built_but_never_worse) {
  std::mt19937 random(12);
  const std::string alphabet = "modaixrpekbtsfch 0123456789x=^,-\t\"\n\xff";
  const std::vector<std::string> heads = {"mod ",      "ami ",  "seznec ", "perm ",
                                          "xor k1=",   "bits ", "pairs ",  "matrix ",
                                          "fixed-xor", "add",   "pad row="};
  for (unsigned round = 0; round < 20000; ++round) {
    std::string text = round % 4 == 0 ? "" : heads[static_cast<unsigned>(random()) % heads.size()];
    const unsigned length = static_cast<unsigned>(random()) % 20;
    for (unsigned i = 0; i < length; ++i) {
      text += alphabet[static_cast<unsigned>(random()) % alphabet.size()];
    }
    test::buildOrRefuse(text);
  }
}

BOOST_AUTO_TEST_CASE(a_family_of_one_s_own) {
  addFamily({"own", "own", "own", "everything in one bank", buildOwn});
  BOOST_TEST(build("own", {1, 10})->location(7).row == 7U);
  BOOST_CHECK_THROW(build("own 1", {1, 10}), IndexingError);
  BOOST_CHECK_THROW(addFamily({"own", "own", "own", "again", buildOwn}), std::invalid_argument);
  BOOST_CHECK_THROW(addFamily({"mod", "mod", "mod", "again", buildOwn}), std::invalid_argument);
  BOOST_CHECK_THROW(addFamily({"other", "other", "other", "no builder", nullptr}),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(warp_patterns) {
  const WarpPattern stride = parseWarpPattern("stride 4 offset 3", 128);
  BOOST_TEST(stride.active == kAllLanes);
  BOOST_TEST(stride.word[31] == 127U);
  const WarpPattern words = parseWarpPattern(" words 0, 0x20 ,7", 64);
  BOOST_TEST(words.active == 7U);
  BOOST_TEST(words.word[1] == 32U);
  const std::vector<test::BadText> bad = {
      {"", "no such pattern", 1},
      {"random", "no such pattern; expected 'stride S", 1},
      {"stride", "the stride is missing", 0},
      {"stride x", "'x' is not a number", 8},
      {"stride 5", "lane 31 takes word 155 of a memory of 128 words", 8},
      {"stride 1 offset", "expected nothing or offset O", 10},
      {"stride 1 offset 2 3", "expected nothing or offset O", 10},
      {"stride 1 offset 97", "lane 31 takes word 128", 8},
      {"words", "0 words; expected 1 to 32", 6},
      {"words 1,128", "expected 0 to 127", 9},
      {"words 1,2,", "'' is not a number", 11},
      {"words 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", "33 words", 6},
  };
  test::checkRefusals(bad, [](const test::BadText& one) { parseWarpPattern(one.text, 128); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::indexing
