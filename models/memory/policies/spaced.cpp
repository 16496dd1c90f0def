// Serves every lane, as serialize does, but an access makes its passes with a distance: between
// them the banks serve other warps. So one warp sees that many cycles per pass, and many warps one.
// The next access of a warp waits for the last pass of this one, and so does what stands behind it
// (measured on an H100: mixed streams of conflicting and conflict-free warps; single warps on
// Maxwell, Mei and Chu, IEEE TPDS 2017, and on later machines).
//
// Asynchronous copies, and a tensor unit that reads its factors, make their passes one right behind
// the other (on an H100 wgmma reaches its peak, and bulk copies 105 of 128 bytes per cycle).
#include <fermata/models/memory/policies/hold_banks.h>

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
    if (streams(access)) return holdBanks(banks_, access, arrival, cycles_);
    Cycle& next = nextOf(access.slot);
    holdBanks(banks_, access, arrival, cycles_, next);
    const Cycle start = arrival + access.occupancy - access.passes * cycles_;
    const Cycle passes = std::max(1U, access.passes);
    next = start + passes * distance_;
    return {start + (passes - 1) * distance_ + cycles_, 0};
  }

 private:
  static bool streams(const WarpAccess& access) {
    return access.instruction.copy != WarpInstruction::kNoCopy ||
           (access.issuedInstruction != nullptr && access.issuedInstruction->streams);
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
