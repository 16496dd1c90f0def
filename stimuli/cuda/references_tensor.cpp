// Kernels on tensor units: products of half precision.
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
  std::vector<double> c(n * n);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = a[row * n + k];
      for (std::size_t column = 0; column < n; ++column)
        c[row * n + column] += factor * b[k * n + column];
    }
  }
  return halfBytes(c);
}

}  // namespace fermata::cuda
