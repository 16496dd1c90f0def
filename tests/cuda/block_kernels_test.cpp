// lavaMD, LU, Needleman-Wunsch and the scans and the sort of MRI gridding as separate workloads:
// their results, and the causes of their shared-memory conflicts.

#include "tests/cuda/reference_values.h"
#include "tests/cuda/shared_accesses.h"
#include "tests/support/test.h"

namespace {

using namespace fermata::test;

BOOST_AUTO_TEST_SUITE(block_kernels)

/// Returns the number of accesses of each degree above 1.
Degrees conflicts(const std::string& name, const Parameters& parameters,
                  const BankMasks& masks = kModulo) {
  Degrees found = degrees(sharedAccesses(name, parameters), masks);
  found.erase(1);
  return found;
}

// The index arithmetic of each kernel gives the number of accesses of each degree.
BOOST_AUTO_TEST_CASE(conflict_as_their_strides_say) {
  // One warp, a box that visits itself. Each particle has 8 words, stored twice and loaded once,
  // and a charge, two accesses of degree 2.
  const Parameters oneBox = {{"x", "1"}, {"y", "1"}, {"particles", "32"}};
  BOOST_TEST((conflicts("lavamd", oneBox) == Degrees{{2, 2}, {8, 3 * 8}}));

  // Column i of a block: lanes i + 1 to 15 at a stride of 16 words, so (lanes + 1) / 2 of them
  // meet. It is loaded, stored with each of i factors (loaded by columns too) and stored once more.
  Degrees columns;
  for (unsigned i = 0; i < 15; ++i) columns[(15 - i + 1) / 2] += 2 + 2 * i;
  columns.erase(1);
  BOOST_TEST((conflicts("lud1", {{"n", "16"}}) == columns));
  // All 16 columns are accessed so, by 32 lanes.
  BOOST_TEST((conflicts("lud2", {{"n", "48"}}) == Degrees{{16, 16 * 2 + 2 * 120}}));

  // Anti-diagonals of 1 to 16 to 1 cells, a net stride of 16 words: three loads and one store each.
  Degrees diagonals;
  for (unsigned m = 0; m < 31; ++m) diagonals[(std::min(m + 1, 31 - m) + 1) / 2] += 4;
  diagonals.erase(1);
  BOOST_TEST((conflicts("nw1", {{"n", "16"}}) == diagonals));
  BOOST_TEST((conflicts("nw2", {{"n", "32"}}) == diagonals));

  // Strides 2, 4, .. 1024 by 16, 8, 4, 2, 1, 1, .. warps; the last five warps have 16, 8, .. 1
  // lanes. Each step makes three accesses up the tree and four down.
  BOOST_TEST((conflicts("mri1", {{"n", "1024"}}) ==
              Degrees{{2, 7 * 17}, {4, 7 * 9}, {8, 7 * 5}, {16, 7 * 3}, {32, 7 * 1}}));
  // Padding removes every conflict: up to stride 32 it adds one word per round of the banks, and
  // above that 2, 4, .. words per lane for fewer lanes.
  BOOST_TEST((conflicts("mri1", {{"n", "1024"}, {"pad", "1"}}) == Degrees{}));
  // Two warps load and store pairs of neighbours; strides 2, 4, .. follow, by 64, 32, .. lanes.
  BOOST_TEST((conflicts("mri2", {{"log2n", "7"}}) == Degrees{{2, 8 + 3 * 3}, {4, 3 * 4}}));
  BOOST_TEST((conflicts("mri3", {{"log2n", "7"}}) == Degrees{{2, 8 + 4 * 3}, {4, 4 * 4}}));

  // Eight warps store four digits per lane at a stride of 4, and look back at least once.
  const Degrees digits = conflicts("mri4", {{"blocks", "1"}});
  BOOST_TEST(digits.rbegin()->first == 4U);
  BOOST_TEST(digits.at(4) >= 8U * 4 + 8);
}

// Configurations that the paper found for these benchmarks (van den Braak et al., table 5).
struct Published {
  std::string workload;
  BankMasks bitVector;
  BankMasks minimumImbalance;
};

const std::vector<Published> kPublished = {
    {"lavamd", banks({{{1, 6}, {2, 7}, {3}, {4}, {5}}}), banks({{{3}, {4}, {5}, {1, 6}, {2, 7}}})},
    {"lud1", banks({{{0, 5}, {1, 6}, {2, 7}, {3}, {4}}}),
     banks({{{0, 4}, {1, 5}, {2, 6}, {3, 7}, {13}}})},
    {"lud2", banks({{{0, 5}, {1, 6}, {2, 7}, {3, 8}, {4}}}),
     banks({{{4}, {0, 5}, {1, 6}, {2, 7}, {3, 8}}})},
    {"nw1", banks({{{0, 5}, {1, 6}, {2, 7}, {3}, {4}}}),
     banks({{{0, 5}, {2, 4}, {3, 6}, {1, 7}, {4}}})},
    {"nw2", banks({{{0, 5}, {1, 6}, {2, 7}, {3, 8}, {4}}}),
     banks({{{1, 4}, {2, 5}, {3, 6}, {0, 7}, {4}}})},
    {"mri1", banks({{{0, 5}, {1, 6}, {2, 7}, {3, 8}, {4, 9}}}),
     banks({{{0, 5}, {1, 6}, {2, 7}, {3, 8}, {4, 9}}})},
    {"mri2", banks({{{1, 6}, {2}, {3}, {4}, {5}}}), banks({{{2}, {3}, {4}, {5}, {1, 6}}})},
    {"mri3", banks({{{1, 6}, {2}, {3}, {4}, {5}}}), banks({{{2}, {3}, {4}, {5}, {1, 6}}})},
    {"mri4", banks({{{0, 5}, {1, 6}, {2}, {3}, {4}}}), banks({{{6}, {3}, {2}, {0, 4}, {1, 5}}})},
};

BOOST_AUTO_TEST_CASE(lose_all_conflicts_to_the_published_hashes) {
  for (const Published& published : kPublished) {
    const std::string& name = published.workload;
    const auto accesses = sharedAccesses(name, {});
    BOOST_TEST(degrees(accesses).rbegin()->first > 1U, name);
    BOOST_TEST(degrees(accesses, published.minimumImbalance).rbegin()->first == 1U, name);
    // Each block of nw2 keeps one access with a conflict under the published bit vector.
    Degrees left = degrees(accesses, published.bitVector);
    left.erase(1);
    BOOST_TEST((left == (name == "nw2" ? Degrees{{2, 120}} : Degrees{})), name);
  }
}

// Full or partial warps, and other digits of the keys: the mappings do not depend on the sizes.
BOOST_AUTO_TEST_CASE(lose_all_conflicts_at_other_sizes) {
  const std::vector<Run> runs = {{"lavamd", {{"particles", "128"}}},
                                 {"lud1", {{"n", "16"}}},
                                 {"lud2", {{"n", "512"}}},
                                 {"nw1", {{"n", "48"}}},
                                 {"nw2", {{"n", "48"}}},
                                 {"mri1", {{"n", "3000"}}},
                                 {"mri2", {{"log2n", "9"}}},
                                 {"mri3", {{"log2n", "9"}}},
                                 {"mri4", {{"blocks", "3"}, {"pass", "5"}}}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    BOOST_REQUIRE(runs[i].workload == kPublished[i].workload);
    const auto left =
        conflicts(runs[i].workload, runs[i].parameters, kPublished[i].minimumImbalance);
    BOOST_TEST(left.empty(), runs[i]);
  }
}

BOOST_AUTO_TEST_SUITE_END()

/// Returns values without a pattern, equal on every machine.
std::vector<std::int32_t> values(std::size_t count, std::uint32_t range) {
  std::mt19937 generator(7);
  std::vector<std::int32_t> list(count);
  for (std::int32_t& value : list) value = static_cast<std::int32_t>(generator() % range);
  return list;
}

BOOST_AUTO_TEST_SUITE(block_references)

BOOST_AUTO_TEST_CASE(of_the_triangles_make_an_alignment) {
  for (const std::int64_t n : {16, 48}) {
    const auto cells = static_cast<std::size_t>((n + 1) * (n + 1));
    ReferenceInput input{{{"n", n}, {"penalty", 2}},
                         {{"similarity", bytesOf(values(cells, 9))},
                          {"scores", bytesOf(std::vector<std::int32_t>(cells, -5))}}};
    const auto whole = reference<std::int32_t>("nw", input);
    input.buffers["scores"] = findReference("nw1")(input);
    BOOST_TEST((reference<std::int32_t>("nw1", input) == whole) == (n == 16));
    BOOST_TEST((reference<std::int32_t>("nw2", input) == whole));
  }
}

BOOST_AUTO_TEST_CASE(of_diagonal_and_perimeter_make_the_first_step_of_the_factors) {
  constexpr std::size_t kSize = 48;
  std::vector<float> matrix(kSize * kSize);
  const auto numbers = values(matrix.size(), 7);
  for (std::size_t i = 0; i < matrix.size(); ++i)
    matrix[i] = static_cast<float>(numbers[i]) + (i / kSize == i % kSize ? 200.0F : 0.0F);
  ReferenceInput input{{{"n", kSize}}, {{"matrix", bytesOf(matrix)}}};
  const auto whole = reference<float>("lud", input);
  input.buffers["matrix"] = findReference("lud1")(input);
  const auto step = reference<float>("lud2", input);
  for (std::size_t i = 0; i < step.size(); ++i) {
    const std::size_t row = i / kSize;
    const std::size_t column = i % kSize;
    if (row < 16 || column < 16) BOOST_TEST(std::abs(step[i] - whole[i]) < 1e-4F, "element " << i);
  }
  // A block alone: the last block as a matrix of its own has the factors that it has in place.
  std::vector<float> corner(16 * 16);
  const auto at = [](std::size_t i) { return (32 + i / 16) * kSize + 32 + i % 16; };
  for (std::size_t i = 0; i < corner.size(); ++i) corner[i] = matrix[at(i)];
  const auto alone = reference<float>("lud", {{{"n", 16}}, {{"matrix", bytesOf(corner)}}});
  for (std::size_t i = 0; i < corner.size(); ++i) BOOST_TEST(alone[i] == step[at(i)]);
}

BOOST_AUTO_TEST_CASE(of_the_particles_know_a_pair) {
  // Fields v, x, y, z. r2 = 1 + 2 - (0.5 * 1) = 2.5; each particle also visits itself, without a
  // force.
  const std::vector<double> particles = {1, 0.5, 0, 0, 2, 1, 0, 0};
  const auto forces = reference<double>(
      "lavamd", {{{"x", 1}, {"y", 1}, {"z", 1}, {"particles", 2}},
                 {{"particles", bytesOf(particles)}, {"charges", bytesOf<double>({3, 5})}}});
  const double pair = std::exp(-0.5 * 2.5);
  const std::vector<double> expected = {
      3 * std::exp(-0.5 * 1.75) + 5 * pair, 2 * 5 * pair * (0.5 - 1), 0, 0,
      5 * std::exp(-0.5 * 3) + 3 * pair,    2 * 3 * pair * (1 - 0.5), 0, 0};
  for (std::size_t i = 0; i < expected.size(); ++i)
    BOOST_TEST(std::abs(forces[i] - expected[i]) < 1e-12, "part " << i);
}

BOOST_AUTO_TEST_CASE(of_the_particles_visit_the_neighbours_only) {
  // Three boxes in a row along one axis, one particle each, all alike: the middle particle feels
  // three particles, the others two.
  for (const char* axis : {"x", "y", "z"}) {
    ReferenceInput input{{{"x", 1}, {"y", 1}, {"z", 1}, {"particles", 1}},
                         {{"particles", bytesOf(std::vector<double>(12, 0.0))},
                          {"charges", bytesOf(std::vector<double>(3, 1.0))}}};
    input.parameters[axis] = 3;
    const auto forces = reference<double>("lavamd", input);
    BOOST_TEST(forces[0] == 2.0);
    BOOST_TEST(forces[4] == 3.0);
    BOOST_TEST(forces[8] == 2.0);
  }
}

BOOST_AUTO_TEST_CASE(of_the_sweeps_make_a_scan) {
  const auto data = values(64, 1000);
  ReferenceInput input{{{"log2n", 6}, {"n", 64}}, {{"data", bytesOf(data)}, {"in", bytesOf(data)}}};
  const auto scan = reference<std::uint32_t>("scan", input);
  auto tree = reference<std::uint32_t>("mri2", input);
  BOOST_TEST(tree.back() ==
             static_cast<std::uint32_t>(std::accumulate(data.begin(), data.end(), 0)));
  tree.back() = 0;
  input.buffers["data"] = bytesOf(tree);
  BOOST_TEST((reference<std::uint32_t>("mri3", input) == scan));

  const ReferenceInput ones{{{"log2n", 3}}, {{"data", bytesOf(std::vector<std::uint32_t>(8, 1))}}};
  BOOST_TEST((reference<std::uint32_t>("mri2", ones) ==
              std::vector<std::uint32_t>{1, 2, 1, 4, 1, 2, 1, 8}));
}

BOOST_AUTO_TEST_CASE(of_the_segments_start_anew) {
  const ReferenceInput input{{{"n", 1026}},
                             {{"data", bytesOf(std::vector<std::uint32_t>(1026, 1))}}};
  const auto scan = reference<std::uint32_t>("mri1", input);
  for (std::size_t i = 0; i < scan.size(); ++i) BOOST_TEST(scan[i] == i % 1024);
  BOOST_TEST((reference<std::uint32_t>("mri1_sums", input) == std::vector<std::uint32_t>{1024, 2}));
}

BOOST_AUTO_TEST_CASE(of_the_sort_keep_the_order_of_equal_digits) {
  std::vector<std::uint32_t> numbers(2048);
  std::iota(numbers.begin(), numbers.end(), 0U);
  const auto keys = values(2048, 4096);
  const ReferenceInput input{{{"blocks", 2}, {"pass", 1}},
                             {{"keys", bytesOf(keys)}, {"values", bytesOf(numbers)}}};
  const auto sorted = reference<std::uint32_t>("mri4_keys", input);
  const auto places = reference<std::uint32_t>("mri4_values", input);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    BOOST_TEST(sorted[i] == static_cast<std::uint32_t>(keys[places[i]]));
    if (i == 0) continue;
    const std::uint32_t before = sorted[i - 1] >> 4U & 15U;
    const std::uint32_t digit = sorted[i] >> 4U & 15U;
    BOOST_TEST((before < digit || (before == digit && places[i - 1] < places[i])), "place " << i);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
