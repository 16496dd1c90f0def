// Serves every lane: the try holds the banks for all its passes, and the next try waits
// (GPGPU-Sim; van den Braak et al., IEEE TC 2016).
#include <fermata/models/memory/policies/hold_banks.h>

namespace fermata {

namespace {

class Serialize final : public ConflictPolicy {
 public:
  Served serve(WarpAccess& access, ConflictResolver&, Cycle arrival) override {
    return holdBanks(banks_, access, arrival);
  }

 private:
  Reservation banks_;
};

}  // namespace

extern const Descriptor<ConflictPolicy> kSerialize{
    "serialize", makePolicy<ConflictPolicy, Serialize>, {false, true}};

}  // namespace fermata
