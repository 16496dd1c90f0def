// Runs a simulation in a process of its own: SystemC allows one elaboration per process, and a test
// that compares two platforms needs two.
#pragma once

#include <fermata/platforms/compose/run_tables.h>
#include <fermata/platforms/compose/simulation.h>
#include <fermata/results/writers.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <functional>

#include "tests/support/kernel.h"

namespace fermata::test {

/// Runs `kernel` on the simulation that `build` makes, and writes its tables to `folder`. The
/// tables do not name the platform's file, so that two platforms can be compared.
inline void runApart(const std::function<std::unique_ptr<platforms::Simulation>()>& build,
                     const Kernel& kernel, const std::filesystem::path& folder) {
  const pid_t child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    int status = 1;
    try {
      const auto simulation = build();
      const auto open = platforms::openWorkload(kernel.name, kernel.parameters);
      const platforms::RunOutcome outcome = simulation->run(*open.workload);
      const platforms::RunTables tables;
      results::ResultWriter writer(folder.string(), tables.schema());
      writer.add(tables.record({kernel.name}, *open.workload, outcome));
      writer.commit();
      status = 0;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    _exit(status);
  }
  int status = 0;
  BOOST_REQUIRE(waitpid(child, &status, 0) == child);
  BOOST_REQUIRE(status == 0);
}

}  // namespace fermata::test
