// After the Parboil suite: integrals over Gaussian shells, and Petri nets.
#include <array>
#include <cmath>
#include <random>
#include <set>

#include <fermata/stimuli/cuda/reference_functions.h>

namespace fermata::cuda {
namespace {

constexpr double kPi = 3.14159265358979323846;

using Place = std::array<double, 3>;

struct Gaussian {
  double exponent, coefficient;
  Place centre;
};

double distance2(const Place& a, const Place& b) {
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
  return sum;
}

Gaussian product(const Gaussian& a, const Gaussian& b) {
  Gaussian p{a.exponent + b.exponent, a.coefficient * b.coefficient, {}};
  p.coefficient *= std::exp(-a.exponent * b.exponent / p.exponent * distance2(a.centre, b.centre));
  for (std::size_t axis = 0; axis < 3; ++axis)
    p.centre[axis] = (a.exponent * a.centre[axis] + b.exponent * b.centre[axis]) / p.exponent;
  return p;
}

/// Returns the Coulomb repulsion of two spherical charge clouds (Boys 1950).
double repulsion(const Gaussian& p, const Gaussian& q) {
  const double sum = p.exponent + q.exponent;
  const double t = p.exponent * q.exponent / sum * distance2(p.centre, q.centre);
  const double boys = t < 1e-12 ? 1 : std::sqrt(kPi / t) / 2 * std::erf(std::sqrt(t));
  return p.coefficient * q.coefficient * 2 * std::pow(kPi, 2.5) /
         (p.exponent * q.exponent * std::sqrt(sum)) * boys;
}

/// The Gaussians that make up the product of two shells.
using Cloud = std::vector<Gaussian>;

/// A transition of the Petri net: the places that it takes a token from and gives one to.
struct Transition {
  std::size_t row;
  std::array<std::size_t, 2> from, to;
};

std::vector<Transition> torus(std::size_t n) {
  const std::size_t rows = 2 * n;
  std::vector<Transition> net;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      const auto at = [&](std::size_t down, std::size_t right) {
        return (row + down) % rows * n + (column + right) % n;
      };
      net.push_back({row, {at(0, 0), at(rows - 1, row % 2)}, {at(0, 1), at(1, row % 2)}});
    }
  }
  return net;
}

/// Takes a step. A chosen transition fires if it has its tokens and, in rows whose parity differs
/// from the step's, shares no place with another such transition.
void fire(const std::vector<Transition>& net, const std::set<std::size_t>& chosen, std::size_t step,
          std::vector<std::uint32_t>& places) {
  std::vector<unsigned> wanted(places.size());
  std::vector<const Transition*> ready;
  for (const std::size_t index : chosen) {
    const Transition& transition = net[index];
    if (places[transition.from[0]] == 0 || places[transition.from[1]] == 0) continue;
    ready.push_back(&transition);
    for (const std::size_t place : transition.from) ++wanted[place];
  }
  for (const Transition* transition : ready) {
    const bool isAlone = wanted[transition->from[0]] == 1 && wanted[transition->from[1]] == 1;
    if (transition->row % 2 != step % 2 && !isAlone) continue;
    for (const std::size_t place : transition->from) --places[place];
    for (const std::size_t place : transition->to) ++places[place];
  }
}

}  // namespace

Bytes repulsionIntegrals(const ReferenceInput& input) {
  const std::size_t shells = input.parameter("shells", 1, 1000);
  const std::size_t primitives = input.parameter("primitives", 1, 64);
  const auto centres = input.elements<float>("centres", 3 * shells);
  const auto exponents = input.elements<float>("exponents", shells * primitives);
  const auto coefficients = input.elements<float>("coefficients", shells * primitives);
  const auto gaussian = [&](std::size_t shell, std::size_t k) {
    const std::size_t i = shell * primitives + k;
    return Gaussian{exponents[i],
                    coefficients[i],
                    {centres[3 * shell], centres[3 * shell + 1], centres[3 * shell + 2]}};
  };
  std::vector<Cloud> clouds;
  for (std::size_t a = 0; a < shells; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      Cloud cloud;
      for (std::size_t k = 0; k < primitives * primitives; ++k)
        cloud.push_back(product(gaussian(a, k / primitives), gaussian(b, k % primitives)));
      clouds.push_back(std::move(cloud));
    }
  }
  std::vector<float> integrals;
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (const Gaussian& p : clouds[i]) {
        for (const Gaussian& q : clouds[j]) sum += repulsion(p, q);
      }
      integrals.push_back(static_cast<float>(sum));
    }
  }
  return bytesOf(integrals);
}

Bytes petriNets(const ReferenceInput& input) {
  const std::size_t n = input.parameter("n", 2, 1 << 12);
  const std::size_t trajectories = input.parameter("trajectories", 1, 1 << 16);
  const std::size_t rounds = input.parameter("rounds");
  const std::size_t seed = input.parameter("seed", 0, 1'000'000'000);
  const std::vector<Transition> net = torus(n);
  const auto given = input.elements<std::uint32_t>("places", trajectories * net.size());
  std::vector<std::uint32_t> out;
  for (std::size_t k = 0; k < trajectories; ++k) {
    std::mt19937 numbers(static_cast<std::uint32_t>(seed + k));
    const auto first = given.begin() + static_cast<std::ptrdiff_t>(k * net.size());
    std::vector<std::uint32_t> places(first, first + static_cast<std::ptrdiff_t>(net.size()));
    for (std::size_t step = 1; step <= 3 * rounds; ++step) {
      std::set<std::size_t> chosen;
      for (int i = 0; i < (step % 3 == 0 ? 112 : 256); ++i) {
        const std::size_t number = numbers();
        chosen.insert(number % (2 * n) * n + number / (2 * n) % n);
      }
      fire(net, chosen, step, places);
    }
    out.insert(out.end(), places.begin(), places.end());
  }
  return bytesOf(out);
}

}  // namespace fermata::cuda
