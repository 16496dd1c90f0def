// Serves every lane in the ideal passes: no real machine, but a bound for one without conflicts.
#include <fermata/models/memory/policies/hold_banks.h>

#include <algorithm>
#include <cstdint>

namespace fermata {

namespace {

class Ideal final : public ConflictPolicy {
 public:
  Served serve(WarpAccess& access, ConflictResolver&, Cycle arrival) override {
    access.passes = access.freePasses;
    for (unsigned g = 0; g < access.groups; ++g)
      access.groupPasses[g] = std::min<std::uint8_t>(access.groupPasses[g], 1);
    return holdBanks(banks_, access, arrival);
  }

 private:
  Reservation banks_;
};

}  // namespace

extern const Descriptor<ConflictPolicy> kIdeal{"ideal", makePolicy<ConflictPolicy, Ideal>, {}};

}  // namespace fermata
