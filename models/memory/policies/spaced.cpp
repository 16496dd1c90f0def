// Serves every lane, as serialize does, but an access makes its passes with a distance: between
// them the banks serve other warps. So one warp sees that many cycles per pass, and many warps one.
// The next access of a warp waits for the last pass of this one, and other warps pass it by
// (measured on an H200: results/silicon/mixed.csv; single warps on Maxwell, Mei and Chu, IEEE TPDS
// 2017, and on later machines).
//
// The lane groups of a wide access come with a distance of their own. An H100 takes 23 cycles for
// 32 bits and 3 more for each further group: 26 for 64 bits, 32 for 128, and 26 for 128 bits of one
// element, which are two groups.
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

constexpr PolicyParameter kGroupDistance{
    "scratchpad.group_distance",
    2,
    1,
    64,
    "cycles",
    "spaced: from the pass of a lane group to that of the access's next, without conflicts"};

class Spaced final : public ConflictPolicy {
 public:
  explicit Spaced(const PolicyValues& values)
      : cycles_(values.of(kPassCycles)),
        distance_(std::max<Cycle>(values.of(kPassDistance), cycles_)),
        groupDistance_(std::max<Cycle>(values.of(kGroupDistance), cycles_)) {}

  Served serve(WarpAccess& access, ConflictResolver&, Cycle arrival) override {
    if (streams(access)) return holdBanks(banks_, access, arrival, cycles_);
    Cycle& next = nextOf(access.slot);
    holdBanks(banks_, access, arrival, cycles_, next);
    const Cycle start = arrival + access.occupancy - access.passes * cycles_;
    access.occupancy = access.passes * cycles_;  // without the wait for its warp
    next = start + std::max(1U, access.passes) * distance_;
    return {start + lastPass(access) + cycles_, 0};
  }

 private:
  static bool streams(const WarpAccess& access) {
    return access.instruction.copy != WarpInstruction::kNoCopy ||
           (access.issuedInstruction != nullptr && access.issuedInstruction->streams);
  }
  /// Returns the cycles from the first pass to the last.
  Cycle lastPass(const WarpAccess& access) const {
    const unsigned passes = std::max(1U, access.passes);
    const unsigned ofWidth = std::clamp(access.groups, 1U, passes);
    return (ofWidth - 1) * groupDistance_ + (passes - ofWidth) * distance_;
  }
  /// Returns the first cycle for an access of a warp's slot.
  Cycle& nextOf(std::uint32_t slot) {
    if (slot >= next_.size()) next_.resize(slot + 1);
    return next_[slot];
  }

  Cycle cycles_;
  Cycle distance_;
  Cycle groupDistance_;
  Reservation banks_;
  std::vector<Cycle> next_;  ///< by slot
};

}  // namespace

extern const Descriptor<ConflictPolicy> kSpaced{
    "spaced",
    [](const PolicyValues& values) -> std::unique_ptr<ConflictPolicy> {
      return std::make_unique<Spaced>(values);
    },
    {false, false},
    {kPassDistance, kPassCycles, kGroupDistance}};

}  // namespace fermata
