// What the mapping of each point costs in gates.
#pragma once

#include <fermata/platforms/program/cost/cost_table.h>
#include <fermata/platforms/program/sweep/sweep_plan.h>

#include <string>
#include <vector>

namespace fermata::platforms {

struct MappingGates {
  std::vector<double> gates;         ///< a point; NaN: not known
  std::vector<std::string> unknown;  ///< mappings and why, each once
};

/// priceOf() the mapping of each run, in the platform's memory.
/// `mappings`, `banks`: of each run.
MappingGates gatesOf(const CostTable& table, const std::vector<SweepRun>& runs,
                     const std::vector<std::string>& mappings, const std::vector<double>& banks);

}  // namespace fermata::platforms
