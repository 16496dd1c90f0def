// Serves every lane, as serialize does, but an access makes its passes with a distance: between
// them the banks serve other warps. So one warp sees that many cycles per pass, and many warps one.
// The next access of a warp waits for the last pass of this one, and so does what stands behind it
// (measured on an H100: mixed streams of conflicting and conflict-free warps; single warps on
// Maxwell, Mei and Chu, IEEE TPDS 2017, and on later machines). Factors of products of a warp group
// and asynchronous copies stream: they make a pass after the other (wgmma reaches its peak, and
// bulk copies 105 of 128 bytes per cycle, on an H100).
#include <fermata/models/memory/conflict_policy.h>
#include <fermata/models/timing/reservation.h>

#include <algorithm>
#include <vector>

namespace fermata {

namespace {

constexpr PolicyParameter kPassDistance{
    "scratchpad.pass_distance",
    2,
    1,
    64,
    "cycles",
    "spaced: from one pass of an access to its next, and to the first of the warp's next access"};

constexpr PolicyParameter kPassCycles{
    "scratchpad.pass_cycles", 1, 1, 64, "cycles", "spaced: in which the banks serve a pass"};

class Spaced final : public ConflictPolicy {
 public:
  Spaced(Cycle distance, Cycle cycles) : distance_(std::max(distance, cycles)), cycles_(cycles) {}

  Served serve(WarpAccess& access, ConflictResolver&, Cycle arrival) override {
    const Cycle length = access.passes * cycles_;
    if (streams(access)) return stream(access, arrival, length);
    const Cycle start = banks_.free(std::max(arrival, nextOf(access.slot)), length);
    const Cycle end = start + length;
    banks_.take(arrival, start, end);
    access.occupancy = end - arrival;
    const Cycle passes = std::max(1U, access.passes);
    nextOf(access.slot) = start + passes * distance_;
    return {start + (passes - 1) * distance_ + cycles_, 0};
  }

 private:
  static bool streams(const WarpAccess& access) {
    return access.instruction.copy != WarpInstruction::kNoCopy ||
           (access.issuedInstruction != nullptr && access.issuedInstruction->streams);
  }
  Served stream(WarpAccess& access, Cycle arrival, Cycle length) {
    const Cycle start = banks_.free(arrival, length);
    banks_.take(arrival, start, start + length);
    access.occupancy = start + length - arrival;
    return {std::max(start + length, start + 1), 0};
  }
  /// Returns the first cycle for an access of a warp's slot.
  Cycle& nextOf(std::uint32_t slot) {
    if (slot >= next_.size()) next_.resize(slot + 1);
    return next_[slot];
  }

  Cycle distance_;
  Cycle cycles_;
  Reservation banks_;
  std::vector<Cycle> next_;  ///< by slot
};

}  // namespace

extern const Descriptor<ConflictPolicy> kSpaced{
    "spaced",
    [](const PolicyValues& values) -> std::unique_ptr<ConflictPolicy> {
      return std::make_unique<Spaced>(values.of(kPassDistance), values.of(kPassCycles));
    },
    {false, false},
    {kPassDistance, kPassCycles}};

}  // namespace fermata
