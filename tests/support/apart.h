// Runs a simulation in a process of its own: SystemC allows one elaboration per process, and a test
// that compares two platforms needs two.
#pragma once

#include <fermata/platforms/compose/run_tables.h>
#include <fermata/platforms/compose/simulation.h>
#include <fermata/results/writers.h>

#include "tests/support/children.h"
#include "tests/support/kernel.h"

namespace fermata::test {

/// Runs `kernel` on the simulation that `build` makes, and writes its tables to `folder`. The
/// tables do not name the platform's file, so that two platforms can be compared.
inline void runApart(const std::function<std::unique_ptr<platforms::Simulation>()>& build,
                     const Kernel& kernel, const fs::path& folder) {
  const int status = inChild([&] {
    try {
      const auto simulation = build();
      const auto open = kernel.open();
      const platforms::RunOutcome outcome = simulation->run(*open.workload);
      const platforms::RunTables tables;
      results::ResultWriter writer(folder.string(), tables.schema());
      writer.add(tables.record({kernel.name}, *open.workload, outcome));
      writer.commit();
      return 0;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
  });
  BOOST_REQUIRE(status == 0);
}

}  // namespace fermata::test
