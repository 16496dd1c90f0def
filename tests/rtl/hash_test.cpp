// The hashes of models/rtl, simulated, against the model's mappings over all words of the memory.
#include <fermata/models/rtl/block_catalog.h>

#include "tests/rtl/settings.h"
#include "tests/rtl/support.h"
#include "tests/support/test.h"

namespace fermata::rtl::test {
namespace {

std::mt19937 seeded() {
  return std::mt19937(2016);
}

/// Builds the mapping; null if its bank bits are dependent.
std::unique_ptr<indexing::Indexer> tryBuild(const std::string& text, const indexing::Shape& shape) {
  try {
    return indexing::build(text, shape);
  } catch (const indexing::IndexingError&) {
    return nullptr;
  }
}

/// Compares random configurations until addresses() words were compared.
void compareAll(const std::string& family) {
  std::mt19937 random = seeded();
  for (std::uint64_t done = 0; done < addresses();) {
    const unsigned m = 1 + draw(random, 7);
    const unsigned n = m + draw(random, 17 - m);
    const auto model = tryBuild(someSetting(family, random, n, m).text, {1U << m, 1U << n});
    if (model == nullptr) continue;
    const std::uint64_t words = model->shape().words;
    BOOST_TEST_CONTEXT(n << " address bits, " << m << " bank bits") {
      BOOST_TEST(firstDifference(*model, *makeMapBlock(*model), words) == "");
    }
    done += words;
  }
}

/// Compares all 2^20 words.
void compareWide(const std::string& text) {
  const auto model = indexing::build(text, {32, 1U << 20});
  BOOST_TEST(firstDifference(*model, *makeMapBlock(*model), std::uint64_t{1} << 20) == "");
}

void compareFixed(const std::string& name) {
  for (unsigned m = 1; m <= 7; ++m) {
    for (unsigned digit = 1; digit <= m; ++digit) {
      if (m % digit != 0) continue;
      const auto model =
          indexing::build(name + " digit=" + std::to_string(digit), {1U << m, 1U << 17});
      BOOST_TEST(firstDifference(*model, *makeMapBlock(*model), std::uint64_t{1} << 17) == "");
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hashes)

BOOST_AUTO_TEST_CASE(bit_vector_permutation_agrees_with_the_model) {
  compareAll("perm");
  compareWide("perm k=7");
}

BOOST_AUTO_TEST_CASE(bit_vector_xor_agrees_with_the_model) {
  compareAll("xor");
  compareWide("xor k1=0 k2=5 mask=23");
  compareWide("xor k1=3 k2=18 mask=31");
}

BOOST_AUTO_TEST_CASE(bitwise_permutation_agrees_with_the_model) {
  compareAll("bits");
  compareWide("bits 3,19,0,1,12");
}

BOOST_AUTO_TEST_CASE(bitwise_xor_agrees_with_the_model) {
  compareAll("pairs");
  compareWide("pairs 3,4,0^19,1^6,2^7");
}

BOOST_AUTO_TEST_CASE(words_of_32_bits_agree_with_the_model) {
  for (const char* text : {"perm k=27", "xor k1=27 k2=31 mask=1", "bits 31,3,0,29,1",
                           "pairs 31^0,3^30,2,1^2,29", "fixed-xor", "add", "add digit=1"}) {
    const auto model = indexing::build(text, {32, ~0U});
    std::mt19937 random = seeded();
    const auto word = [&] { return std::min(static_cast<std::uint32_t>(random()), ~0U - 1); };
    BOOST_TEST(firstDifference(*model, *makeMapBlock(*model), word) == "");
  }
}

BOOST_AUTO_TEST_CASE(fixed_xor_agrees_with_the_model) {
  compareFixed("fixed-xor");
}

BOOST_AUTO_TEST_CASE(add_hash_agrees_with_the_model) {
  compareFixed("add");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::rtl::test
