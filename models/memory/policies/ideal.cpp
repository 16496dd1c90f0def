#include <fermata/models/memory/conflict_policy.h>
#include <fermata/models/timing/reservation.h>

#include <algorithm>

namespace fermata {

namespace {

/// As if no two lanes ever wanted one bank: the yardstick, not a machine.
class Ideal final : public ConflictPolicy {
 public:
  Served serve(WarpAccess& access, ConflictResolver&, Cycle arrival) override {
    access.passes = access.freePasses;
    const Cycle start = banks_.free(arrival);
    const Cycle end = start + access.passes;
    banks_.take(arrival, start, end);
    access.occupancy = end - arrival;
    return {std::max(end, start + 1), 0};
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
