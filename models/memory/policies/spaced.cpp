// Serves every lane, as serialize does, but an access makes its passes with a distance: between
// them the banks serve other warps. So one warp sees that many cycles per pass, and many warps one.
// The next access of a warp waits for the last pass of this one, and other warps pass it by
// (measured on an H200: results/silicon/mixed.csv; single warps on Maxwell, Mei and Chu, IEEE TPDS
// 2017, and on later machines).
//
// The lane groups of a wide access come with a distance of their own, and a group without lanes
// delays the access by what that distance exceeds the passes' one. An H100 takes
//
//   23, 26, 32 cycles   for 32, 64, 128 bits: 3 cycles for each further group
//   26                  for 128 bits of one element, which pack to two groups
//   30, 28, 26          for 128 bits of 24, 16, 8 lanes: 1 cycle for each group without lanes
//   23, 25, 29          for one, two, four matrices (ldmatrix): passes alone count, 2 cycles each
//
// An atomic does not gain by groups without lanes: rounds of 64-bit swaps by one lane take as long
// as if every pass served lanes (results/silicon/atomics.csv, within 6 %).
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
    next = start + std::max(1U, servedPasses(access)) * distance_;
    return {start + lastPass(access) + cycles_, 0, start, start + access.occupancy};
  }

 private:
  static bool streams(const WarpAccess& access) {
    return access.instruction.copy != WarpInstruction::kNoCopy ||
           (access.issuedInstruction != nullptr && access.issuedInstruction->streams);
  }
  static bool isAtomic(const WarpAccess& access) {
    return access.instruction.operation == MemoryOperation::Atomic;
  }
  /// Returns the passes of a load or store without those that stand for lane groups without lanes.
  static unsigned servedPasses(const WarpAccess& access) {
    if (access.groups <= 1 || isAtomic(access)) return access.passes;
    unsigned served = 0;
    for (unsigned group = 0; group < access.groups; ++group) served += access.groupPasses[group];
    return std::min(served, access.passes);
  }
  /// Returns the cycles from the first pass to the last.
  Cycle lastPass(const WarpAccess& access) const {
    const unsigned passes = servedPasses(access);
    if (passes == 0) return 0;
    const bool matrices =
        access.issuedInstruction != nullptr && access.issuedInstruction->matrices != 0;
    const unsigned groups = matrices ? 1 : std::max(1U, access.groups);
    const unsigned ofWidth = std::min(groups, passes);
    const Cycle idle = isAtomic(access) ? 0 : std::max(groupDistance_, distance_) - distance_;
    return (ofWidth - 1) * groupDistance_ + (passes - ofWidth) * distance_ +
           (groups - ofWidth) * idle;
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
