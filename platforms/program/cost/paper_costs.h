// What the papers say of the cost of a block, beside what its synthesis gave.
#pragma once

#include <string>
#include <vector>

#include <fermata/platforms/program/cost/mapping_costs.h>

namespace fermata::platforms {

struct ComparedCost {
  std::string subject;    ///< "area of ami 33, of a 32-bit multiplier"
  std::string place;      ///< in the paper
  std::string published;  ///< as it stands there
  std::string ours;
  std::string cause;  ///< of the difference
};

/// A line a figure that a paper has of one of the texts: AMI of the blocks of a modulus, the four
/// configurable hashes of any of them, the arbiters of an arbiter or a crossbar. Throws InputError
/// when the table lacks a block that is needed to compare.
std::vector<ComparedCost> besideThePapers(const CostTable& table,
                                          const std::vector<PricedText>& texts);

}  // namespace fermata::platforms
