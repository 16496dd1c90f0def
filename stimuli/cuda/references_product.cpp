#include <fermata/stimuli/cuda/reference_functions.h>

namespace fermata::cuda {
namespace {

constexpr std::size_t kUnits = 16;  // hidden units of the layer
constexpr std::size_t kPitch = kUnits + 1;

}  // namespace

Bytes layerSums(const ReferenceInput& input) {
  const std::size_t n = input.parameter("n");
  const auto inputs = doubles(input, "inputs", n + 1);
  const auto weights = doubles(input, "products", (n + 1) * kPitch);
  std::vector<double> sums((n + kUnits - 1) / kUnits * kUnits);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t unit = 0; unit < kUnits; ++unit)
      sums[row / kUnits * kUnits + unit] +=
          inputs[row + 1] * weights[(row + 1) * kPitch + unit + 1];
  }
  return floatBytes(sums);
}

Bytes adjustedWeights(const ReferenceInput& input) {
  constexpr double kRate = 0.3;  // kRate and the next as in backprop.toml
  constexpr double kMomentum = 0.3;
  const std::size_t n = input.parameter("n");
  const auto inputs = doubles(input, "inputs", n + 1);
  const auto deltas = doubles(input, "deltas", kPitch);
  const auto steps = doubles(input, "steps", (n + 1) * kPitch);
  auto weights = doubles(input, "weights", (n + 1) * kPitch);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (i % kPitch == 0) continue;  // the bias of an input: no thread has it
    const double value = i < kPitch ? 1.0 : inputs[i / kPitch];
    weights[i] += kRate * deltas[i % kPitch] * value + kMomentum * steps[i];
  }
  return floatBytes(weights);
}

Bytes scaledProduct(const ReferenceInput& input) {
  constexpr double kAlpha = 1.0;  // kAlpha and the next as in sgemm.toml
  constexpr double kBeta = 0.5;
  const std::size_t m = input.parameter("m", 1, 1 << 14);
  const std::size_t n = input.parameter("n", 1, 1 << 14);
  const std::size_t depth = input.parameter("k", 1, 1 << 14);
  const auto a = doubles(input, "a", m * depth);
  const auto b = doubles(input, "b", n * depth);
  auto c = doubles(input, "c", m * n);
  for (double& value : c) value *= kBeta;
  for (std::size_t k = 0; k < depth; ++k) {
    for (std::size_t column = 0; column < n; ++column) {
      const double factor = kAlpha * b[k * n + column];
      for (std::size_t row = 0; row < m; ++row) c[column * m + row] += a[k * m + row] * factor;
    }
  }
  return floatBytes(c);
}

}  // namespace fermata::cuda
