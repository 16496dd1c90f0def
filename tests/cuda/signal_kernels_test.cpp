// The convolutions, transforms and matrix scans: their results, and the causes of their
// shared-memory conflicts.
#include <complex>

#include <fermata/stimuli/input_error.h>
#include "tests/cuda/reference_values.h"
#include "tests/cuda/shared_accesses.h"
#include "tests/support/test.h"

namespace {

using fermata::InputError;
using namespace fermata::test;
using Complex = std::complex<double>;

BOOST_AUTO_TEST_SUITE(signal_kernels)

// The index arithmetic of each kernel gives the number of accesses of each degree.
BOOST_AUTO_TEST_CASE(conflict_as_their_strides_say) {
  const auto of = [](const std::string& name, const Parameters& parameters) {
    return degrees(sharedAccesses(name, parameters));
  };
  // Rows 160 words apart meet: two warps make 10 stores and, as the pixels of neighbouring results
  // overlap by one, 8 * 16 + 1 reads.
  BOOST_TEST((of("conv1", {{"width", "128"}, {"height", "4"}}) == Degrees{{2, 2 * 139}}));
  // Columns are 80 words apart. 4 warps: a thread's results are 8 apart, its reads span 8 * 8 + 16
  // words.
  BOOST_TEST((of("conv2", {{"width", "16"}, {"height", "64"}}) == Degrees{{8, 4 * 90}}));
  // Two warps: 8 loads, and 8 stores of rows 32 words apart; all other accesses go by columns.
  for (const std::string name : {"dct1", "dct2"}) {
    BOOST_TEST(
        (of(name, {{"width", "32"}, {"height", "16"}}) == Degrees{{1, 2 * 32}, {8, 2 * 16}}));
  }
  // 16 warps make two stores, two loads of pairs (degree 2) and a store. Each step then makes two
  // loads and a store, by 8, 4, 2, 1, 1, 1, 1, 1, 1 warps with strides 2, 4, ... 512. The last sum
  // is loaded once.
  BOOST_TEST((of("dwt", {{"signals", "1"}}) == Degrees{{1, 16 * 3 + 3 + 1},
                                                       {2, 16 * 2 + 3 * (8 + 1)},
                                                       {4, 3 * (4 + 1)},
                                                       {8, 3 * (2 + 1)},
                                                       {16, 3 * (1 + 1)}}));
  // 16 warps: 4 stores of the first step, 4 loads of the result, and 4 steps of 8 accesses. The
  // rows of a warp are 1024 words apart.
  BOOST_TEST((of("fft1", {{"rows", "32"}}) == Degrees{{2, 16 * 8}, {4, 16 * 8 * 4}}));
  // 16 warps: 4 accesses in, 4 out, 5 steps of 8.
  BOOST_TEST((of("fft2", {{"columns", "32"}}) == Degrees{{2, 16 * (8 + 5 * 8)}}));
  // 8 warps and then one: 8 reads up, 8 reads and 8 writes down. Consecutive words: 8 in and 8 out
  // for 8 warps, a sum up and one down for 9 warps, and 32 sums of one thread.
  BOOST_TEST(
      (of("matrixscan", {{"vectors", "1"}}) == Degrees{{1, 8 * 16 + 9 * 2 + 2 * 32}, {8, 9 * 24}}));
}

// Padding changes the degrees; the accesses are those of the case above.
BOOST_AUTO_TEST_CASE(conflict_less_when_padded) {
  const auto of = [](const std::string& name, Parameters parameters) {
    parameters["pad"] = "1";
    return degrees(sharedAccesses(name, parameters));
  };
  // Columns 81 words apart. 16 lanes have y = 0 and 16 have y = 1; the last lane of the first half
  // and the first of the second share a bank.
  BOOST_TEST((of("conv2", {{"width", "16"}, {"height", "64"}}) == Degrees{{2, 4 * 90}}));
  // Rows are 33 words apart, the four 8x8 blocks of a warp 8 words.
  for (const std::string name : {"dct1", "dct2"})
    BOOST_TEST((of(name, {{"width", "32"}, {"height", "16"}}) == Degrees{{1, 2 * 48}}));
  // The first sums now have a gap: degree 2. Steps by 8, 4 and 2 warps with strides 2, 4 and 8 have
  // degree 2. The six steps by one warp have strides of at least 17 words and no conflict.
  BOOST_TEST((of("dwt", {{"signals", "1"}}) ==
              Degrees{{1, 16 * 2 + 3 * 6 + 1}, {2, 16 * 2 + 16 + 3 * (8 + 4 + 2)}}));
  // The two rows of a warp are 33 * 32 words apart; only the copy goes along rows.
  BOOST_TEST((of("fft1", {{"rows", "32"}}) == Degrees{{1, 16 * 4}, {2, 16 * (4 + 8 * 4)}}));
  // The first half of a row of 64 words lies in even banks, the second half in odd ones.
  BOOST_TEST((of("fft2", {{"columns", "32"}}) == Degrees{{1, 16 * (8 + 5 * 8)}}));
  // Rows are 9 words apart. The copies, and the sums, a matrix again, have gaps.
  BOOST_TEST((of("matrixscan", {{"vectors", "1"}}) ==
              Degrees{{1, 9 * 24 + 2 + 2 * 32}, {2, 8 * 16 + 8 * 2}}));
}

// Conflict cycles at the default sizes: accesses of the two cases above, times blocks.
BOOST_AUTO_TEST_CASE(lose_conflicts_to_padding) {
  const auto of = [](const std::string& name, const Parameters& parameters) {
    std::uint64_t cycles = 0;
    for (const auto& [degree, count] : degrees(sharedAccesses(name, parameters)))
      cycles += (degree - 1) * count;
    return cycles;
  };
  const std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> expected = {
      {"conv2", {16U * 360 * 7, 16U * 360}},
      {"dct1", {64U * 32 * 7, 0}},
      {"dct2", {64U * 32 * 7, 0}},
      {"dwt", {32U * (59 + 15 * 3 + 9 * 7 + 6 * 15), 32U * 90}},
      {"fft1", {32U * (128 + 512 * 3), 32U * 576}},
      {"fft2", {16U * 768, 0}},
      {"matrixscan", {32U * 216 * 7, 32U * 144}},
  };
  for (const auto& [name, cycles] : expected) {
    BOOST_TEST(of(name, {}) == cycles.first, name);
    BOOST_TEST(of(name, {{"pad", "1"}}) == cycles.second, name);
  }
}

// Configurations that the paper found for these benchmarks (van den Braak et al., table 5, bitwise
// XOR by Minimum Imbalance) leave no conflict here.
BOOST_AUTO_TEST_CASE(lose_all_conflicts_to_the_published_hashes) {
  const std::map<std::string, BankMasks> published = {
      {"conv1", banks({{{0}, {1}, {2}, {3}, {5}}})},
      {"conv2", banks({{{0}, {4}, {5}, {6}, {7}}})},
      {"dct1", banks({{{3}, {4}, {0, 5}, {1, 6}, {2, 7}}})},
      {"dct2", banks({{{3}, {4}, {0, 5}, {1, 6}, {2, 7}}})},
      {"dwt", banks({{{3, 8}, {2, 7}, {1, 6}, {0, 5}, {4}}})},
      {"fft1", banks({{{1, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 10}}})},
      {"fft2", banks({{{1}, {2}, {3}, {4}, {5}}})},
      {"matrixscan", banks({{{3}, {4}, {0, 5}, {1, 6}, {2, 7}}})},
  };
  for (const auto& [name, masks] : published) {
    const auto accesses = sharedAccesses(name, {});
    BOOST_TEST(degrees(accesses).rbegin()->first > 1U, name);
    BOOST_TEST(degrees(accesses, masks).rbegin()->first == 1U, name);
  }
}

std::vector<float> computed(const char* name,
                            std::map<std::string, std::int64_t, std::less<>> sizes,
                            const std::vector<float>& in, const std::vector<float>& weights = {}) {
  fermata::cuda::ReferenceInput input;
  input.parameters = std::move(sizes);
  input.buffers["in"] = bytesOf(in);
  if (!weights.empty()) input.buffers["weights"] = bytesOf(weights);
  return reference<float>(name, input);
}

void checkClose(const std::vector<float>& got, const std::vector<float>& expected) {
  BOOST_REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    BOOST_TEST(std::abs(got[i] - expected[i]) < 1e-4F,
               "element " << i << ": " << got[i] << ", expected " << expected[i]);
  }
}

/// Returns values without a pattern, equal on every machine.
std::vector<float> values(std::size_t count) {
  std::vector<float> list(count);
  std::uint32_t state = 12345;
  for (float& value : list) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<float>(state >> 16U) / 32768.0F - 1.0F;
  }
  return list;
}

BOOST_AUTO_TEST_CASE(references_convolve_an_impulse_to_the_weights) {
  std::vector<float> weights(17);
  std::iota(weights.begin(), weights.end(), 1.0F);
  std::vector<float> row(40);
  // Weight w lands w - 8 pixels further on; the first four fall off the image.
  row[4] = 1;
  std::vector<float> expected(40);
  std::iota(expected.begin(), expected.begin() + 13, 5.0F);
  checkClose(computed("conv1", {{"width", 40}, {"height", 1}}, row, weights), expected);
  checkClose(computed("conv2", {{"width", 1}, {"height", 40}}, row, weights), expected);
}

BOOST_AUTO_TEST_CASE(references_of_the_cosine_transforms_are_inverse) {
  std::vector<float> flat(64, 1.0F);
  std::vector<float> constantTerm(64);
  constantTerm[0] = 8;  // orthonormal: 64 * (1 / 8)
  checkClose(computed("dct1", {{"width", 8}, {"height", 8}}, flat), constantTerm);
  const auto image = values(std::size_t{24} * 16);
  const auto coefficients = computed("dct1", {{"width", 24}, {"height", 16}}, image);
  checkClose(computed("dct2", {{"width", 24}, {"height", 16}}, coefficients), image);
}

BOOST_AUTO_TEST_CASE(reference_of_the_wavelet_orders_its_differences) {
  // Sums 8 and 0 of the halves, then differences within pairs; each step divides by sqrt 2.
  const float root = std::sqrt(2.0F);
  checkClose(computed("dwt", {{"log2n", 2}, {"signals", 1}}, {5, 3, 1, -1}),
             {4, 4, 2 / root, 2 / root});
}

/// Returns the Fourier transform by its definition, in natural order.
std::vector<Complex> transformOf(const std::vector<float>& parts) {
  const std::size_t n = parts.size() / 2;
  std::vector<Complex> out(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      const double angle =
          -2 * 3.14159265358979 * static_cast<double>(i * k % n) / static_cast<double>(n);
      out[k] += Complex(parts[2 * i], parts[2 * i + 1]) * std::polar(1.0, angle);
    }
  }
  return out;
}

std::size_t reversed(std::size_t value, unsigned bits) {
  std::size_t out = 0;
  for (unsigned b = 0; b < bits; ++b) out |= (value >> b & 1U) << (bits - 1 - b);
  return out;
}

BOOST_AUTO_TEST_CASE(references_of_the_fourier_passes_make_a_spectrum) {
  const auto check = [](const std::vector<float>& got, const std::vector<Complex>& expected,
                        unsigned bits) {
    BOOST_REQUIRE(got.size() == 2 * expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const std::size_t place = 2 * reversed(k, bits);
      BOOST_TEST(std::abs(Complex(got[place], got[place + 1]) - expected[k]) < 1e-3, "k " << k);
    }
  };
  const auto row = values(2 * 32);
  check(computed("fft1", {{"rows", 1}}, row), transformOf(row), 5);
  const auto points = values(2 * 256);
  const auto columns = computed("fft2", {{"rows", 8}, {"columns", 32}}, points);
  check(computed("fft1", {{"rows", 8}}, columns), transformOf(points), 8);
  BOOST_CHECK_THROW(computed("fft2", {{"rows", 12}, {"columns", 1}}, values(24)), InputError);
}

BOOST_AUTO_TEST_CASE(reference_of_the_scan_starts_anew_with_each_vector) {
  const std::vector<std::uint32_t> ones(32, 1);
  const auto scan = reference<std::uint32_t>(
      "matrixscan", {{{"threads", 2}, {"vectors", 2}}, {{"in", bytesOf(ones)}}});
  std::vector<std::uint32_t> expected(32);
  std::iota(expected.begin(), expected.begin() + 16, 1U);
  std::iota(expected.begin() + 16, expected.end(), 1U);
  BOOST_TEST(scan == expected, tt::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
