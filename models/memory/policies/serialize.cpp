#include <fermata/models/memory/policies/hold_banks.h>

namespace fermata {

namespace {

class Serialize final : public ConflictPolicy {
 public:
  Served serve(WarpAccess& access, ConflictResolver&, Cycle arrival) override {
    return holdBanks(banks_, access, arrival);
  }
  bool leavesLanes() const override { return false; }

 private:
  Reservation banks_;
};

}  // namespace

std::unique_ptr<ConflictPolicy> makeSerialize() {
  return std::make_unique<Serialize>();
}

}  // namespace fermata
