// Published costs of a block beside those of our synthesis.
#pragma once

#include <string>
#include <vector>

#include <fermata/platforms/program/cost/mapping_costs.h>

namespace fermata::platforms {

struct ComparedCost {
  std::string subject;    ///< "area of ami 33, of a 32-bit multiplier"
  std::string place;      ///< in the paper
  std::string published;  ///< as printed in the paper
  std::string ours;
  std::string cause;  ///< of the difference
};

/// Returns one row per published figure about one of `texts`: AMI for a modulus, the four
/// configurable hashes for any of them, the arbiters for an arbiter or a crossbar. Throws
/// InputError if the table lacks a block needed for the comparison.
std::vector<ComparedCost> besideThePapers(const CostTable& table,
                                          const std::vector<PricedText>& texts);

}  // namespace fermata::platforms
