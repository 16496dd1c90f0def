#include <array>
#include <cmath>
#include <complex>

#include <fermata/stimuli/cuda/reference_functions.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::cuda {
namespace {

using Complex = std::complex<double>;
constexpr double kPi = 3.14159265358979323846;

struct Image {
  std::size_t width;
  std::size_t height;
  std::vector<double> pixels;

  explicit Image(const ReferenceInput& input)
      : width(input.parameter("width", 1, 1 << 14)),
        height(input.parameter("height", 1, 1 << 14)),
        pixels(doubles(input, "in", width * height)) {}
};

/// Sets out[i] = sum over j of -8 to 8 of weights[8 - j] in[i + j * step], within a line of
/// `length` elements `step` apart.
void convolveLine(const std::vector<double>& in, std::vector<double>& out, std::size_t first,
                  std::size_t length, std::size_t step, const std::vector<double>& weights) {
  constexpr std::size_t kRadius = 8;
  for (std::size_t i = 0; i < length; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k <= 2 * kRadius; ++k) {  // j = k - 8
      if (i + k < kRadius || i + k >= length + kRadius) continue;
      sum += weights[2 * kRadius - k] * in[first + (i + k - kRadius) * step];
    }
    out[first + i * step] = sum;
  }
}

enum class Direction { Forward, Inverse };

/// Returns element n of the k-th basis vector of the cosine transform: cos((2 n + 1) k pi / 16),
/// scaled to length 1.
double basisElement(std::size_t k, std::size_t n) {
  const double angle = static_cast<double>((2 * n + 1) * k) * kPi / 16;
  return std::cos(angle) * (k == 0 ? std::sqrt(0.125) : 0.5);
}

/// Transforms a line by the definition, with sums of type `Sum`. `basis` gives elements of the
/// basis; `rounded` makes an output of a sum.
template <class Sum, class T, class Basis, class Rounded>
void transformLine(T* line, std::size_t step, Direction direction, Basis basis, Rounded rounded) {
  std::array<Sum, 8> sums{};
  for (std::size_t k = 0; k < 8; ++k) {
    for (std::size_t n = 0; n < 8; ++n) {
      if (direction == Direction::Forward) sums[k] += basis(k, n) * line[n * step];
      if (direction == Direction::Inverse) sums[n] += basis(k, n) * line[k * step];
    }
  }
  for (std::size_t i = 0; i < 8; ++i) line[i * step] = rounded(sums[i]);
}

/// Transforms the rows, then the columns, of every 8x8 block by `transform(line, step)`.
template <class T, class Transform>
void forEachBlock(std::vector<T>& samples, std::size_t width, Transform transform) {
  for (std::size_t y = 0; y + 8 <= samples.size() / width; y += 8) {
    for (std::size_t x = 0; x + 8 <= width; x += 8) {
      T* corner = samples.data() + y * width + x;
      for (std::size_t i = 0; i < 8; ++i) transform(corner + i * width, 1);
      for (std::size_t i = 0; i < 8; ++i) transform(corner + i, width);
    }
  }
}

Bytes cosineTransformBlocks(const ReferenceInput& input, Direction direction) {
  Image image(input);
  forEachBlock(image.pixels, image.width, [&](double* line, std::size_t step) {
    transformLine<double>(line, step, direction, basisElement, [](double sum) { return sum; });
  });
  return floatBytes(image.pixels);
}

/// Transforms with a basis of 16 fraction bits: the sums are exact, and each output is rounded
/// once.
Bytes fixedPointBlocks(const ReferenceInput& input, Direction direction) {
  const std::size_t width = input.parameter("width", 1, 1 << 14);
  const std::size_t height = input.parameter("height", 1, 1 << 14);
  auto samples = input.elements<std::int16_t>("in", width * height);
  const auto basis = [](std::size_t k, std::size_t n) -> std::int64_t {
    return std::llround(65536 * basisElement(k, n));
  };
  const auto rounded = [](std::int64_t sum) {
    return static_cast<std::int16_t>((sum + 0x8000) >> 16);
  };
  forEachBlock(samples, width, [&](std::int16_t* line, std::size_t step) {
    transformLine<std::int64_t>(line, step, direction, basis, rounded);
  });
  return bytesOf(samples);
}

/// Returns exp(-2 pi i numerator / denominator).
Complex root(std::size_t numerator, std::size_t denominator) {
  return std::polar(1.0,
                    -2 * kPi * static_cast<double>(numerator) / static_cast<double>(denominator));
}

/// Returns the spectrum, in natural order, of a power of two of points, from the spectra of the
/// even and of the odd points.
std::vector<Complex> spectrum(const std::vector<Complex>& points) {
  const std::size_t n = points.size();
  if (n == 1) return points;
  std::vector<Complex> even(n / 2);
  std::vector<Complex> odd(n / 2);
  for (std::size_t i = 0; i < n / 2; ++i) {
    even[i] = points[2 * i];
    odd[i] = points[2 * i + 1];
  }
  even = spectrum(even);
  odd = spectrum(odd);
  std::vector<Complex> out(n);
  for (std::size_t k = 0; k < n / 2; ++k) {
    const Complex turned = odd[k] * root(k, n);
    out[k] = even[k] + turned;
    out[k + n / 2] = even[k] - turned;
  }
  return out;
}

std::size_t reverseBits(std::size_t value, std::size_t count) {
  std::size_t reversed = 0;
  for (std::size_t bit = 1; bit < count; bit *= 2) {
    reversed = reversed * 2 + (value & 1U);
    value /= 2;
  }
  return reversed;
}

Complex pointOf(const std::vector<double>& parts, std::size_t index) {
  return {parts[2 * index], parts[2 * index + 1]};
}

void setPoint(std::vector<double>& parts, std::size_t index, Complex value) {
  parts[2 * index] = value.real();
  parts[2 * index + 1] = value.imag();
}

}  // namespace

Bytes convolvedRows(const ReferenceInput& input) {
  const Image image(input);
  const auto weights = doubles(input, "weights", 17);
  std::vector<double> out(image.pixels.size());
  for (std::size_t y = 0; y < image.height; ++y)
    convolveLine(image.pixels, out, y * image.width, image.width, 1, weights);
  return floatBytes(out);
}

Bytes convolvedColumns(const ReferenceInput& input) {
  const Image image(input);
  const auto weights = doubles(input, "weights", 17);
  std::vector<double> out(image.pixels.size());
  for (std::size_t x = 0; x < image.width; ++x)
    convolveLine(image.pixels, out, x, image.height, image.width, weights);
  return floatBytes(out);
}

Bytes cosineTransform(const ReferenceInput& input) {
  return cosineTransformBlocks(input, Direction::Forward);
}
Bytes inverseCosineTransform(const ReferenceInput& input) {
  return cosineTransformBlocks(input, Direction::Inverse);
}

Bytes fixedPointTransform(const ReferenceInput& input) {
  return fixedPointBlocks(input, Direction::Forward);
}
Bytes inverseFixedPointTransform(const ReferenceInput& input) {
  return fixedPointBlocks(input, Direction::Inverse);
}

Bytes haarTransform(const ReferenceInput& input) {
  const std::size_t n = std::size_t{1} << input.parameter("log2n", 0, 20);
  auto data = doubles(input, "in", n * input.parameter("signals"));
  std::vector<double> sums(n / 2);
  for (std::size_t base = 0; base < data.size(); base += n) {
    for (std::size_t length = n; length > 1; length /= 2) {
      std::vector<double> differences(length / 2);
      for (std::size_t i = 0; i < length / 2; ++i) {
        const double a = data[base + 2 * i];
        const double b = data[base + 2 * i + 1];
        sums[i] = (a + b) * std::sqrt(0.5);
        differences[i] = (a - b) * std::sqrt(0.5);
      }
      for (std::size_t i = 0; i < length / 2; ++i) {
        data[base + i] = sums[i];
        data[base + length / 2 + i] = differences[i];
      }
    }
  }
  return floatBytes(data);
}

Bytes fourierRows(const ReferenceInput& input) {
  constexpr std::size_t kLength = 32;
  auto data = doubles(input, "in", 2 * kLength * input.parameter("rows"));
  std::vector<Complex> points(kLength);
  for (std::size_t base = 0; base < data.size() / 2; base += kLength) {
    for (std::size_t i = 0; i < kLength; ++i) points[i] = pointOf(data, base + i);
    const auto values = spectrum(points);
    for (std::size_t k = 0; k < kLength; ++k)
      setPoint(data, base + reverseBits(k, kLength), values[k]);
  }
  return floatBytes(data);
}

Bytes fourierColumns(const ReferenceInput& input) {
  const std::size_t rows = input.parameter("rows", 1, 1 << 10);
  const std::size_t columns = input.parameter("columns");
  if ((rows & (rows - 1)) != 0)
    throw InputError("the reference needs a parameter 'rows' that is a power of two");
  auto data = doubles(input, "in", 2 * rows * columns);
  std::vector<Complex> points(rows);
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t row = 0; row < rows; ++row)
      points[row] = pointOf(data, row * columns + column);
    const auto values = spectrum(points);
    for (std::size_t k = 0; k < rows; ++k) {
      setPoint(data, reverseBits(k, rows) * columns + column,
               values[k] * root(k * column, rows * columns));
    }
  }
  return floatBytes(data);
}

Bytes matrixScan(const ReferenceInput& input) {
  const std::size_t length = 8 * input.parameter("threads", 1, 1 << 20);
  auto data = input.elements<std::uint32_t>("in", length * input.parameter("vectors"));
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (i % length != 0) data[i] += data[i - 1];
  }
  return bytesOf(data);
}

}  // namespace fermata::cuda
