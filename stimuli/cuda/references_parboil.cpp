// After the Parboil suite: a potential, the two sums of MRI reconstruction, motion search, angular
// correlation.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include <fermata/stimuli/cuda/reference_functions.h>

namespace fermata::cuda {
namespace {

constexpr double kPi = 3.14159265358979323846;

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

using Complex = std::complex<double>;

/// Returns the sum over the samples of weight * e^(2 pi i k.place).
Complex fourierSum(const std::vector<Vector>& trajectory, const std::vector<Complex>& weights,
                   const Vector& place) {
  Complex sum;
  for (std::size_t k = 0; k < trajectory.size(); ++k)
    sum += weights[k] * std::polar(1.0, 2 * kPi * dot(trajectory[k], place));
  return sum;
}

std::vector<Complex> qMatrix(const ReferenceInput& input) {
  const std::size_t samples = input.parameter("samples");
  const std::size_t voxels = input.parameter("voxels");
  const auto vectors = [&input](const std::array<const char*, 3>& names, std::size_t count) {
    std::vector<Vector> list(count);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto values = input.elements<float>(names[axis], count);
      for (std::size_t i = 0; i < count; ++i) list[i][axis] = values[i];
    }
    return list;
  };
  const auto phiR = input.elements<float>("phi_r", samples);
  const auto phiI = input.elements<float>("phi_i", samples);
  std::vector<Complex> weights(samples);
  for (std::size_t k = 0; k < samples; ++k)
    weights[k] = double{phiR[k]} * phiR[k] + double{phiI[k]} * phiI[k];
  const auto trajectory = vectors({"kx", "ky", "kz"}, samples);
  std::vector<Complex> sums;
  for (const Vector& place : vectors({"x", "y", "z"}, voxels))
    sums.push_back(fourierSum(trajectory, weights, place));
  return sums;
}

/// A part of a macroblock whose sum is kept, in pixels.
struct Part {
  std::size_t x, y, width, height;
};

/// Returns the parts in the order of a macroblock's sums: 4x4, 8x4, 4x8, 8x8, 16x8, 8x16, 16x16.
std::vector<Part> macroblockParts() {
  constexpr std::array<std::array<std::size_t, 2>, 7> kSizes = {
      {{4, 4}, {8, 4}, {4, 8}, {8, 8}, {16, 8}, {8, 16}, {16, 16}}};
  std::vector<Part> parts;
  for (const auto& [width, height] : kSizes) {
    for (std::size_t y = 0; y < 16; y += height) {
      for (std::size_t x = 0; x < 16; x += width) parts.push_back({x, y, width, height});
    }
  }
  return parts;
}

/// Returns the upper bounds of tpacf's bins except the last, as cosines in single precision: five
/// bins per decade from a minute of arc on.
std::array<float, 19> binBounds() {
  std::array<float, 19> bounds{};
  for (std::size_t bin = 0; bin < bounds.size(); ++bin) {
    const double minutes = std::pow(10.0, static_cast<double>(bin + 1) / 5);
    bounds[bin] = static_cast<float>(std::cos(minutes / 60 * kPi / 180));
  }
  return bounds;
}

using Direction = std::array<float, 3>;

float cosineBetween(const Direction& a, const Direction& b) {
  return std::fma(a[0], b[0], std::fma(a[1], b[1], a[2] * b[2]));
}

}  // namespace

Bytes slicePotential(const ReferenceInput& input) {
  const std::size_t width = input.parameter("width", 1, 1 << 13);
  const std::size_t height = input.parameter("height", 1, 1 << 13);
  const std::size_t atoms = input.parameter("atoms");
  const auto given = input.elements<float>("atoms", 4 * atoms);
  std::vector<double> energy(width * height);
  for (std::size_t a = 0; a < atoms; ++a) {
    // Places in spacings of the grid, in single precision like the kernel's: the distance to a near
    // point depends on it.
    const double x = given[4 * a] * static_cast<float>(width);
    const double y = given[4 * a + 1] * static_cast<float>(height);
    const double z = (given[4 * a + 2] - 0.5F) * static_cast<float>(width);
    const double charge = given[4 * a + 3] - 0.5F;
    for (std::size_t i = 0; i < energy.size(); ++i) {
      const double dx = static_cast<double>(i % width) - x;
      const double dy = static_cast<double>(i / width) - y;
      energy[i] += charge / std::sqrt(dx * dx + dy * dy + z * z);
    }
  }
  return bytesOf(std::vector<float>(energy.begin(), energy.end()));
}

Bytes qMatrixReal(const ReferenceInput& input) {
  std::vector<float> out;
  for (const Complex& q : qMatrix(input)) out.push_back(static_cast<float>(q.real()));
  return bytesOf(out);
}
Bytes qMatrixImaginary(const ReferenceInput& input) {
  std::vector<float> out;
  for (const Complex& q : qMatrix(input)) out.push_back(static_cast<float>(q.imag()));
  return bytesOf(out);
}

Bytes reconstructionVector(const ReferenceInput& input) {
  const std::size_t samples = input.parameter("samples");
  const std::size_t voxels = input.parameter("voxels");
  const auto k = input.elements<float>("trajectory", 3 * samples);
  const auto phi = input.elements<float>("phi", 2 * samples);
  const auto data = input.elements<float>("data", 2 * samples);
  const auto places = input.elements<float>("place", 3 * voxels);
  std::vector<Vector> trajectory(samples);
  std::vector<Complex> weights(samples);
  for (std::size_t i = 0; i < samples; ++i) {
    trajectory[i] = {k[i], k[i + samples], k[i + 2 * samples]};
    const Complex p{phi[i], phi[i + samples]};
    const Complex d{data[i], data[i + samples]};
    weights[i] = std::conj(p) * d;
  }
  std::vector<float> out(2 * voxels);
  for (std::size_t v = 0; v < voxels; ++v) {
    const Complex sum =
        fourierSum(trajectory, weights, {places[v], places[v + voxels], places[v + 2 * voxels]});
    out[v] = static_cast<float>(sum.real());
    out[v + voxels] = static_cast<float>(sum.imag());
  }
  return bytesOf(out);
}

Bytes blockDifferences(const ReferenceInput& input) {
  constexpr std::ptrdiff_t kReach = 16;
  constexpr std::size_t kPadded = 1096;
  const std::size_t width = input.parameter("width", 16, 1 << 12);
  const std::size_t height = input.parameter("height", 16, 1 << 12);
  const std::size_t pitch = width + 5;
  const auto scene = input.elements<std::uint16_t>("scene", pitch * (height + 3));
  const auto before = [&](std::size_t x, std::size_t y, std::ptrdiff_t dx, std::ptrdiff_t dy) {
    const auto inside = [](std::ptrdiff_t at, std::size_t size) {
      return static_cast<std::size_t>(
          std::clamp<std::ptrdiff_t>(at, 0, static_cast<std::ptrdiff_t>(size) - 1));
    };
    return scene[inside(static_cast<std::ptrdiff_t>(y) + dy, height) * pitch +
                 inside(static_cast<std::ptrdiff_t>(x) + dx, width)];
  };
  const auto difference = [&](std::size_t x, std::size_t y, std::ptrdiff_t dx, std::ptrdiff_t dy) {
    return std::abs(scene[(y + 3) * pitch + x + 5] - before(x, y, dx, dy));
  };
  std::vector<std::uint16_t> sums;
  for (std::size_t y0 = 0; y0 < height; y0 += 16) {
    for (std::size_t x0 = 0; x0 < width; x0 += 16) {
      for (const Part& part : macroblockParts()) {
        const std::size_t start = sums.size();
        for (std::ptrdiff_t dy = -kReach; dy <= kReach; ++dy) {
          for (std::ptrdiff_t dx = -kReach; dx <= kReach; ++dx) {
            int sum = 0;
            for (std::size_t i = 0; i < part.width * part.height; ++i)
              sum += difference(x0 + part.x + i % part.width, y0 + part.y + i / part.width, dx, dy);
            sums.push_back(static_cast<std::uint16_t>(sum));
          }
        }
        sums.resize(start + kPadded);
      }
    }
  }
  return bytesOf(sums);
}

Bytes angleHistograms(const ReferenceInput& input) {
  constexpr std::size_t kBins = 20;
  const std::size_t sets = input.parameter("sets", 1, 1000);
  const std::size_t points = input.parameter("points", 1, 1 << 20);
  const std::size_t all = (sets + 1) * points;
  const auto given = input.elements<float>("vectors", 3 * all);
  std::vector<Direction> directions(all);
  for (std::size_t i = 0; i < all; ++i) {
    const Direction v = {given[i], given[i + all], given[i + 2 * all]};
    const float length = std::sqrt(cosineBetween(v, v));
    directions[i] = {v[0] / length, v[1] / length, v[2] / length};
  }
  const auto bounds = binBounds();
  std::vector<std::uint32_t> histograms((2 * sets + 1) * kBins);
  const auto count = [&](std::size_t histogram, std::size_t i, std::size_t j) {
    const float cosine = cosineBetween(directions[i], directions[j]);
    const auto bin = std::count_if(bounds.begin(), bounds.end(),
                                   [cosine](float bound) { return cosine < bound; });
    ++histograms[histogram * kBins + static_cast<std::size_t>(bin)];
  };
  for (std::size_t set = 0; set <= sets; ++set) {
    for (std::size_t i = 0; i < points; ++i) {
      for (std::size_t j = 0; j < i; ++j) count(set, set * points + i, set * points + j);
      for (std::size_t j = 0; set > 0 && j < points; ++j) count(sets + set, set * points + i, j);
    }
  }
  return bytesOf(histograms);
}

}  // namespace fermata::cuda
