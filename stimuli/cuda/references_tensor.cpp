// References of kernels on tiles of 128-byte rows: products on tensor units, attention, copies.
#include <algorithm>
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
