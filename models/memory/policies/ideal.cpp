#include <fermata/models/memory/policies/hold_banks.h>

#include <algorithm>
#include <cstdint>

namespace fermata {

namespace {

/// Serves a try as if no two words ever met in a bank: a yardstick, not a machine.
class Ideal final : public ConflictPolicy {
 public:
  Served serve(WarpAccess& access, ConflictResolver&, Cycle arrival) override {
    access.passes = access.freePasses;
    for (unsigned g = 0; g < access.groups; ++g) {
      access.groupPasses[g] = std::min<std::uint8_t>(access.groupPasses[g], 1);
    }
    return holdBanks(banks_, access, arrival);
  }
  bool leavesLanes() const override { return false; }

 private:
  Reservation banks_;
};

}  // namespace

std::unique_ptr<ConflictPolicy> makeIdeal() {
  return std::make_unique<Ideal>();
}

}  // namespace fermata
