// The benchmarks of Gou and Gaydadjiev, Elastic Pipeline (2011). The cosine transforms, dct1 and
// dct2 on floats and those of 16-bit integers, are near the real transform. All, without padding
// and with the grids of table 4, make as many shared accesses and take as many cycles of 8 banks as
// it says.

#include <fermata/stimuli/launch/catalog.h>
#include "tests/cuda/reference_values.h"
#include "tests/cuda/shared_accesses.h"
#include "tests/support/test.h"

namespace {

using fermata::launch::openLaunch;
using namespace fermata::test;
using Samples = std::vector<std::int16_t>;

BOOST_AUTO_TEST_SUITE(cosine_kernels)

BOOST_AUTO_TEST_CASE(of_floats_are_those_of_the_hash_paper) {
  for (const std::string pad : {"0", "1"}) {
    for (const auto& [name, same] : Parameters{{"dct", "dct1"}, {"idct", "dct2"}}) {
      const auto workload = openLaunch(name, {{"pad", pad}});
      const auto other = openLaunch(same, {{"pad", pad}});
      BOOST_TEST(workload->runFunctionally() == other->runFunctionally());
      BOOST_TEST((workload->contents("out") == other->contents("out")), name);
    }
  }
}

// 32 banks. A warp has 32 columns of 8 rows: words 16 x + 4 y + k of a row, padded 17 x + 4 y + k.
// By columns it has 16 consecutive words of two samples each.
BOOST_AUTO_TEST_CASE(of_integers_conflict_as_their_strides_say) {
  for (const std::string name : {"dctshort", "idctshort"}) {
    const auto of = [&](const std::string& pad) {
      return degrees(sharedAccesses(name, {{"width", "32"}, {"height", "32"}, {"pad", pad}}));
    };
    // Four warps: 8 words in and 8 out, 4 loads and 4 stores of rows, 8 and 8 of columns.
    BOOST_TEST((of("0") == Degrees{{1, 4 * 32}, {4, 4 * 8}}));
    BOOST_TEST((of("1") == Degrees{{1, 4 * 32}, {2, 4 * 8}}));
  }
}

/// Returns samples without a pattern from -amplitude to amplitude, equal on every machine.
Samples samples(std::size_t count, int amplitude) {
  Samples list(count);
  std::uint32_t state = 12345;
  for (std::int16_t& sample : list) {
    state = state * 1664525U + 1013904223U;
    sample = static_cast<std::int16_t>(
        static_cast<int>((state >> 8U) % (2 * static_cast<unsigned>(amplitude) + 1)) - amplitude);
  }
  return list;
}

constexpr std::int64_t kSide = 64;

Samples fixedPoint(const char* name, const Samples& in) {
  return reference<std::int16_t>(name,
                                 {{{"width", kSide}, {"height", kSide}}, {{"in", bytesOf(in)}}});
}

std::vector<float> real(const char* name, const Samples& in) {
  const std::vector<float> values(in.begin(), in.end());
  return reference<float>(name, {{{"width", kSide}, {"height", kSide}}, {{"in", bytesOf(values)}}});
}

template <class T>
double largestDifference(const Samples& a, const std::vector<T>& b) {
  BOOST_REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return largest;
}

/// Returns the largest error of a two-dimensional transform. Each pass rounds by up to 1/2. It also
/// passes on the error e of the pass before: a basis vector gives at most 2 sqrt 2 e. Constants of
/// 16 fraction bits are off by 2^-17, and 8 products enter a sum; the samples are at most the
/// amplitude in the first pass, and 2 sqrt 2 as large in the second.
double boundOf(int amplitude) {
  const double gain = 2 * std::sqrt(2.0);
  const double constants = 8 * amplitude / 131072.0;
  return (0.5 + constants) * gain + 0.5 + constants * gain;
}

BOOST_DATA_TEST_CASE(of_integers_are_near_the_real_ones, bdata::make({1, 128, 700, 2048}),
                     amplitude) {
  const Samples image = samples(kSide * kSide, amplitude);
  const Samples transformed = fixedPoint("dctshort", image);
  BOOST_TEST(largestDifference(transformed, real("dct1", image)) < boundOf(amplitude));
  BOOST_TEST(largestDifference(fixedPoint("idctshort", image), real("dct2", image)) <
             boundOf(amplitude));
  // Forward and back: the roundings of four passes, the earlier ones spread over a block.
  BOOST_TEST(largestDifference(fixedPoint("idctshort", transformed), image) <= 2.0);
}

BOOST_AUTO_TEST_CASE(of_integers_put_a_flat_image_into_one_coefficient) {
  const Samples flat(kSide * kSide, 100);
  const Samples transformed = fixedPoint("dctshort", flat);
  for (std::size_t i = 0; i < transformed.size(); ++i) {
    const bool first = i % 8 == 0 && i / kSide % 8 == 0;
    BOOST_TEST(transformed[i] == (first ? 800 : 0));
  }
  BOOST_TEST((fixedPoint("idctshort", transformed) == flat));
}

BOOST_AUTO_TEST_CASE(of_integers_hold_the_largest_samples) {
  for (const std::int16_t sign : {1, -1}) {
    const Samples flat(kSide * kSide, static_cast<std::int16_t>(2048 * sign));
    BOOST_TEST(std::abs(fixedPoint("dctshort", flat)[0] - 16384 * sign) < boundOf(2048));
    // Samples with the signs of the last basis vector give the largest odd coefficient.
    Samples high(kSide * kSide);
    for (std::size_t i = 0; i < high.size(); ++i) {
      const double angle = static_cast<double>((2 * (i % 8) + 1) * 7) * 3.14159265358979 / 16;
      high[i] = static_cast<std::int16_t>(std::cos(angle) > 0 ? 2048 * sign : -2048 * sign);
    }
    BOOST_TEST(largestDifference(fixedPoint("dctshort", high), real("dct1", high)) < boundOf(2048));
  }
}

BOOST_AUTO_TEST_SUITE_END()

constexpr unsigned kBanks = 8;  ///< banks, and lanes per access

struct Counts {
  std::uint64_t threads = 0;   ///< accesses, each counted once per active lane
  std::uint64_t accesses = 0;  ///< accesses of 8 lanes; one without an active lane does not count
  std::uint64_t cycles = 0;

  double degree() const { return static_cast<double>(cycles) / static_cast<double>(accesses); }
};

Counts countsOf(const std::string& name, const Parameters& parameters) {
  Counts counts;
  visitSharedAccesses(name, parameters, [&](const fermata::WarpInstruction& access) {
    const std::vector<unsigned> passes = passesOf(access, kBanks);
    counts.threads += static_cast<std::uint64_t>(__builtin_popcount(access.active));
    counts.accesses += passes.size();
    counts.cycles += std::accumulate(passes.begin(), passes.end(), 0U);
  });
  return counts;
}

struct Published {
  std::string workload;
  Parameters parameters;
  std::uint64_t threads;
  double degree;
};
std::ostream& operator<<(std::ostream& out, const Published& row) {
  return out << row.workload;
}

const std::vector<Published> kTable4 = {
    {"transpose", {{"n", "256"}}, 131072, 4.50},
    {"dct", {{"width", "512"}, {"height", "512"}}, 1572864, 3.33},
    {"idct", {{"width", "512"}, {"height", "512"}}, 1572864, 3.33},
    {"dctshort", {{"width", "512"}, {"height", "512"}}, 1048576, 2.75},
    {"idctshort", {{"width", "512"}, {"height", "512"}}, 1048576, 2.75},
};

BOOST_AUTO_TEST_SUITE(elastic_kernels)

BOOST_DATA_TEST_CASE(access_shared_memory_as_table_4_says, bdata::make(kTable4), row) {
  const Counts counts = countsOf(row.workload, row.parameters);
  BOOST_TEST(counts.threads == row.threads);
  BOOST_TEST(std::abs(counts.degree() - row.degree) < 0.005);
}

// A sixteenth of the table's 16384 CTAs, all alike: 256. Two more launches of one CTA each add
// their sums.
BOOST_AUTO_TEST_CASE(reduce_as_table_4_says) {
  const Counts counts = countsOf("reduction", {{"n", "65536"}});
  // A CTA makes 256 stores, 255 additions of two loads and a store each, and one load of the sum.
  BOOST_TEST(counts.threads == 258U * (256 + 3 * 255 + 1));
  BOOST_TEST(std::abs(counts.degree() - 3.07) < 0.005);
  BOOST_TEST(counts.threads / 258 * 16384 == 16744448U);
}

BOOST_DATA_TEST_CASE(lose_all_conflicts_to_padding,
                     bdata::make({"dct", "idct", "dctshort", "idctshort", "transpose"}), name) {
  BOOST_TEST(countsOf(name, {{"pad", "1"}}).degree() == 1.0);
}

// Table 4 has degrees 1.54 and 1.53, of more accesses. Here 40 of 94 (aes) or 36 of 95 (aesdec)
// accesses are at random words. 8 random words meet 2.55 times in 8 banks on average.
BOOST_AUTO_TEST_CASE(look_up_at_random) {
  BOOST_TEST(std::abs(countsOf("aes", {{"ctas", "16"}}).degree() - (54 + 40 * 2.545) / 94) < 0.02);
  const Counts inverse = countsOf("aesdec", {{"ctas", "16"}});
  BOOST_TEST(inverse.threads == 16U * 256 * 95);
  BOOST_TEST(inverse.degree() > 1.5);
  BOOST_TEST(inverse.degree() < 1.7);
}

// Table 4 has 193 and 194 accesses per thread. 16 threads of 256 also write the columns.
BOOST_AUTO_TEST_CASE(access_as_often_with_256_bits) {
  const Parameters wide = {{"ctas", "16"}, {"key", "appendix-c3"}};
  BOOST_TEST(countsOf("aes", wide).threads == 16U * (256 * 193 + 16));
  BOOST_TEST(countsOf("aesdec", wide).threads == 16U * (256 * 194 + 16));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
