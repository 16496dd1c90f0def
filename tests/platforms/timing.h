// Helpers of the timing tests.
#pragma once

#include <string>
#include <vector>

#include "tests/support/checked_simulation.h"
#include "tests/support/scripted_workload.h"

namespace fermata::test {

/// Returns the byte address of a lane in a strided access to words.
inline std::uint64_t strided(unsigned lane, unsigned stride) {
  return std::uint64_t{4} * lane * stride;
}

/// Runs the workload on gtx480 with changes, every socket checked; returns its cycles.
inline Cycle cycles(ScriptedWorkload& workload, const std::vector<std::string>& sets = {}) {
  CheckedSimulation simulation(gtx480(sets));
  return simulation.run(workload).cycles;
}

}  // namespace fermata::test
