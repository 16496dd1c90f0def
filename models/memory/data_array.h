// The data array of a scratchpad, of an L1, or of both where a machine has one for the two: banks
// that deliver a pass per cycle, and the policy that shares the passes among tries. Only tries of
// one array hold each other up.
//
// Example: an H100 serves shared loads and hits of the L1 from one array. A shared load of two
// passes and a hit of three, sent in one cycle, hold its banks for five.
#pragma once

#include <fermata/models/memory/conflict_policy.h>

#include <memory>

namespace fermata {

class DataArray {
 public:
  struct Parameters {
    std::uint32_t banks = 32;    ///< 1 to 4096
    std::uint32_t ports = 1;     ///< rows that a bank delivers per pass, 1 to 4
    std::uint32_t rowWords = 1;  ///< words per row of a bank: 1, 2 or 4
    Chosen<ConflictPolicy> conflictPolicy;
    PolicyValues policyValues;
  };

  explicit DataArray(const Parameters& parameters)
      : parameters_(parameters), policy_(parameters.conflictPolicy.make(parameters.policyValues)) {}

  std::uint32_t banks() const { return parameters_.banks; }
  /// True if a try may leave lanes, which are tried again.
  bool leavesLanes() const { return parameters_.conflictPolicy->needs.leavesLanes; }
  /// Returns a resolver for tries that come in these lane groups.
  ConflictResolver resolver(const LaneGrouping& groups) const {
    return {parameters_.banks, parameters_.ports, groups, parameters_.rowWords};
  }
  /// The policy that serves every try of the array. Precondition of its calls: tries come in the
  /// order of the cycles in which they reach the banks.
  ConflictPolicy& policy() { return *policy_; }

 private:
  Parameters parameters_;
  std::unique_ptr<ConflictPolicy> policy_;
};

}  // namespace fermata
