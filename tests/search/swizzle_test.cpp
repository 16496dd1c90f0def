// Swizzles of a kernel's index: the search finds the best of the class, by CuTe's definition on
// byte addresses. Accesses are classified by their layout.
#include <fermata/models/search/atom.h>
#include <fermata/models/search/best_padding.h>
#include <fermata/models/search/best_swizzle.h>
#include <fermata/models/search/search.h>
#include "tests/search/support.h"
#include "tests/support/says.h"

namespace fermata::search {
namespace {

using namespace test;

using indexing::IndexingError;

constexpr std::uint32_t kBanks = 32;

/// Adds one phase of eight lanes with 16 bytes each.
void addRows(AccessSets& into, const std::vector<std::uint64_t>& addresses) {
  std::vector<std::uint32_t> words;
  for (const std::uint64_t address : addresses) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      words.push_back(static_cast<std::uint32_t>(address / 4 + k));
    }
  }
  addSet(into, words);
}

/// Returns the conflicts under a swizzle, from CuTe's definition on byte addresses.
std::uint64_t conflictsOf(const AccessSets& sets, unsigned bits, unsigned base, unsigned shift) {
  std::uint64_t sum = 0;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    std::vector<std::uint64_t> words(kBanks);
    for (const std::uint32_t word : sets.words(set)) {
      const std::uint64_t byte = std::uint64_t{word} * 4;
      const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << base;
      ++words[(byte ^ ((byte >> shift) & mask)) / 4 % kBanks];
    }
    sum += sets.weight(set) * (*std::max_element(words.begin(), words.end()) - 1);
  }
  return sum;
}

std::uint64_t leastOf(const AccessSets& sets, unsigned least) {
  std::uint64_t fewest = conflictsOf(sets, 0, least, 0);
  for (unsigned bits = 1; bits < 8; ++bits) {
    for (unsigned base = least; base < 10; ++base) {
      for (unsigned shift = bits; shift < 20; ++shift) {
        fewest = std::min(fewest, conflictsOf(sets, bits, base, shift));
      }
    }
  }
  return fewest;
}

std::string refusal(const std::string& layout) {
  try {
    Layout::parse(layout);
  } catch (const IndexingError& error) {
    return std::to_string(error.column()) + ": " + error.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(swizzles)

BOOST_AUTO_TEST_CASE(none_is_better_than_the_one_found) {
  std::mt19937 random(51);
  const indexing::Shape shape{kBanks, 4096};
  for (unsigned round = 0; round < 30; ++round) {
    AccessSets sets;
    const std::uint64_t pitch = 16 * (1 + below(random, 32));
    for (unsigned access = 0; access < 4; ++access) {
      std::vector<std::uint64_t> rows;
      const std::uint64_t first = 16 * below(random, 64);
      for (unsigned row = 0; row < 8; ++row) rows.push_back(first + row * pitch);
      addRows(sets, rows);
    }
    const Problem problem{sets, shape};
    for (const std::uint32_t vector : {4U, 16U}) {
      const BestSwizzle best = bestSwizzle(conflictCount(problem), shape, vector);
      BOOST_REQUIRE_EQUAL(best.conflicts, leastOf(sets, vector == 4 ? 2 : 4));
      BOOST_REQUIRE_EQUAL(best.conflicts, conflictsOf(sets, best.text, shape));
    }
    SearchOptions options;
    options.vectorBytes = 16;
    const Found found = search(MappingClass::Swizzle, Method::Exhaustive, problem, options);
    BOOST_REQUIRE((found.proof == (found.after == 0 ? Proof::ConflictFree : Proof::Optimal)));
    const Found tma = search(MappingClass::Tma, Method::Exhaustive, problem, options);
    std::uint64_t fewest = conflictsOf(sets, 0, 4, 0);
    for (unsigned bits = 1; bits <= 3; ++bits)
      fewest = std::min(fewest, conflictsOf(sets, bits, 4, 3));
    BOOST_REQUIRE_EQUAL(tma.after, fewest);
  }
}

// Rows of 32, 64, 128 bytes. The mode of that width is free of conflicts for any eight rows below
// one another, which ldmatrix reads at once. No narrower mode is.
BOOST_AUTO_TEST_CASE(each_mode_is_free_of_conflicts_for_its_rows) {
  const indexing::Shape shape{kBanks, 16384};
  for (const std::uint32_t width : {32U, 64U, 128U}) {
    AccessSets sets;
    for (std::uint64_t tile = 0; tile < 16; ++tile) {
      for (std::uint64_t chunk = 0; chunk < width / 16; ++chunk) {
        std::vector<std::uint64_t> rows;
        for (std::uint64_t row = 0; row < 8; ++row)
          rows.push_back((8 * tile + row) * width + 16 * chunk);
        addRows(sets, rows);
      }
    }
    const Found found = search(MappingClass::Tma, Method::Exhaustive, {sets, shape});
    BOOST_TEST(found.mapping == "tma " + std::to_string(width));
    BOOST_TEST((found.proof == Proof::ConflictFree));
    BOOST_TEST(found.before == 16U * (width / 16) * (width / 16 - 1));
  }
}

BOOST_AUTO_TEST_CASE(vectors_stay_whole) {
  AccessSets sets;
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; row < 8; ++row) rows.push_back(128 * row);
  addRows(sets, rows);
  const Problem problem{sets, {kBanks, 1024}};
  SearchOptions options;
  options.vectorBytes = 16;
  const Found padding = search(MappingClass::Padding, Method::Exhaustive, problem, options);
  BOOST_TEST(padding.mapping == "pad row=32 words=4");
  BOOST_TEST(padding.after == 0U);
  for (const MappingClass other : {MappingClass::Xor, MappingClass::Ami, MappingClass::Perm}) {
    BOOST_CHECK_EXCEPTION(search(other, Method::Exhaustive, problem, options), IndexingError,
                          fermata::test::says("does not keep vectors of 16"));
  }
  options.vectorBytes = 32;
  BOOST_CHECK_THROW(search(MappingClass::Tma, Method::Exhaustive, problem, options), IndexingError);
}

BOOST_AUTO_TEST_CASE(layouts) {
  const Layout nested = Layout::parse(" ((2, 4),8):((1,64),8) ");
  BOOST_TEST(nested.size() == 64U);
  for (std::uint64_t i = 0; i < 64; ++i) {
    BOOST_TEST(nested.offset(i) == i % 2 + i / 2 % 4 * 64 + i / 8 * 8);
  }
  BOOST_TEST(Layout::parse("8:3").offset(7) == 21U);
  BOOST_TEST(refusal("(8,4):(16)") ==
             "7: a stride of another form than its shape; expected as many parts");
  BOOST_TEST(refusal("(8,0):(16,1)") == "4: a shape of 0; expected 1 or more");
  BOOST_TEST(refusal("(8,4)") == "6: the end; expected ':'");
  BOOST_TEST(refusal("(8,4:1").find("5: ':'; expected ',' or ')'") == 0);
  BOOST_TEST(refusal("(8,-4):(1,1)").find("4: '-'; expected a number") == 0);
  BOOST_TEST(refusal("(1048576,2):(1,1)").find("1: too many elements") == 0);
  BOOST_TEST(refusal("8:1 2") == "5: '2'; expected the end of the layout");
}

BOOST_AUTO_TEST_CASE(an_element_has_a_coordinate_per_outermost_mode) {
  using Place = std::vector<std::uint64_t>;
  BOOST_TEST(Layout::parse("(8,4):(64,8)").coordinates(11) == (Place{3, 1}));
  BOOST_TEST(Layout::parse("((2,4),8):((1,64),8)").coordinates(13) == (Place{5, 1}));
  BOOST_TEST(Layout::parse("32:2").coordinates(17) == (Place{17}));
}

BOOST_AUTO_TEST_CASE(accesses_of_a_layout) {
  const Atom atom = parseAtom("ldmatrix.x2", 2);
  BOOST_TEST(atom.lanes == 16U);
  const auto accesses = layoutWords(Layout::parse("(8,4):(64,8)"), atom, 2, 4, 4096);
  BOOST_REQUIRE_EQUAL(accesses.size(), 2U);
  for (std::uint32_t lane = 0; lane < 16; ++lane) {
    BOOST_TEST(accesses[1][lane] == (lane % 8 * 128 + (2 + lane / 8) * 16) / 4);
  }
  BOOST_CHECK_THROW(parseAtom("ldmatrix.x3", 2), IndexingError);
  BOOST_CHECK_THROW(layoutWords(Layout::parse("8:4"), atom, 2, 4, 4096), IndexingError);
  BOOST_CHECK_THROW(layoutWords(Layout::parse("8:4096"), atom, 2, 4, 4096), IndexingError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
