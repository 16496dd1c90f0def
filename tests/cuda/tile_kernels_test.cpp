// Kernels on shared tiles. Back propagation, srad, hotspot and sgemm never conflict on 32 banks,
// the BC1 encoder does on 16, and the histograms by lanes do on any number.

#include "tests/cuda/reference_values.h"
#include "tests/cuda/shared_accesses.h"
#include "tests/support/test.h"

namespace {

using namespace fermata::test;

/// Counts conflict cycles on 16 banks by modulo; each half warp is a lane group.
std::uint64_t halfWarpConflicts(const std::string& name, const Parameters& parameters) {
  std::uint64_t conflicts = 0;
  visitSharedAccesses(name, parameters, [&](const fermata::WarpInstruction& access) {
    for (const unsigned passes : passesOf(access, 16)) conflicts += passes - 1;
  });
  return conflicts;
}

BOOST_AUTO_TEST_SUITE(tile_kernels)

BOOST_AUTO_TEST_CASE(never_conflict_on_32_banks) {
  const std::vector<Run> runs = {
      {"backprop", {{"n", "64"}}},
      {"srad", {{"n", "48"}, {"iterations", "1"}}},
      {"hotspot", {{"n", "30"}, {"steps", "5"}, {"pyramid", "3"}}},
      {"sgemm", {{"m", "128"}, {"n", "32"}, {"k", "16"}}},
      {"scalarprod", {{"vectors", "1"}}},
      {"dxtc", {{"blocks", "6"}}},
  };
  for (const Run& run : runs) {
    const auto counts = degrees(sharedAccesses(run.workload, run.parameters));
    BOOST_TEST_CONTEXT(run) {
      BOOST_TEST(counts.at(1) > 100U);
      BOOST_TEST(counts.size() == 1U);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_encoder_conflicts_on_16_banks) {
  // 16 lanes, a half warp, store the six products of their pixel at a stride of 6 words: each of
  // the 6 stores uses 8 banks twice. Nothing else conflicts.
  BOOST_TEST(halfWarpConflicts("dxtc", {{"blocks", "3"}}) == 3U * 6);
  BOOST_TEST(halfWarpConflicts("sgemm", {{"m", "128"}, {"n", "16"}, {"k", "8"}}) == 0U);
}

BOOST_AUTO_TEST_CASE(histograms_by_lanes_meet_where_pixels_are_equal) {
  // Lane l counts in words 64 l to 64 l + 63 (256 l on for hist256). Pixels of equal bins share a
  // bank unless each histogram is padded by a word. All accesses but the updates are linear. A
  // picture of one shade has only equal bins, one with contrast has both.
  for (const auto& [name, linear] :
       std::map<std::string, unsigned>{{"hist64", 2 * 64}, {"hist256", 2 * 256}}) {
    const auto of = [&name = name](const char* pad, const char* contrast) {
      return degrees(sharedAccesses(
          name, {{"n", "65536"}, {"blocks", "2"}, {"pad", pad}, {"contrast", contrast}}));
    };
    const auto plain = of("0", "48");
    const auto padded = of("1", "48");
    const auto conflicts = [](const std::map<unsigned, std::uint64_t>& counts) {
      std::uint64_t sum = 0;
      for (const auto& [degree, count] : counts) sum += (degree - 1) * count;
      return sum;
    };
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(plain.at(1) == 2U * linear);
      BOOST_TEST(conflicts(plain) > conflicts(padded));
      BOOST_TEST(conflicts(padded) > 0U);
      BOOST_TEST(of("0", "0").at(32) == 65536U / 32);
      BOOST_TEST(of("0", "0").size() == 2U);
      BOOST_TEST(of("1", "0").rbegin()->first == 1U);
    }
  }
}

BOOST_AUTO_TEST_CASE(pictures_differ) {
  const auto first = sharedAccesses("hist64", {{"n", "4096"}, {"blocks", "1"}});
  const auto second = sharedAccesses("hist64", {{"n", "4096"}, {"blocks", "1"}, {"picture", "1"}});
  BOOST_TEST((first != second));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(tile_references)

BOOST_AUTO_TEST_CASE(give_known_answers) {
  constexpr std::size_t kPitch = 17;  // 16 units behind a bias, in all rows; row 0 is the bias
  std::vector<float> inputs(17), weights(17 * kPitch), deltas(kPitch), steps(17 * kPitch);
  inputs[1] = 1;
  inputs[2] = 2;
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i % kPitch);
  const ReferenceInput layer{{{"n", 16}},
                             {{"inputs", bytesOf(inputs)}, {"products", bytesOf(weights)}}};
  const auto sums = reference<float>("backprop_partial", layer);
  for (std::size_t unit = 0; unit < 16; ++unit)
    BOOST_TEST(sums[unit] == 3 * static_cast<float>(unit + 1));

  deltas[3] = 10;
  deltas[0] = 1000;
  steps[2 * kPitch + 3] = 20;
  const auto adjusted = reference<float>("backprop_weights", {{{"n", 16}},
                                                              {{"inputs", bytesOf(inputs)},
                                                               {"weights", bytesOf(weights)},
                                                               {"deltas", bytesOf(deltas)},
                                                               {"steps", bytesOf(steps)}}});
  BOOST_TEST(adjusted[3] == 3.0F + 3.0F);                      // the bias: rate 0.3 * 10
  BOOST_TEST(adjusted[kPitch + 3] == 3.0F + 3.0F);             // 0.3 * 10 * 1
  BOOST_TEST(adjusted[2 * kPitch + 3] == 3.0F + 6.0F + 6.0F);  // 0.3 * 10 * 2 + 0.3 * 20
  BOOST_TEST(adjusted[kPitch + 4] == 4.0F);
  BOOST_TEST(adjusted[kPitch] == 0.0F);

  const auto product = reference<float>("sgemm", {{{"m", 2}, {"n", 1}, {"k", 1}},
                                                  {{"a", bytesOf<float>({1, 2})},
                                                   {"b", bytesOf<float>({3})},
                                                   {"c", bytesOf<float>({10, 20})}}});
  BOOST_TEST(product[0] == 8.0F);
  BOOST_TEST(product[1] == 16.0F);

  // A cell at the ambient temperature with power 1 warms by 0.5, then loses heat to the ambient.
  const auto cell = reference<float>(
      "hotspot", {{{"n", 1}, {"steps", 2}, {"pyramid", 1}},
                  {{"power", bytesOf<float>({1})}, {"temperatures", bytesOf<float>({80, 0})}}});
  BOOST_TEST(cell[1] == 80.5F);
  BOOST_TEST(cell[0] == 80.9975F);
}

BOOST_AUTO_TEST_CASE(diffusion_keeps_the_sum_and_smooths) {
  // Diffusion keeps the sum: a pixel gains what its neighbour gives.
  std::vector<float> picture(16 * 16);
  for (std::size_t i = 0; i < picture.size(); ++i)
    picture[i] = 1.0F + static_cast<float>(i * 7919 % 31) / 100;
  const auto out =
      reference<float>("srad", {{{"n", 16}, {"iterations", 5}}, {{"picture", bytesOf(picture)}}});
  const auto sum = [](const std::vector<float>& values, auto term) {
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [&](double total, float value) { return total + term(value); });
  };
  const auto same = [](double value) { return value; };
  const auto square = [](double value) { return value * value; };
  BOOST_TEST(std::abs(sum(out, same) - sum(picture, same)) < 1e-3);
  BOOST_TEST(sum(out, square) < sum(picture, square) - 0.1);
  const std::vector<float> flat(16 * 16, 2.5F);
  const auto still =
      reference<float>("srad", {{{"n", 16}, {"iterations", 2}}, {{"picture", bytesOf(flat)}}});
  BOOST_TEST(still == flat, tt::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
