// Platforms with blocks; a test compares two of them.
#pragma once

#include <fermata/platforms/program/workloads.h>

#include "tests/support/checked_simulation.h"

namespace fermata::rtl::test {

struct Kernel {
  const char* name;
  platforms::WorkloadParameters parameters;
};
inline std::ostream& operator<<(std::ostream& out, const Kernel& kernel) {
  out << kernel.name;
  for (const auto& [name, value] : kernel.parameters) out << ' ' << name << '=' << value;
  return out;
}

/// A gtx480 with changed settings; its modules are named below the platform's name.
struct Platform : sc_core::sc_module {
  platforms::Simulation simulation;

  Platform(const sc_core::sc_module_name& name, const std::vector<std::string>& sets,
           platforms::Connector& connector)
      : sc_module(name), simulation(fermata::test::gtx480(sets), connector) {}
  /// Runs the kernel and checks its results.
  platforms::RunOutcome run(const Kernel& kernel) {
    platforms::OpenWorkload open = platforms::openWorkload(kernel.name, kernel.parameters);
    const platforms::RunOutcome outcome = simulation.run(*open.workload);
    open.kernel->checkResults();
    return outcome;
  }
};

}  // namespace fermata::rtl::test
