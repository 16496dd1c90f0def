// The host references, on inputs small enough to work out the result by hand.

#include <fermata/stimuli/input_error.h>

#include "tests/cuda/reference_values.h"
#include "tests/support/test.h"

namespace {

using fermata::InputError;
using namespace fermata::test;

template <class T>
void checkReference(const char* name, const ReferenceInput& input, const std::vector<T>& expected) {
  BOOST_TEST(reference<T>(name, input) == expected, tt::per_element());
}

BOOST_AUTO_TEST_SUITE(references)

BOOST_AUTO_TEST_CASE(give_known_answers) {
  checkReference<float>("transpose", {{{"n", 2}}, {{"in", bytesOf<float>({1, 2, 3, 4})}}},
                        {1, 3, 2, 4});
  // Walsh-Hadamard of a unit impulse at 1: alternating signs.
  checkReference<float>("fwt",
                        {{{"log2n", 2}, {"vectors", 1}}, {{"in", bytesOf<float>({0, 1, 0, 0})}}},
                        {1, -1, 1, -1});
  checkReference<std::uint32_t>(
      "scan", {{{"n", 4}}, {{"in", bytesOf<std::uint32_t>({5, 1, 2, 7})}}}, {0, 5, 6, 8});
  checkReference<std::uint32_t>("scan_total",
                                {{{"n", 4}}, {{"in", bytesOf<std::uint32_t>({5, 1, 2, 7})}}}, {15});
  checkReference<float>(
      "matmul",
      {{{"n", 2}}, {{"a", bytesOf<float>({1, 2, 3, 4})}, {"b", bytesOf<float>({5, 6, 7, 8})}}},
      {19, 22, 43, 50});
  checkReference<float>(
      "scalarprod",
      {{{"n", 2}, {"vectors", 2}},
       {{"a", bytesOf<float>({1, 2, 3, 4})}, {"b", bytesOf<float>({5, 6, 7, 8})}}},
      {17, 53});
  checkReference<float>("lud", {{{"n", 2}}, {{"matrix", bytesOf<float>({4, 2, 8, 7})}}},
                        {4, 2, 2, 3});
  const std::vector<std::int32_t> input = {1, 2, 3};
  checkReference<std::int32_t>("reduction_total", {{{"n", 3}}, {{"in", bytesOf(input)}}}, {6});
}

BOOST_AUTO_TEST_CASE(share_what_one_input_needs_once) {
  const ReferenceInput input{{{"n", 2}}, {}};
  unsigned calls = 0;
  const auto make = [&] { return std::vector<unsigned>{++calls}; };
  BOOST_TEST(input.once(make) == std::vector<unsigned>{1}, tt::per_element());
  BOOST_TEST(input.once(make) == std::vector<unsigned>{1}, tt::per_element());
  BOOST_TEST(input.once([] { return 2.5; }) == 2.5);
}

BOOST_AUTO_TEST_CASE(align_a_known_pair) {
  // Match 1, mismatch -1, gap 1; sequences of 2: equal first letters, different second ones.
  const std::vector<std::int32_t> similarity = {0, 0, 0, 0, 1, -1, 0, -1, -1};
  const std::vector<std::int32_t> scores = {0, -1, -2, -1, 0, 0, -2, 0, 0};
  checkReference<std::int32_t>("nw",
                               {{{"n", 2}, {"penalty", 1}},
                                {{"similarity", bytesOf(similarity)}, {"scores", bytesOf(scores)}}},
                               {0, -1, -2, -1, 1, 0, -2, 0, 0});
}

BOOST_AUTO_TEST_CASE(count_every_byte_once) {
  std::vector<std::uint8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  bytes.push_back(255);
  std::vector<std::uint32_t> fine(256, 1);
  fine[255] = 2;
  std::vector<std::uint32_t> coarse(64, 4);
  coarse[63] = 5;
  checkReference("hist256", {{{"n", 257}, {"variant", 1}}, {{"bytes", bytes}}}, fine);
  checkReference("hist64", {{{"n", 257}, {"variant", 0}}, {{"picture", bytes}}}, coarse);
}

BOOST_AUTO_TEST_CASE(partial_sums_follow_the_grid) {
  const std::vector<std::int32_t> ones(1000, 1);
  checkReference<std::int32_t>("reduction_partial",
                               {{{"n", 1000}, {"variant", 2}}, {{"in", bytesOf(ones)}}},
                               {256, 256, 256, 232});
  checkReference<std::int32_t>(
      "reduction_partial", {{{"n", 1000}, {"variant", 6}}, {{"in", bytesOf(ones)}}}, {512, 488});
}

BOOST_AUTO_TEST_CASE(refuse_inputs_of_other_kernels) {
  const std::set<std::string> kOfNothing = {"aes_tables", "aesdec_tables", "aesdec_substitutes"};
  BOOST_TEST((findReference("none") == nullptr));
  for (const std::string& name : fermata::cuda::referenceNames()) {
    BOOST_REQUIRE((findReference(name) != nullptr));
    if (kOfNothing.count(name) != 0) continue;
    BOOST_CHECK_THROW(findReference(name)({}), InputError);
  }
  BOOST_CHECK_THROW(findReference("matmul")({{{"n", 4}}, {{"a", {1, 2}}, {"b", {}}}}), InputError);
  BOOST_CHECK_THROW(findReference("lud")({{{"n", -1}}, {}}), InputError);
  const ReferenceInput small{{{"n", 8}}, {{"matrix", bytesOf(std::vector<float>(64, 1.0F))}}};
  BOOST_CHECK_THROW(findReference("lud1")(small), InputError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
