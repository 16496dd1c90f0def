#include <fermata/models/probe/sharing.h>

#include <fermata/models/transaction/warp_access.h>

#include <algorithm>

namespace fermata {

const Figures<SharingCounters::Counts>& SharingCounters::figures() {
  static const Figures<Counts> all{
      {"vector_broadcasts", "accesses",
       "shared and global accesses in which all warps of the CTA have one address",
       &Counts::vectorBroadcasts},
      {"warp_broadcasts", "accesses",
       "shared and global accesses, vector broadcasts excluded, in which all lanes of the warp "
       "have one address",
       &Counts::warpBroadcasts},
      {"lane_broadcasts", "accesses",
       "shared and global accesses in which some, and not all, lanes of the warp have one address",
       &Counts::laneBroadcasts},
      {"scatters", "accesses",
       "shared and global accesses in which every lane has an address of its own",
       &Counts::scatters}};
  return all;
}

void SharingCounters::gridStarted(const Grid& grid, Cycle) {
  counts_.prepare(grid.program, grid.instructionCount);
  instructions_ = grid.instructionCount;
  warps_ = grid.warpsPerCta();
}

void SharingCounters::gridEnded(const Grid&, Cycle) {
  groups_.clear();
  executions_.clear();
  ended_.clear();
}

SharingCounters::Sharing SharingCounters::sharingOf(const WarpInstruction& instruction) {
  std::array<std::uint64_t, kWarpLanes> address;
  unsigned lanes = 0;
  for (LaneMask m = instruction.active; m != 0; m &= m - 1)
    address[lanes++] = instruction.address[static_cast<unsigned>(__builtin_ctz(m))];
  std::sort(address.begin(), address.begin() + lanes);
  const auto distinct = std::unique(address.begin(), address.begin() + lanes) - address.begin();
  if (distinct == lanes) return Sharing::None;
  return distinct == 1 ? Sharing::Warp : Sharing::Lanes;
}

void SharingCounters::add(const WarpAccess& access) {
  const Sharing sharing = sharingOf(access.instruction);
  counts_.add(access.program, access.instruction.pc, [&](Counts& counts) {
    counts.warpBroadcasts += sharing == Sharing::Warp ? 1 : 0;  // until the whole CTA has come
    counts.laneBroadcasts += sharing == Sharing::Lanes ? 1 : 0;
    counts.scatters += sharing == Sharing::None ? 1 : 0;
  });
  addToGroup(access, sharing == Sharing::Warp);
}

void SharingCounters::addToGroup(const WarpAccess& access, bool broadcast) {
  const std::uint64_t pc = access.instruction.pc;
  const std::uint32_t execution = executions_[access.slot * std::uint64_t{instructions_} + pc]++;
  auto& groups = groups_[access.slot / warps_];
  const std::uint64_t key = execution * std::uint64_t{instructions_} + pc;
  Group& group = groups[key];
  if (broadcast) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(access.instruction.active));
    const std::uint64_t address = access.instruction.address[lane];
    if (group.warps == 0) group.address = address;
    group.same = group.same && group.address == address;
    ++group.broadcasts;
  } else {
    group.same = false;
  }
  if (++group.warps < warps_) return;
  if (group.same) {
    counts_.add(access.program, access.instruction.pc, [&](Counts& counts) {
      counts.warpBroadcasts -= group.broadcasts;
      counts.vectorBroadcasts += group.broadcasts;
    });
  }
  groups.erase(key);
}

void SharingCounters::issued(const IssueEvent& event) {
  if (event.instruction.instructionClass == InstructionClass::Exit) warpEnded(event.slot);
}

void SharingCounters::warpEnded(unsigned slot) {
  for (std::uint64_t pc = 0; pc < instructions_; ++pc)
    executions_.erase(slot * std::uint64_t{instructions_} + pc);
  const std::uint32_t place = slot / warps_;
  std::uint64_t& ended = ended_[place];
  ended |= std::uint64_t{1} << (slot % warps_);
  if (static_cast<std::uint32_t>(__builtin_popcountll(ended)) < warps_) return;
  ended = 0;
  groups_.erase(place);
}

}  // namespace fermata
