// A kernel of the catalogue with its parameters: a sample of a data test, and a run that is
// checked.
#pragma once

#include <fermata/platforms/program/workloads.h>

#include "tests/support/test.h"

namespace fermata::test {

struct Kernel {
  /// Takes the name, and parameters "name=value" behind it.
  Kernel(const char* words) : text(words) {  // not explicit: a table of kernels is a list of texts
    std::istringstream rest(text);
    rest >> name;
    for (std::string one; rest >> one;) {
      const std::size_t equals = one.find('=');
      parameters.emplace(one.substr(0, equals), one.substr(equals + 1));
    }
  }
  platforms::OpenWorkload open() const { return platforms::openWorkload(name, parameters); }
  friend std::ostream& operator<<(std::ostream& out, const Kernel& kernel) {
    return out << kernel.text;
  }

  std::string text;
  std::string name;
  platforms::WorkloadParameters parameters;
};

/// Runs the kernel on a simulation with `verify`: its data and its results must be right.
template <class Simulation>
platforms::RunOutcome runVerified(Simulation& simulation, const Kernel& kernel) {
  const auto open = kernel.open();
  const platforms::RunOutcome outcome = simulation.run(*open.workload);
  BOOST_TEST(outcome.compared > 0U);
  if (open.kernel != nullptr) open.kernel->checkResults();
  return outcome;
}

}  // namespace fermata::test
