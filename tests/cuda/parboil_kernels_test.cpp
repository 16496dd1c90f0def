// The kernels after the Parboil suite: their results, and how they use shared memory.

#include "tests/cuda/reference_values.h"
#include "tests/cuda/shared_accesses.h"
#include "tests/support/test.h"

namespace {

using namespace fermata::test;

BOOST_AUTO_TEST_SUITE(parboil_kernels)

BOOST_AUTO_TEST_CASE(read_constants_without_shared_memory) {
  BOOST_TEST(sharedAccesses("cp", {{"height", "8"}, {"atoms", "3"}}).empty());
  BOOST_TEST(sharedAccesses("mriq", {{"voxels", "64"}, {"samples", "3"}}).empty());
  BOOST_TEST(sharedAccesses("mrifhd", {{"voxels", "64"}, {"samples", "3"}}).empty());
}

BOOST_AUTO_TEST_CASE(search_without_a_conflict) {
  // Halfwords 18 apart are words 9 apart.
  const auto accesses = sharedAccesses("sad", {{"width", "16"}, {"height", "16"}});
  BOOST_TEST((degrees(accesses).size() == 1U));
  std::vector<std::uint32_t> strided(32);
  for (std::uint32_t t = 0; t < 32; ++t) strided[t] = 9 * t;
  const auto isShifted = [&strided](const auto& entry) {
    const std::vector<std::uint32_t>& words = entry.first;
    return words.size() == 32 && words[1] - words[0] == 9 && words[31] - words[0] == strided[31];
  };
  const auto found = std::count_if(accesses.begin(), accesses.end(), isShifted);
  BOOST_TEST(found >= 9);
}

BOOST_AUTO_TEST_CASE(count_angles_two_lanes_a_word) {
  // Lanes 2 i and 2 i + 1 share a bank, and also a word if their bins are equal. At the end 20
  // lanes read words 128 apart, once per block.
  const auto counts = degrees(sharedAccesses("tpacf", {{"points", "64"}, {"sets", "2"}}));
  BOOST_TEST(counts.size() == 3U);
  BOOST_TEST(counts.at(2) > 100U);
  BOOST_TEST(counts.at(20) == 5U);
}

BOOST_AUTO_TEST_CASE(sum_and_twist_without_a_conflict) {
  BOOST_TEST((degrees(sharedAccesses("rpes", {{"shells", "2"}})).size() == 1U));
  // Each access reads or writes 32 words from word 0, 1 or 397 of the generator on.
  const auto accesses = sharedAccesses("pns", {{"rounds", "1"}, {"trajectories", "1"}});
  BOOST_TEST((degrees(accesses).size() == 1U));
  for (const std::uint32_t first : {0U, 1U, 397U}) {
    std::vector<std::uint32_t> words(32);
    std::iota(words.begin(), words.end(), first);
    BOOST_TEST(accesses.count(words) == 1U);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(parboil_references)

BOOST_AUTO_TEST_CASE(know_one_charge) {
  // A charge of 1/4 at point (1, 0), at distance 2 from the slice: z = (1 - 1/2) * 4.
  const auto energy = reference<float>("cp", {{{"width", 4}, {"height", 1}, {"atoms", 1}},
                                              {{"atoms", bytesOf<float>({0.25F, 0, 1, 0.75F})}}});
  for (std::size_t x = 0; x < 4; ++x) {
    const double dx = static_cast<double>(x) - 1;
    BOOST_TEST(std::abs(energy[x] - 0.25 / std::sqrt(dx * dx + 4)) < 1e-7);
  }
}

BOOST_AUTO_TEST_CASE(know_one_wave) {
  // k = 1/2 along y, at y = 1/2: the angle is pi / 2. The second place has half of it.
  const std::vector<float> none = {0, 0};
  const std::vector<float> places = {0.5F, 0.25F};
  const ReferenceInput q{{{"samples", 1}, {"voxels", 2}},
                         {{"kx", bytesOf<float>({0})},
                          {"ky", bytesOf<float>({0.5F})},
                          {"kz", bytesOf<float>({0})},
                          {"phi_r", bytesOf<float>({1})},
                          {"phi_i", bytesOf<float>({2})},
                          {"x", bytesOf(none)},
                          {"y", bytesOf(places)},
                          {"z", bytesOf(none)}}};
  const float root = std::sqrt(0.5F);
  const auto real = reference<float>("mriq_real", q);
  const auto imaginary = reference<float>("mriq_imaginary", q);
  BOOST_TEST(std::abs(real[0]) < 1e-6F);
  BOOST_TEST(std::abs(real[1] - 5 * root) < 1e-6F);
  BOOST_TEST(std::abs(imaginary[0] - 5) < 1e-6F);
  BOOST_TEST(std::abs(imaginary[1] - 5 * root) < 1e-6F);

  // The weight is (1 - 2 i) (3 + i) = 5 - 5 i, times i.
  const auto vector = reference<float>("mrifhd", {{{"samples", 1}, {"voxels", 1}},
                                                  {{"trajectory", bytesOf<float>({0, 0.5F, 0})},
                                                   {"phi", bytesOf<float>({1, 2})},
                                                   {"data", bytesOf<float>({3, 1})},
                                                   {"place", bytesOf<float>({0, 0.5F, 0})}}});
  BOOST_TEST(std::abs(vector[0] - 5) < 1e-5F);
  BOOST_TEST(std::abs(vector[1] - 5) < 1e-5F);
}

BOOST_AUTO_TEST_CASE(find_the_motion) {
  // A scene that never repeats itself: only the true offset between the pictures has no difference.
  constexpr std::size_t kPitch = 48 + 5;
  std::vector<std::uint16_t> scene(kPitch * (48 + 3));
  for (std::size_t i = 0; i < scene.size(); ++i) {
    const std::size_t x = i % kPitch;
    const std::size_t y = i / kPitch;
    scene[i] = static_cast<std::uint16_t>((x * x * 7 + y * y * 13 + x * y * 5) % 251);
  }
  const ReferenceInput input{{{"width", 48}, {"height", 48}}, {{"scene", bytesOf(scene)}}};
  const auto sums = reference<std::uint16_t>("sad", input);
  BOOST_REQUIRE(sums.size() == 9U * 41 * 1096);
  const auto array = sums.begin() + (4 * 41 + 40) * 1096;  // 16x16 sums of the central macroblock
  const auto least = std::min_element(array, array + 1089) - array;
  BOOST_TEST(array[least] == 0U);
  BOOST_TEST(least == (16 + 3) * 33 + 16 + 5);
  // The blocks of each size cover the macroblock.
  const auto at = [&sums](std::size_t from, std::size_t count, std::size_t offset) {
    unsigned sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += sums[(from + k) * 1096 + offset];
    return sum;
  };
  for (const std::size_t offset : {0U, 500U, 1088U}) {
    for (const auto& [from, count] :
         std::map<std::size_t, std::size_t>{{0, 16}, {16, 8}, {24, 8}, {32, 4}, {36, 2}, {38, 2}})
      BOOST_TEST(at(from, count, offset) == at(40, 1, offset));
  }
  BOOST_TEST(at(0, 1, 1089) == 0U);
}

BOOST_AUTO_TEST_CASE(bin_known_angles) {
  // Observed points: x, y, and 12 minutes from x. One random set: z, three times. 12 minutes are
  // 10^1.08: bin 5. A right angle is 5400 minutes, 10^3.73: bin 18.
  const float near = std::sin(12.0F / 60 * 3.14159265F / 180);
  const auto bins = reference<std::uint32_t>(
      "tpacf", {{{"points", 3}, {"sets", 1}},
                {{"vectors",
                  bytesOf<float>({1, 0, 2, 0, 0, 0, 0, 1, 2 * near, 0, 0, 0, 0, 0, 0, 1, 2, 3})}}});
  BOOST_REQUIRE(bins.size() == 60U);
  BOOST_TEST(bins[5] == 1U);
  BOOST_TEST(bins[18] == 2U);
  BOOST_TEST(bins[20] == 3U);       // z with z, three pairs
  BOOST_TEST(bins[40 + 18] == 9U);  // each observed point with each z
  BOOST_TEST(std::accumulate(bins.begin(), bins.end(), 0U) == 15U);
}

BOOST_AUTO_TEST_CASE(repel_as_known) {
  // Gaussians of exponent 1 at two places 3 apart. All four at one place: pi^(5/2) / 4. Two at each
  // place: the clouds have exponent 2, t = 9. Pairs across: exp(-9 / 2) each, t = 0.
  const ReferenceInput input{{{"shells", 2}, {"primitives", 1}},
                             {{"centres", bytesOf<float>({0, 0, 0, 0, 3, 0})},
                              {"exponents", bytesOf<float>({1, 1})},
                              {"coefficients", bytesOf<float>({1, 2})}}};
  const auto integrals = reference<float>("rpes", input);
  BOOST_REQUIRE(integrals.size() == 6U);
  const double one = std::pow(3.14159265358979, 2.5) / 4;
  const auto isNear = [](double got, double expected) {
    return std::abs(got - expected) < 1e-6 * expected;
  };
  BOOST_TEST(isNear(integrals[0], one));                       // (00|00)
  BOOST_TEST(isNear(integrals[2], 4 * one * std::exp(-9.0)));  // (10|10)
  BOOST_TEST(
      isNear(integrals[3], 4 * one * std::sqrt(3.14159265358979) / 6 * std::erf(3.0)));  // (11|00)
  BOOST_TEST(isNear(integrals[5], 16 * one));                                            // (11|11)
  // Two Gaussians of half the weight each equal one.
  const auto split = reference<float>("rpes", {{{"shells", 1}, {"primitives", 2}},
                                               {{"centres", bytesOf<float>({0, 0, 0})},
                                                {"exponents", bytesOf<float>({1, 1})},
                                                {"coefficients", bytesOf<float>({0.5F, 0.5F})}}});
  BOOST_TEST(isNear(split[0], one));
}

BOOST_AUTO_TEST_CASE(keep_their_tokens) {
  ReferenceInput input{{{"n", 5}, {"trajectories", 2}, {"rounds", 7}, {"seed", 1}},
                       {{"places", bytesOf(std::vector<std::uint32_t>(100, 3))}}};
  const auto places = reference<std::uint32_t>("pns", input);
  const auto half = places.begin() + 50;
  BOOST_TEST(std::accumulate(places.begin(), half, 0U) == 150U);
  BOOST_TEST(std::accumulate(half, places.end(), 0U) == 150U);
  BOOST_TEST(!std::equal(places.begin(), half, half));  // own random numbers per trajectory
  BOOST_TEST(*std::max_element(places.begin(), places.end()) > 3U);
  // Without a token in the odd rows nothing is ready.
  std::vector<std::uint32_t> still(100);
  for (std::size_t i = 0; i < still.size(); ++i) still[i] = i / 5 % 2 == 0 ? 3 : 0;
  input.buffers["places"] = bytesOf(still);
  BOOST_TEST((reference<std::uint32_t>("pns", input) == still));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
