// The slope of a picture's amplitude spectrum.
#pragma once

#include <complex>
#include <cstddef>

#include "tests/support/test.h"

namespace fermata::images {

using Complex = std::complex<double>;

inline constexpr std::size_t kSide = 256;

inline void transform(std::vector<Complex>& values) {
  if (values.size() == 1) return;
  std::vector<Complex> even;
  std::vector<Complex> odd;
  for (std::size_t i = 0; i < values.size(); i += 2) {
    even.push_back(values[i]);
    odd.push_back(values[i + 1]);
  }
  transform(even);
  transform(odd);
  const double turn = -2 * std::acos(-1.0) / static_cast<double>(values.size());
  for (std::size_t k = 0; k < odd.size(); ++k) {
    const Complex turned = std::polar(1.0, turn * static_cast<double>(k)) * odd[k];
    values[k] = even[k] + turned;
    values[k + odd.size()] = even[k] - turned;
  }
}

inline std::size_t frequency(std::size_t x, std::size_t y) {
  const auto signedOf = [](std::size_t k) {
    return static_cast<double>(k) - (k < kSide / 2 ? 0 : kSide);
  };
  return static_cast<std::size_t>(std::lround(std::hypot(signedOf(x), signedOf(y))));
}

/// Returns the slope of log amplitude over log frequency, averaged around the centre of the
/// spectrum, for a picture of kSide x kSide pixels and 4 to 100 cycles per picture.
template <class Level>
double slopeOf(const std::vector<Level>& pixels) {
  const auto window = [](std::size_t i) {
    const double s = std::sin(std::acos(-1.0) * static_cast<double>(i) / kSide);
    return s * s;
  };
  const double mean =
      std::accumulate(pixels.begin(), pixels.end(), 0.0) / static_cast<double>(pixels.size());
  std::vector<std::vector<Complex>> rows;
  for (std::size_t y = 0; y < kSide; ++y) {
    std::vector<Complex> row;
    for (std::size_t x = 0; x < kSide; ++x) {
      row.emplace_back((pixels[y * kSide + x] - mean) * window(x) * window(y));
    }
    transform(row);
    rows.push_back(std::move(row));
  }
  std::vector<double> amplitude(2 * kSide);
  std::vector<double> count(2 * kSide);
  for (std::size_t x = 0; x < kSide; ++x) {
    std::vector<Complex> column;
    for (std::size_t y = 0; y < kSide; ++y) column.push_back(rows[y][x]);
    transform(column);
    for (std::size_t y = 0; y < kSide; ++y) {
      amplitude[frequency(x, y)] += std::abs(column[y]);
      ++count[frequency(x, y)];
    }
  }
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (double f = 4; f < 100; f *= 1.1, ++n) {
    const auto at = static_cast<std::size_t>(f);
    const double x = std::log(static_cast<double>(at));
    const double y = std::log(amplitude[at] / count[at]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace fermata::images
