#include <fermata/models/core/cta_table.h>

#include <algorithm>

namespace fermata {

void CtaTable::configure(const Grid& grid, unsigned clusterCtas, unsigned places,
                         std::uint32_t windowStride) {
  warps_ = grid.warpsPerCta();
  clusterCtas_ = clusterCtas;
  mixed_ = false;
  resident_ = 0;
  exited_ = 0;
  places_.assign(places, Cta{});
  for (unsigned slot = 0; slot < kMaxWarpSlots; ++slot)
    placeOfSlot_[slot] = static_cast<std::uint8_t>(std::min(slot / warps_, places - 1));
  for (unsigned i = 0; i < places; ++i) {
    places_[i].grid = &grid;
    places_[i].warps = warps_;
    places_[i].first = i * warps_;
    places_[i].windowBase = i * windowStride;
  }
}

/// Returns the first of the neighbouring places in which a cluster has room; places_.size(): none.
std::size_t CtaTable::emptyGroup() const {
  for (std::size_t first = 0; first < places_.size(); first += clusterCtas_) {
    const auto begin = places_.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::none_of(begin, begin + clusterCtas_, [](const Cta& c) { return c.resident; }))
      return first;
  }
  return places_.size();
}

Cta& CtaTable::place(std::uint64_t number) {
  const auto rank = static_cast<std::size_t>(number % clusterCtas_);
  if (clusterCtas_ != 1 && rank == 0) group_ = emptyGroup();
  Cta& cta = clusterCtas_ != 1 ? places_[group_ + rank]
                               : *std::find_if(places_.begin(), places_.end(),
                                               [](const Cta& c) { return !c.resident; });
  fill(cta, number);
  return cta;
}

void CtaTable::fill(Cta& cta, std::uint64_t number) {
  cta.number = number;
  cta.serial = ++placed_;
  cta.live = cta.warps;
  cta.pending = 0;
  cta.retires = 0;
  cta.resident = true;
  ++resident_;
}

void CtaTable::mix(const OccupancyLimits& limits) {
  clusterCtas_ = 1;
  mixed_ = true;
  resident_ = 0;
  exited_ = 0;
  limits_ = limits;
  room_.clear(limits);
  places_.assign(limits.ctas, Cta{});
  placeOfSlot_.fill(0);
}

unsigned CtaTable::roomFor(const Grid& grid) const {
  const CtaNeeds needs = needsOf(grid, limits_);
  return room_.find(needs) ? room_.room(needs) : 0;
}

Cta& CtaTable::placeOf(const Grid& grid, unsigned member, std::uint64_t number) {
  const CtaNeeds needs = needsOf(grid, limits_);
  const SmRoom::Place place = *room_.find(needs);
  room_.take(needs, place);
  Cta& cta =
      *std::find_if(places_.begin(), places_.end(), [](const Cta& c) { return !c.resident; });
  cta.grid = &grid;
  cta.member = member;
  cta.warps = needs.warps;
  cta.first = place.firstSlot;
  cta.windowBase = place.windowBase;
  std::fill_n(placeOfSlot_.begin() + cta.first, cta.warps,
              static_cast<std::uint8_t>(&cta - places_.data()));
  fill(cta, number);
  return cta;
}

void CtaTable::remove(Cta& cta, Cycle free) {
  if (mixed_) room_.giveBack(needsOf(*cta.grid, limits_), {cta.first, cta.windowBase});
  cta.resident = false;
  cta.free = free;
  --resident_;
  --exited_;
}

}  // namespace fermata
