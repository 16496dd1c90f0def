// References of kernels on tiles of 128-byte rows: products on tensor units, attention, copies.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fermata/stimuli/cuda/reference_functions.h>

#include <fermata/stimuli/ptx/half.h>

namespace fermata::cuda {
namespace {

std::vector<double> halves(const ReferenceInput& input, std::string_view name, std::size_t count) {
  std::vector<double> values;
  for (const std::uint16_t half : input.elements<std::uint16_t>(name, count))
    values.push_back(ptx::fromHalf<ptx::F16Format>(half));
  return values;
}

Bytes halfBytes(const std::vector<double>& values) {
  std::vector<std::uint16_t> halves;
  for (const double value : values) halves.push_back(ptx::toHalf<ptx::F16Format>(value));
  return bytesOf(halves);
}

}  // namespace

Bytes halfProduct(const ReferenceInput& input) {
  const std::size_t n = input.parameter("n", 1, 1 << 14);
  const auto a = halves(input, "a", n * n);
  const auto b = halves(input, "b", n * n);
  return halfBytes(squareProduct(a, b, n));
}

Bytes halfProductOfRows(const ReferenceInput& input) {
  const std::size_t n = input.parameter("n", 1, 1 << 14);
  const auto a = halves(input, "a", n * n);
  const auto b = halves(input, "b", n * n);
  std::vector<double> columns(n * n);
  for (std::size_t i = 0; i < n * n; ++i) columns[i % n * n + i / n] = b[i];
  return halfBytes(squareProduct(a, columns, n));
}

// Thread 32 w + l of a group of four warps has rows 16 w + l / 4 and 8 more, and of each eight
// columns 2 (l mod 4) and the next.
Bytes sumsOfThreads(const ReferenceInput& input) {
  constexpr std::size_t kDepth = 16, kRows = 64, kThreads = 128, kProducts = 8;
  static constexpr std::array<double, 4> kValues{1, 0, 2, 3};
  const std::size_t columns = input.parameter("columns", 8, 256);
  // Halves of row r begin in row r / 8 of core matrices, each of which has 8 rows of 8 halves.
  const auto at = [](std::size_t first, std::size_t r, std::size_t k) {
    const std::size_t i = first + r / 8 * 128 + k / 8 * 64 + r % 8 * 8 + k % 8;
    return kValues[(i * 7 + i / 13) % kValues.size()];
  };
  std::vector<double> sums(input.parameter("groups", 1, 4) * kThreads);
  for (std::size_t t = 0; t < sums.size(); ++t) {
    const std::size_t row = t % kThreads / 32 * 16 + t % 32 / 4, column = t % 4 * 2;
    for (std::size_t e = 0; e < 2 * columns / 8 * 2 * kDepth; ++e) {
      const std::size_t k = e % kDepth, r = row + e / kDepth % 2 * 8;
      const std::size_t c = column + e / kDepth / 2 % 2 + e / kDepth / 4 * 8;
      sums[t] += at(0, r, k) * at(kRows * kDepth, c, k);
    }
    sums[t] *= static_cast<double>(kProducts * input.parameter("rounds", 1, 64));
  }
  return floatBytes(sums);
}

Bytes attendedValues(const ReferenceInput& input) {
  constexpr std::size_t kWidth = 64;
  const std::size_t n = input.parameter("n", 1, 1 << 14);
  const auto q = halves(input, "q", n * kWidth);
  const auto k = halves(input, "k", n * kWidth);
  const auto v = halves(input, "v", n * kWidth);
  std::vector<double> out(n * kWidth);
  std::vector<double> scores(n);
  for (std::size_t query = 0; query < n; ++query) {
    for (std::size_t key = 0; key < n; ++key)
      scores[key] = std::inner_product(&q[query * kWidth], &q[query * kWidth] + kWidth,
                                       &k[key * kWidth], 0.0) /
                    std::sqrt(double{kWidth});
    const double largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (double& score : scores) sum += score = std::exp(score - largest);
    for (std::size_t key = 0; key < n; ++key) {
      for (std::size_t i = 0; i < kWidth; ++i)
        out[query * kWidth + i] += scores[key] / sum * v[key * kWidth + i];
    }
  }
  return halfBytes(out);
}

Bytes transposedHalves(const ReferenceInput& input) {
  const std::size_t n = input.parameter("n", 1, 1 << 14);
  const auto in = input.elements<std::uint16_t>("in", n * n);
  std::vector<std::uint16_t> out(n * n);
  for (std::size_t i = 0; i < in.size(); ++i) out[i % n * n + i / n] = in[i];
  return bytesOf(out);
}

Bytes copiedBlocks(const ReferenceInput& input) {
  const std::size_t words = input.parameter("blocks") * input.parameter("deep") *
                            input.parameter("bytes") / sizeof(std::uint32_t);
  return bytesOf(input.elements<std::uint32_t>("in", words));
}

Bytes blocksOfClusters(const ReferenceInput& input) {
  const std::size_t clusters = input.parameter("clusters"), ctas = input.parameter("ctas");
  const std::size_t words =
      input.parameter("deep") * input.parameter("bytes") / sizeof(std::uint32_t);
  const auto in = input.elements<std::uint32_t>("in", clusters * words);
  std::vector<std::uint32_t> out;
  for (std::size_t cta = 0; cta < clusters * ctas; ++cta) {
    const std::uint32_t* const first = in.data() + cta / ctas * words;
    out.insert(out.end(), first, first + words);
  }
  return bytesOf(out);
}

Bytes matrixTimesVector(const ReferenceInput& input) {
  const std::size_t n = input.parameter("n", 1, 1 << 14);
  const std::size_t m = input.parameter("m", 1, 1 << 14);
  const auto a = input.elements<float>("a", n * m);
  const auto x = input.elements<float>("x", m);
  std::vector<float> y;
  for (std::size_t row = 0; row < n; ++row) {
    const float* first = &a[row * m];
    y.push_back(static_cast<float>(std::inner_product(first, first + m, x.data(), 0.0)));
  }
  return bytesOf(y);
}

}  // namespace fermata::cuda
