#include <fermata/stimuli/cuda/reference_functions.h>

#include <fermata/models/vocabulary/vector_clones.h>

namespace fermata::cuda {

Bytes walshTransform(const ReferenceInput& input) {
  const std::size_t n = std::size_t{1} << input.parameter("log2n", 1, 20);
  auto data = doubles(input, "in", n * input.parameter("vectors"));
  for (std::size_t base = 0; base < data.size(); base += n) {
    for (std::size_t s = 1; s < n; s *= 2) {
      for (std::size_t i = 0; i < n; ++i) {
        if ((i & s) != 0) continue;
        const double a = data[base + i];
        const double b = data[base + i + s];
        data[base + i] = a + b;
        data[base + i + s] = a - b;
      }
    }
  }
  return floatBytes(data);
}

namespace {

// Adds to a row of the product four rows of `b`, each times its factor: a sum is read and written
// once for four of its terms, which keep their order.
FERMATA_VECTOR_CLONES
void addRows(double* sum, const double* factor, const double* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    double value = sum[i];
    for (std::size_t k = 0; k < 4; ++k) value += factor[k] * b[k * n + i];
    sum[i] = value;
  }
}

}  // namespace

std::vector<double> squareProduct(const std::vector<double>& a, const std::vector<double>& b,
                                  std::size_t n) {
  std::vector<double> c(n * n);
  for (std::size_t row = 0; row < n; ++row) {
    std::size_t k = 0;
    for (; k + 4 <= n; k += 4) addRows(&c[row * n], &a[row * n + k], &b[k * n], n);
    for (; k < n; ++k) {
      for (std::size_t column = 0; column < n; ++column)
        c[row * n + column] += a[row * n + k] * b[k * n + column];
    }
  }
  return c;
}

Bytes matrixProduct(const ReferenceInput& input) {
  const std::size_t n = input.parameter("n", 1, 1 << 14);
  const auto a = doubles(input, "a", n * n);
  const auto b = doubles(input, "b", n * n);
  return floatBytes(squareProduct(a, b, n));
}

Bytes scalarProducts(const ReferenceInput& input) {
  const std::size_t vectors = input.parameter("vectors");
  const std::size_t n = input.parameter("n");
  const auto a = doubles(input, "a", vectors * n);
  const auto b = doubles(input, "b", vectors * n);
  std::vector<double> out(vectors);
  for (std::size_t i = 0; i < a.size(); ++i) out[i / n] += a[i] * b[i];
  return floatBytes(out);
}

}  // namespace fermata::cuda
