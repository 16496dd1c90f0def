// Searches on parts of the accesses: regions of the memory, and instructions.
#include <fermata/models/search/split_search.h>

#include "tests/search/support.h"

namespace fermata::search {
namespace {

using test::conflictsOf;
using test::setsOf;
using test::strided;

const indexing::Shape kFermiShape{32, 12288};

Found foundIn(const AccessSets& sets, MappingClass mappingClass, Method method,
              std::uint32_t regions, unsigned regionBits = 32) {
  SearchOptions options;
  options.regions = regions;
  options.regionBits = regionBits;
  return search(mappingClass, method, {sets, kFermiShape}, options);
}

/// Returns rows of one array of 1024 words, and columns of the next.
AccessSets twoArrays() {
  return setsOf({strided(1), strided(1, 32, 64), strided(32, 32, 1024), strided(32, 32, 1031)});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(split_search)

BOOST_AUTO_TEST_CASE(two_arrays_have_a_permutation_each) {
  const AccessSets sets = twoArrays();
  const Found one = foundIn(sets, MappingClass::Perm, Method::Exhaustive, 1);
  BOOST_TEST(one.after == 20U);
  const Found two = foundIn(sets, MappingClass::Perm, Method::Exhaustive, 2);
  BOOST_TEST(two.mapping == "regions at=10 | perm k=0 | perm k=5");
  BOOST_TEST(two.after == 0U);
  BOOST_TEST(two.before == one.before);
  BOOST_TEST(name(two.proof) == std::string("conflict-free"));
  BOOST_TEST(conflictsOf(sets, two.mapping, kFermiShape) == 0U);
  // Two regions do, so that four are not tried.
  BOOST_TEST(foundIn(sets, MappingClass::Perm, Method::Exhaustive, 4).mapping == two.mapping);
}

BOOST_AUTO_TEST_CASE(a_region_is_chosen_by_bits_within_a_window) {
  const AccessSets sets = twoArrays();
  BOOST_TEST(foundIn(sets, MappingClass::Perm, Method::Exhaustive, 2, 11).after == 0U);
  const Found narrow = foundIn(sets, MappingClass::Perm, Method::Exhaustive, 2, 10);
  BOOST_TEST(narrow.after > 0U);
  BOOST_TEST(narrow.mapping.rfind("regions at=10", 0) != 0U);
  BOOST_TEST(foundIn(sets, MappingClass::Perm, Method::Exhaustive, 64, 0).mapping == "perm k=2");
}

BOOST_AUTO_TEST_CASE(three_strides_need_four_regions) {
  const AccessSets sets =
      setsOf({strided(1), strided(32, 32, 1024), strided(4, 32, 2048), strided(8, 32, 3072)});
  BOOST_TEST(foundIn(sets, MappingClass::Perm, Method::Exhaustive, 3).after > 0U);
  const Found four = foundIn(sets, MappingClass::Perm, Method::Exhaustive, 4);
  BOOST_TEST(four.mapping == "regions at=10 | perm k=0 | perm k=5 | perm k=2 | perm k=3");
  BOOST_TEST(four.after == 0U);
}

BOOST_AUTO_TEST_CASE(an_access_to_two_regions_is_counted_in_both) {
  // Lanes 0 to 15 read a row of one array, lanes 16 to 31 a column of the next.
  std::vector<std::uint32_t> words = strided(1, 16);
  for (const std::uint32_t word : strided(32, 16, 1024)) words.push_back(word);
  const AccessSets sets = setsOf({words});
  const Found two = foundIn(sets, MappingClass::Perm, Method::Exhaustive, 2);
  BOOST_TEST(two.after == conflictsOf(sets, two.mapping, kFermiShape));
}

BOOST_AUTO_TEST_CASE(regions_never_leave_more_and_report_what_they_leave) {
  std::mt19937 random(17);
  for (unsigned round = 0; round < 20; ++round) {
    AccessSets sets;
    for (unsigned set = 0; set < 6; ++set) {
      const std::uint32_t stride = 1 + test::below(random, 64);
      test::addSet(sets, strided(stride, 32, test::below(random, 8000)), 1 + set);
    }
    for (const auto& [mappingClass, method] : std::vector<std::pair<MappingClass, Method>>{
             {MappingClass::Perm, Method::Exhaustive},
             {MappingClass::Bits, Method::MinimumImbalance},
             {MappingClass::Pairs, Method::MinimumImbalance}}) {
      const Found one = foundIn(sets, mappingClass, method, 1);
      const Found four = foundIn(sets, mappingClass, method, 4);
      BOOST_TEST(four.after <= one.after);
      BOOST_TEST(four.after == conflictsOf(sets, four.mapping, kFermiShape));
      BOOST_TEST(four.candidates >= one.candidates);
    }
  }
}

BOOST_AUTO_TEST_CASE(other_classes_have_no_regions) {
  const AccessSets sets = twoArrays();
  BOOST_TEST(foundIn(sets, MappingClass::Ami, Method::Exhaustive, 4).mapping ==
             foundIn(sets, MappingClass::Ami, Method::Exhaustive, 1).mapping);
}

BOOST_AUTO_TEST_CASE(instructions_have_a_hash_each_on_one_array) {
  AccessSets sets;
  const std::vector<std::uint32_t> row = strided(1);
  const std::vector<std::uint32_t> column = strided(32);
  for (const auto* words : {&row, &column}) {
    Instruction instruction;
    instruction.weight = 3;
    sets.add(sets.addInstruction(instruction), words->data(), 32, 2);
  }
  const Problem problem{sets, kFermiShape};
  BOOST_TEST(search(MappingClass::Perm, Method::Exhaustive, problem).after == 10U * 6);
  BOOST_TEST(conflictsByInstruction(MappingClass::Perm, Method::Exhaustive, problem) == 0U);
  // An instruction that makes both accesses has one hash for them.
  AccessSets both = setsOf({row, column});
  BOOST_TEST(conflictsByInstruction(MappingClass::Perm, Method::Exhaustive, {both, kFermiShape}) ==
             10U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
