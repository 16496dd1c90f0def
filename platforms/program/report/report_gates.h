// Gate cost of the mapping of each point.
#pragma once

#include <fermata/platforms/program/cost/cost_table.h>
#include <fermata/platforms/program/sweep/sweep_plan.h>

#include <string>
#include <vector>

namespace fermata::platforms {

struct MappingGates {
  std::vector<double> gates;         ///< per point; NaN: unknown
  std::vector<std::string> unknown;  ///< mappings without a price and the reason, each once
};

/// Returns priceOf() the mapping of each run, in the platform's memory. `mappings` and `banks` have
/// one value per run.
MappingGates gatesOf(const CostTable& table, const std::vector<SweepRun>& runs,
                     const std::vector<std::string>& mappings, const std::vector<double>& banks);

}  // namespace fermata::platforms
