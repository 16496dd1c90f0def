// What the configurable hashes cost.
#pragma once

#include <fermata/models/indexing/indexer.h>

namespace fermata::indexing {

/// One cycle. `gates`: of a block for n = 14 and m = 5 with its configuration registers, the one
/// size stated here (results/published/rtl_costs.csv has others); other sizes have no figure.
inline Cost configurableCost(unsigned addressBits, unsigned bankBits, double gates) {
  Cost cost;
  cost.latency = 1;
  cost.source =
      "van den Braak et al., Configurable XOR Hash Functions, IEEE TC 2016, section 4.5: 250 ps of "
      "a "
      "700 ps clock cycle at the least, so one cycle more";
  if (gates >= 0 && addressBits == 14 && bankBits == 5) {
    cost.gates = gates;
    cost.source += "; gates: yosys and abc, with configuration registers";
  }
  return cost;
}

}  // namespace fermata::indexing
