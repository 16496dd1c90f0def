#include <fermata/models/core/sm_room.h>

#include <algorithm>

namespace fermata {

namespace {

constexpr SlotMask kEvenSlots = 0x5555555555555555;

std::uint32_t coveringPower(std::uint32_t bytes) {
  std::uint32_t power = 1;
  while (power < bytes) power *= 2;
  return power;
}

std::uint64_t share(std::uint64_t left, std::uint64_t need) {
  return need == 0 ? kMaxWarpSlots : left / need;
}

}  // namespace

CtaNeeds needsOf(const Grid& grid, const OccupancyLimits& limits) {
  const auto window = static_cast<std::uint32_t>(windowBytes(grid, limits));
  return {grid.warpsPerCta(), registersOfCta(grid, limits), window, window + limits.sharedReserved};
}

void SmRoom::clear(const OccupancyLimits& limits) {
  limits_ = limits;
  free_ = slotsOf(0, limits.warps);
  ctas_ = warps_ = 0;
  registers_ = 0;
  shared_ = 0;
  windows_.clear();
}

unsigned SmRoom::room(const CtaNeeds& needs) const {
  const unsigned warps = std::min(limits_.warps, limits_.threads / kWarpLanes);
  return static_cast<unsigned>(
      std::min({std::uint64_t{limits_.ctas - ctas_}, share(warps - warps_, needs.warps),
                share(limits_.registers - registers_, needs.registers),
                share(limits_.sharedBytes - shared_, needs.shared)}));
}

std::optional<SmRoom::Place> SmRoom::find(const CtaNeeds& needs) const {
  if (room(needs) == 0) return {};
  const std::optional<unsigned> slot = freeSlots(needs.warps);
  if (!slot) return {};
  std::optional<std::uint32_t> window = freeWindow(needs, coveringPower(needs.window));
  if (!window) window = freeWindow(needs, 1);
  if (!window) return {};
  return Place{*slot, *window};
}

std::optional<unsigned> SmRoom::freeSlots(unsigned warps) const {
  SlotMask first = free_;  // slots that begin a run of free ones
  for (unsigned i = 1; i < warps; ++i) first &= free_ >> i;
  if (warps > 1) first &= kEvenSlots;
  if (first == 0) return {};
  return lowestSlot(first);
}

/// Returns the first multiple of `step` at which the window lies between others.
std::optional<std::uint32_t> SmRoom::freeWindow(const CtaNeeds& needs, std::uint32_t step) const {
  if (needs.window == 0) return 0;
  std::uint32_t begin = 0;
  for (const Window& other : windows_) {
    if (begin + needs.window <= other.begin) return begin;
    begin = (other.end + step - 1) / step * step;
  }
  const std::uint32_t reserved = (ctas_ + 1) * limits_.sharedReserved;
  if (begin + needs.window + reserved > limits_.sharedBytes) return {};
  return begin;
}

void SmRoom::take(const CtaNeeds& needs, const Place& place) {
  free_ &= ~slotsOf(place.firstSlot, needs.warps);
  ++ctas_;
  warps_ += needs.warps;
  registers_ += needs.registers;
  shared_ += needs.shared;
  if (needs.window == 0) return;
  const auto behind = std::find_if(windows_.begin(), windows_.end(), [&](const Window& other) {
    return other.begin > place.windowBase;
  });
  windows_.insert(behind, {place.windowBase, place.windowBase + needs.window});
}

void SmRoom::giveBack(const CtaNeeds& needs, const Place& place) {
  free_ |= slotsOf(place.firstSlot, needs.warps);
  --ctas_;
  warps_ -= needs.warps;
  registers_ -= needs.registers;
  shared_ -= needs.shared;
  if (needs.window == 0) return;
  windows_.erase(std::find_if(windows_.begin(), windows_.end(), [&](const Window& window) {
    return window.begin == place.windowBase;
  }));
}

}  // namespace fermata
