// Bank conflicts of the kernels, counted from their lane addresses on 32 banks of 4 bytes by
// modulo. An access takes as many passes as one bank has distinct words, at most; each pass beyond
// the first is a conflict.

#include "tests/cuda/shared_accesses.h"
#include "tests/support/test.h"

namespace {

using namespace fermata;
using namespace fermata::test;

struct Counts {
  std::uint64_t loads = 0;
  std::uint64_t conflicts = 0;
  unsigned largest = 0;  ///< highest degree of any access
  Degrees degrees;       ///< number of accesses by degree
};

Counts countConflicts(const std::string& name, const Parameters& parameters) {
  Counts counts;
  visitSharedAccesses(name, parameters, [&](const WarpInstruction& access) {
    const unsigned degree = degreeOf(wordsOf(access), kModulo);
    counts.loads += access.operation == MemoryOperation::Load ? 1 : 0;
    counts.conflicts += degree > 0 ? degree - 1 : 0;
    counts.largest = std::max(counts.largest, degree);
    ++counts.degrees[degree];
  });
  return counts;
}

BOOST_AUTO_TEST_SUITE(conflicts)

BOOST_AUTO_TEST_CASE(of_the_strided_loop_equal_those_of_gpgpu_sim) {
  const std::map<std::string, std::uint64_t> expected = {
      {"1", 0},       {"2", 24576},   {"4", 73728}, {"8", 172032},
      {"16", 368640}, {"32", 761856}, {"33", 0}};
  for (const auto& [stride, conflicts] : expected) {
    const Counts counts = countConflicts("stride", {{"stride", stride}});
    BOOST_TEST(counts.loads == 24576U);
    BOOST_TEST(counts.conflicts == conflicts, "stride " << stride << ": " << counts.conflicts);
  }
}

BOOST_AUTO_TEST_CASE(of_the_transposition_equal_those_of_gpgpu_sim) {
  const Counts plain = countConflicts("transpose", {{"tile", "32"}});
  BOOST_TEST(plain.loads == 512U);
  BOOST_TEST(plain.conflicts == 15872U);
  BOOST_TEST(plain.degrees.at(32) == 512U);
  BOOST_TEST(countConflicts("transpose", {{"tile", "32"}, {"pad", "1"}}).conflicts == 0U);
  const Counts small = countConflicts("transpose", {{"tile", "16"}});
  BOOST_TEST(small.degrees.at(8) == 512U);
  BOOST_TEST(countConflicts("transpose", {{"tile", "16"}, {"pad", "1"}}).largest == 2U);
}

BOOST_AUTO_TEST_CASE(of_each_step_follow_from_the_algorithm) {
  // A block of reduction variant 1 makes two loads and one store per step, by 4, 2, 1, 1, 1, 1, 1
  // warps with degrees 2, 4, 8, 8, 8, 4, 2. The last step, the fill and the result have no
  // conflict. 2048 elements take 8 blocks; their sums take one block, and its sum another.
  const auto reduction = countConflicts("reduction", {{"variant", "1"}, {"n", "2048"}}).degrees;
  BOOST_TEST(reduction.at(2) == 10U * 3 * (4 + 1));
  BOOST_TEST(reduction.at(4) == 10U * 3 * (2 + 1));
  BOOST_TEST(reduction.at(8) == 10U * 3 * 3);
  // A vector of 2048: 16 warps. Strides 8 and 2: 8 accesses each, of degree 4. Neighbours: two
  // pairs per thread, 4 accesses each, of degree 2.
  const auto walsh = countConflicts("fwt", {{"vectors", "1"}}).degrees;
  BOOST_TEST(walsh.at(4) == 16U * 8 * 2);
  BOOST_TEST(walsh.at(2) == 16U * 2 * 4);
}

BOOST_AUTO_TEST_CASE(have_the_degrees_of_the_algorithms) {
  const std::vector<std::pair<Run, unsigned>> cases = {
      {{"reduction", {{"variant", "0"}, {"n", "2048"}}}, 1},
      {{"reduction", {{"variant", "1"}, {"n", "2048"}}}, 8},
      {{"reduction", {{"variant", "2"}, {"n", "2048"}}}, 1},
      {{"reduction", {{"variant", "3"}, {"n", "2048"}}}, 1},
      {{"reduction", {{"variant", "4"}, {"n", "2048"}}}, 1},
      {{"reduction", {{"variant", "5"}, {"n", "2048"}}}, 1},
      {{"reduction", {{"variant", "6"}, {"n", "2048"}}}, 1},
      {{"fwt", {{"vectors", "1"}}}, 4},
      {{"hist64", {{"variant", "1"}, {"n", "16384"}}}, 2},
      {{"scan", {{"variant", "0"}, {"n", "1024"}}}, 1},
      {{"scan", {{"variant", "1"}, {"n", "1024"}}}, 32},
      {{"matmul", {{"n", "32"}}}, 1},
      {{"scalarprod", {{"vectors", "1"}}}, 1},
      {{"lud", {{"n", "64"}}}, 8},
      {{"nw", {{"n", "64"}}}, 8},
  };
  for (const auto& [run, largest] : cases)
    BOOST_TEST(countConflicts(run.workload, run.parameters).largest == largest, run);
  // Random bytes: some conflicts, and none of a degree that chance does not give.
  const Counts histogram =
      countConflicts("hist256", {{"variant", "1"}, {"n", "65536"}, {"blocks", "2"}});
  BOOST_TEST(histogram.largest >= 4U);
  BOOST_TEST(histogram.largest <= 10U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
