// Helpers of the timing tests.
#pragma once

#include "tests/support/checked_simulation.h"
#include "tests/support/scripted_workload.h"

namespace fermata::test {

/// Runs the workload on gtx480 with changes, every socket checked; returns its cycles.
inline Cycle cycles(ScriptedWorkload& workload, const std::vector<std::string>& sets = {}) {
  CheckedSimulation simulation(gtx480(sets));
  return simulation.run(workload).cycles;
}

}  // namespace fermata::test
