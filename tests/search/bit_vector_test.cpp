// The space of bit-vector XOR hashes, and its pruning.
#include <fermata/models/search/bit_vector_search.h>
#include <fermata/models/search/search.h>
#include "tests/search/support.h"

namespace fermata::search {
namespace {

using namespace test;

constexpr indexing::Shape kFermi{32, 12288};

}  // namespace

BOOST_AUTO_TEST_SUITE(bit_vector)

// Claim xor.count.bitvector_xor.
BOOST_AUTO_TEST_CASE(there_are_4480) {
  const std::vector<BitVectorXor> every = everyBitVectorXor(14, 5);
  BOOST_REQUIRE_EQUAL(every.size(), 4480U);
  std::size_t i = 0;
  for (std::uint32_t mask = 0; mask < 32; ++mask) {
    for (unsigned k1 = 0; k1 <= 9; ++k1) {
      for (unsigned k2 = 0; k2 <= 13; ++k2, ++i) {
        BOOST_REQUIRE((every[i] == BitVectorXor{k1, k2, mask}));
      }
    }
  }
}

// Claim xor.search.pruned: strides 4 and 6, warps of 32.
BOOST_AUTO_TEST_CASE(strides_4_and_6_leave_188) {
  const std::vector<BitVectorXor> left = prunedBitVectorXor({{4, 31 * 4}, {6, 31 * 6}}, 14, 5);
  BOOST_TEST(left.size() == 188U);
  std::size_t ofFirst = 0;
  for (const BitVectorXor& hash : left) {
    BOOST_REQUIRE(hash.k1 == 1 || hash.k1 == 2);
    BOOST_REQUIRE(hash.k2 >= 1 && hash.k2 <= 7 && hash.k2 != hash.k1);
    ofFirst += hash.k1 == 1;
    unsigned top = 0;
    for (unsigned i = 0; i < 5; ++i) {
      if ((hash.mask >> i & 1U) != 0) top = hash.k2 + i;
    }
    BOOST_REQUIRE_LE(top, 7U);
  }
  BOOST_TEST(ofFirst == 94U);

  const AccessSets sets = setsOf({strided(4), strided(6, 32, 3)});
  const Found found = search(MappingClass::Xor, Method::Pruned, {sets, kFermi});
  BOOST_TEST(found.candidates == 188U);
  BOOST_TEST(found.before == 3U + 1);
  BOOST_TEST(found.after == 0U);
}

BOOST_AUTO_TEST_CASE(strides_of_one_k_need_a_permutation_only) {
  const AccessSets sets = setsOf({strided(4), strided(12), strided(20, 17)});
  const Found found = search(MappingClass::Xor, Method::Pruned, {sets, kFermi});
  BOOST_TEST(found.mapping == "xor k1=2 k2=0 mask=0");
  BOOST_TEST(found.candidates == 1U);
  BOOST_TEST(found.after == 0U);
  BOOST_TEST((found.proof == Proof::ConflictFree));
  const std::vector<BitVectorXor> none = prunedBitVectorXor({}, 14, 5);
  BOOST_REQUIRE_EQUAL(none.size(), 1U);
  BOOST_TEST(none[0].text() == "xor k1=0 k2=0 mask=0");
  const std::vector<BitVectorXor> far = prunedBitVectorXor({{4096, 8192}}, 14, 5);
  BOOST_REQUIRE_EQUAL(far.size(), 1U);
  BOOST_TEST(far[0].text() == "xor k1=9 k2=0 mask=0");
}

BOOST_AUTO_TEST_CASE(strides_are_read_from_the_words) {
  const auto textOf = [](const std::vector<std::uint32_t>& words) {
    const AccessSets sets = setsOf({words});
    const Strides strides = stridesOf(sets);
    std::string text = strides.random ? "random" : "";
    for (const Stride& stride : strides.strides) {
      text += " " + std::to_string(stride.stride) + "/" + std::to_string(stride.farthest);
    }
    return text;
  };
  BOOST_TEST(textOf(strided(4)) == " 4/124");
  BOOST_TEST(textOf(strided(1, 5, 100)) == " 1/4");
  BOOST_TEST(textOf({7}) == "");
  // Section 3.2.4: fast Walsh transform, stride 8.
  std::vector<std::uint32_t> walsh;
  std::vector<std::uint32_t> column;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    walsh.push_back(lane / 8 * 32 + lane % 8);
    column.push_back(lane % 16 * 16 + lane / 16);
  }
  BOOST_TEST(textOf(walsh) == " 1/103 32/103");
  BOOST_TEST(textOf(column) == " 1/241 16/241");
  walsh.resize(27);  // a block's last row may be short
  BOOST_TEST(textOf(walsh) == " 1/98 32/98");
  BOOST_TEST(textOf({0, 1, 3, 4, 9}) == "random");
  const AccessSets both = setsOf({strided(4), strided(4, 8), strided(2, 8)});
  BOOST_REQUIRE_EQUAL(stridesOf(both).strides.size(), 2U);
  BOOST_TEST(stridesOf(both).strides[1].farthest == 124U);
}

BOOST_AUTO_TEST_CASE(a_random_access_leaves_them_all) {
  const AccessSets sets = setsOf({strided(4), {0, 1, 5, 99, 101}});
  BOOST_TEST(search(MappingClass::Xor, Method::Pruned, {sets, kFermi}).candidates == 4480U);
}

BOOST_AUTO_TEST_CASE(its_matrix_is_its_formula_and_that_of_its_text) {
  std::mt19937 random(31);
  for (unsigned round = 0; round < 300; ++round) {
    const unsigned m = 1 + below(random, 5);
    const unsigned n = m + below(random, 10);
    const BitVectorXor hash{below(random, n - m + 1), below(random, n), below(random, 1U << m)};
    const indexing::gf2::Matrix matrix = hash.matrix(n, m);
    for (unsigned i = 0; i < 50; ++i) {
      const std::uint32_t word = below(random, 1U << n);
      const std::uint32_t bank = ((word >> hash.k1) ^ ((word >> hash.k2) & hash.mask)) % (1U << m);
      BOOST_REQUIRE_EQUAL(bankOf(matrix.rows, word), bank);
    }
    if (rankOf(matrix.rows) < m) continue;
    const auto indexer = indexing::build(hash.text(), {1U << m, 1U << n});
    for (unsigned i = 0; i < 50; ++i) {
      const std::uint32_t word = below(random, 1U << n);
      BOOST_REQUIRE_EQUAL(indexer->location(word).bank, bankOf(matrix.rows, word));
    }
  }
}

// Compares with a plain count over every candidate that indexing::build accepts.
BOOST_AUTO_TEST_CASE(the_exhaustive_search_finds_the_first_best) {
  std::mt19937 random(32);
  for (unsigned round = 0; round < 60; ++round) {
    const indexing::Shape shape{1U << (1 + round % 3), 1U << (4 + round % 5)};
    const unsigned m = 1 + round % 3;
    const unsigned n = 4 + round % 5;
    const AccessSets sets = mix(random, shape.words, 5, 16);
    std::string best;
    std::uint64_t least = 0;
    for (const BitVectorXor& hash : everyBitVectorXor(n, m)) {
      std::uint64_t conflicts = 0;
      try {
        conflicts = conflictsOf(sets, hash.text(), shape);
      } catch (const indexing::IndexingError&) {
        continue;
      }
      if (best.empty() || conflicts < least) {
        best = hash.text();
        least = conflicts;
      }
    }
    const Found found = search(MappingClass::Xor, Method::Exhaustive, {sets, shape});
    BOOST_REQUIRE_EQUAL(found.mapping, best);
    BOOST_REQUIRE_EQUAL(found.after, least);
    BOOST_REQUIRE((found.proof == (least == 0 ? Proof::ConflictFree : Proof::Optimal)));
    const Found pruned = search(MappingClass::Xor, Method::Pruned, {sets, shape});
    BOOST_REQUIRE_GE(pruned.after, found.after);
    BOOST_REQUIRE_LE(pruned.candidates, found.candidates);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
