// A kernel of the catalogue with its parameters: a sample of a data test, and a run that is
// checked.
#pragma once

#include <fermata/platforms/program/workloads.h>

#include "tests/support/test.h"

namespace fermata::test {

struct Kernel {
  const char* name;
  platforms::WorkloadParameters parameters;
};
inline std::ostream& operator<<(std::ostream& out, const Kernel& kernel) {
  out << kernel.name;
  for (const auto& [name, value] : kernel.parameters) out << ' ' << name << '=' << value;
  return out;
}

/// Runs the kernel on a simulation with `verify`: its data and its results must be right.
template <class Simulation>
platforms::RunOutcome runVerified(Simulation& simulation, const Kernel& kernel) {
  const auto open = platforms::openWorkload(kernel.name, kernel.parameters);
  const platforms::RunOutcome outcome = simulation.run(*open.workload);
  BOOST_TEST(outcome.compared > 0U);
  if (open.kernel != nullptr) open.kernel->checkResults();
  return outcome;
}

}  // namespace fermata::test
