// The parts of the general search, against their definitions.
#include <fermata/models/search/general/exact.h>
#include <fermata/models/search/general/local.h>
#include <fermata/models/search/general/problem.h>
#include <fermata/models/search/general/spectrum.h>
#include <fermata/models/search/general/split.h>
#include "tests/search_general/brute_force.h"
#include "tests/search_general/mixes.h"

namespace fermata::search::general {
namespace {

using namespace test;

AccessSets randomSets(Random& random, unsigned n, Word count, Word lanes) {
  AccessSets sets;
  for (Word i = 0; i < count; ++i) {
    Instruction instruction;
    instruction.weight = 1 + below(random, 4);
    const std::uint32_t number = sets.addInstruction(instruction);
    std::vector<Word> words;
    for (Word lane = 0; lane < lanes; ++lane) words.push_back(below(random, Word{1} << n));
    sets.add(number, words.data(), lanes);
  }
  return sets;
}

Rows lifted(const ReducedProblem& problem, const Rows& rows) {
  Rows masks;
  for (const Word row : rows) masks.push_back(problem.lift(row));
  return masks;
}

/// Returns weight * (ceil(largest class / 2^left) - 1), summed over the sets.
std::uint64_t boundOf(const AccessSets& sets, const Rows& rows, unsigned left) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    std::map<Word, Word> load;
    Word most = 1;
    for (const Word word : sets.words(i)) most = std::max(most, ++load[bankOf(rows, word)]);
    sum += sets.weight(i) * ((most + (1U << left) - 1) / (1U << left) - 1);
  }
  return sum;
}

/// Costs from a table: a vector costs its entry, a subspace the largest entry of its vectors.
class TableCosts final : public SubspaceCosts {
 public:
  explicit TableCosts(std::vector<std::uint64_t> table) : table_(std::move(table)) {}

  void push(std::uint32_t vector) override { chosen_.push_back(vector); }
  void pop() override { chosen_.pop_back(); }
  std::uint64_t with(std::uint32_t vector, std::uint64_t) override {
    Rows rows = chosen_;
    rows.push_back(vector);
    return of(rows);
  }
  std::uint64_t of(const Rows& rows) const {
    std::uint64_t most = 0;
    for (std::uint32_t pick = 1; pick < std::uint32_t{1} << rows.size(); ++pick) {
      std::uint32_t sum = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) sum ^= (pick >> i & 1U) != 0 ? rows[i] : 0;
      most = std::max(most, table_[sum]);
    }
    return most;
  }

 private:
  std::vector<std::uint64_t> table_;
  Rows chosen_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(general_parts)

BOOST_AUTO_TEST_CASE(the_largest_effort_is_not_spent_at_once) {
  // Multiplied by the visits per mapping, these efforts are 2^64 and more.
  for (const std::uint64_t mappings : {std::uint64_t{1} << 55, ~std::uint64_t{0}}) {
    Effort effort(mappings);
    effort.addVisits(1000000);
    BOOST_TEST(!effort.spent());
  }
  Effort small(2);
  small.addVisits(2 * Effort::kVisitsPerMapping - 1);
  BOOST_TEST(!small.spent());
  small.addVisits(1);
  BOOST_TEST(small.spent());
}

BOOST_AUTO_TEST_CASE(translates_merge_and_their_weights_add) {
  AccessSets sets;
  addSet(sets, {0, 1, 6});
  addSet(sets, {8, 9, 14}, 2);
  addSet(sets, {0, 1, 7}, 4);  // not a translate: 0 1 6 moved by 1 is 1 0 7
  addSet(sets, {5}, 100);
  const ReducedProblem problem = reduce(sets, 5, 2, {});
  BOOST_REQUIRE_EQUAL(problem.sets.size(), 1U);
  BOOST_TEST(problem.sets[0].weight == 7U);
  BOOST_TEST(problem.differences.size() == 2U);
  BOOST_TEST(problem.silent.size() == 3U);
  BOOST_TEST(problem.dimension == 2U);
}

BOOST_AUTO_TEST_CASE(coordinates_say_of_a_mask_all_that_matters) {
  Random random(41);
  for (unsigned round = 0; round < 20; ++round) {
    const AccessSets sets = randomSets(random, 9, 1 + round % 3, 3);
    const ReducedProblem problem = reduce(sets, 9, 2, {});
    BOOST_TEST(problem.silent.size() + problem.differences.size() == 9U);
    for (Word mask = 0; mask < 512; ++mask) {
      BOOST_REQUIRE(problem.representable(mask));
      const Word again = problem.lift(problem.coordinates(mask));
      for (const DifferenceSet& set : problem.sets) {
        for (const Word word : set.words) {
          BOOST_REQUIRE_EQUAL(parity(again & word), parity(mask & word));
          BOOST_REQUIRE_EQUAL(parity(problem.coordinates(mask) & problem.project(word)),
                              parity(mask & word));
        }
      }
    }
    for (const Word mask : problem.silent) BOOST_REQUIRE_EQUAL(problem.coordinates(mask), 0U);
  }
}

BOOST_AUTO_TEST_CASE(of_too_many_dimensions_the_preferred_rows_are_kept) {
  Random random(42);
  const AccessSets sets = randomSets(random, 24, 8, 32);
  const Rows preferred = {0x800001, 0x400002, 0x200004, 0xffffff};
  const ReducedProblem problem = reduce(sets, 24, 5, preferred);
  BOOST_TEST(!problem.allFunctionals);
  BOOST_TEST(problem.dimension == ReducedProblem::kMaxDimension);
  for (const Word mask : preferred) BOOST_TEST(problem.representable(mask));
  for (Word row = 0; row < 1000; ++row)
    BOOST_REQUIRE_EQUAL(problem.coordinates(problem.lift(row)), row);
}

BOOST_AUTO_TEST_CASE(rows_bound_the_degree_as_defined) {
  Random random(43);
  for (unsigned round = 0; round < 60; ++round) {
    const Word lanes = round % 3 == 0 ? 100 : 2 + below(random, 40);
    const AccessSets sets = randomSets(random, 8, 5, lanes);
    const unsigned m = 1 + round % 5;
    const ReducedProblem problem = reduce(sets, 8, m, {});
    Effort effort(1000);
    SplitCount split(problem, effort);
    Rows rows;
    for (unsigned depth = 0; depth < m; ++depth) {
      rows.push_back(below(random, 256));
      const std::uint64_t expected = boundOf(sets, rows, m - depth - 1);
      BOOST_REQUIRE_EQUAL(split.with(rows.back()), expected);
      if (expected > 0) {
        const std::uint64_t stopped = split.with(rows.back(), expected - 1);
        BOOST_REQUIRE_GE(stopped, expected);
      }
      BOOST_REQUIRE_EQUAL(split.with(rows.back(), expected), expected);
      if (depth + 1 < m) split.push(rows.back());
    }
    BOOST_REQUIRE_EQUAL(split.of(rows), conflictsOf(sets, rows));
    BOOST_REQUIRE_GT(effort.evaluated(), m);
  }
}

BOOST_AUTO_TEST_CASE(a_functionals_bound_is_that_of_the_one_row) {
  Random random(44);
  for (unsigned round = 0; round < 20; ++round) {
    const AccessSets sets = randomSets(random, 3 + round % 7, 6, 2 + below(random, 60));
    const unsigned n = 3 + round % 7;
    const unsigned m = 1 + round % 3;
    const ReducedProblem problem = reduce(sets, n, m, {});
    Effort effort(1000);
    const std::vector<std::uint64_t> bounds = functionalBounds(problem, effort);
    BOOST_REQUIRE_EQUAL(bounds.size(), std::size_t{1} << problem.dimension);
    for (Word f = 0; f < bounds.size(); ++f) {
      BOOST_REQUIRE_EQUAL(bounds[f], boundOf(sets, {problem.lift(f)}, m - 1));
    }
  }
}

BOOST_AUTO_TEST_CASE(energies_of_a_span_add_up_to_the_squares_of_its_classes) {
  Random random(45);
  for (unsigned round = 0; round < 20; ++round) {
    const AccessSets sets = randomSets(random, 8, 4, 2 + below(random, 30));
    const ReducedProblem problem = reduce(sets, 8, 2, {});
    std::vector<std::uint32_t> scale;
    for (std::size_t i = 0; i < problem.sets.size(); ++i) scale.push_back(1 + below(random, 9));
    Effort effort(1000);
    const std::vector<std::int64_t> energy = energies(problem, scale, effort);
    const Word a = 1 + below(random, energy.size() - 1);
    const Word b = 1 + below(random, energy.size() - 1);
    if (a == b) continue;
    std::int64_t squares = 0;
    for (std::size_t i = 0; i < problem.sets.size(); ++i) {
      std::map<Word, std::int64_t> load;
      for (const Word word : problem.sets[i].words) {
        ++load[bankOf(lifted(problem, {a, b}), word)];
      }
      for (const auto& entry : load) squares += scale[i] * entry.second * entry.second;
    }
    BOOST_REQUIRE_EQUAL(energy[0] + energy[a] + energy[b] + energy[a ^ b], 4 * squares);
  }
}

BOOST_AUTO_TEST_CASE(the_local_search_alone_solves_what_has_a_solution) {
  for (const unsigned n : {9U, 11U, 14U}) {
    AccessSets sets;
    for (unsigned shift = 0; shift + 5 <= n; ++shift) {
      for (const bool reversed : {false, true}) {  // lanes or their Gray codes, at a stride
        Rows words;
        for (Word lane = 0; lane < 32; ++lane) {
          words.push_back((reversed ? lane ^ (lane >> 1) : lane) << shift);
        }
        addSet(sets, words);
      }
    }
    const ReducedProblem problem = reduce(sets, n, 5, {});
    Effort effort(200);
    SplitCount split(problem, effort);
    LocalSearch local(problem, split, effort, 1);
    const Mapping found = local.run({}, 0);
    BOOST_TEST(found.cost == 0U);
    BOOST_TEST(conflictsOf(sets, lifted(problem, found.rows)) == 0U);
  }
}

BOOST_AUTO_TEST_CASE(the_local_search_alone_comes_near_the_optimum) {
  Random random(47);
  std::uint64_t excess = 0;
  for (unsigned round = 0; round < 12; ++round) {
    const AccessSets sets = randomSets(random, 7, 6, 8);
    const ReducedProblem problem = reduce(sets, 7, 3, {});
    Effort effort(600);
    SplitCount split(problem, effort);
    LocalSearch local(problem, split, effort, round);
    const Mapping found = local.run({}, 0);
    BOOST_REQUIRE_EQUAL(found.cost, conflictsOf(sets, lifted(problem, found.rows)));
    excess += found.cost - fewestConflicts(sets, 7, 3);
  }
  BOOST_TEST_MESSAGE("the local search leaves " << excess << " too many");
  BOOST_TEST(excess <= 9U);
}

BOOST_AUTO_TEST_CASE(the_cheapest_subspace_is_found_and_its_absence_proved) {
  Random random(46);
  for (unsigned round = 0; round < 60; ++round) {
    const unsigned dimension = 3 + round % 4;
    const unsigned size = 1 + round % 3;
    std::vector<std::uint64_t> table(std::size_t{1} << dimension, 0);
    for (std::size_t i = 1; i < table.size(); ++i) table[i] = below(random, 1000);
    TableCosts costs(table);
    std::uint64_t fewest = ~std::uint64_t{0};
    forEachSpan(dimension, size,
                [&](const Rows& rows) { fewest = std::min(fewest, costs.of(rows)); });
    Effort effort(1000000);
    SubspaceSearch search(dimension, size, table, costs, effort);
    BOOST_REQUIRE_LE(search.simpleBound(), fewest);
    BOOST_REQUIRE(search.run(fewest, 0));
    BOOST_REQUIRE(search.found().empty());
    BOOST_REQUIRE(search.run(2000, 0));
    BOOST_REQUIRE_EQUAL(search.cost(), fewest);
    BOOST_REQUIRE_EQUAL(search.found().size(), size);
    BOOST_REQUIRE(independent(search.found()));
    BOOST_REQUIRE_EQUAL(costs.of(search.found()), fewest);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search::general
