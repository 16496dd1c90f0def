#include <fermata/models/memory/conflict_policy.h>
#include <fermata/models/timing/reservation.h>

namespace fermata {

namespace {

class Serialize final : public ConflictPolicy {
 public:
  Served serve(WarpAccess& access, ConflictResolver&, Cycle arrival) override {
    const Cycle start = banks_.free(arrival);
    const Cycle end = start + access.passes;
    banks_.take(arrival, start, end);
    // The stages before this one are pipelined: they can take the next access as many cycles after
    // this one as the banks are held for.
    access.occupancy = end - arrival;
    return {std::max(end, start + 1), 0};
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
