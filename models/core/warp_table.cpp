#include <fermata/models/core/warp_table.h>

namespace fermata {

namespace {

unsigned lowest(SlotMask mask) {
  return static_cast<unsigned>(__builtin_ctzll(mask));
}

}  // namespace

SlotMask WarpTable::ready(Cycle now, SlotMask among) const {
  SlotMask mask = 0;
  for (SlotMask m = among & live_ & ~waiting_; m != 0; m &= m - 1) {
    const unsigned slot = lowest(m);
    mask |= static_cast<SlotMask>(readyAt_[slot] <= now) << slot;
  }
  return mask;
}

Cycle WarpTable::earliestReady(SlotMask among, Cycle enough) const {
  Cycle least = kNever;
  for (SlotMask m = among & live_; m != 0; m &= m - 1) {
    least = std::min(least, readyAt_[lowest(m)]);
    if (least <= enough) return enough;
  }
  return least;
}

Cycle WarpTable::earliestIssue(const Pipelines& pipelines, Cycle enough) const {
  Cycle least = kNever;
  for (SlotMask m = live_ & ~waiting_; m != 0; m &= m - 1) {
    const unsigned slot = lowest(m);
    least = std::min(least, std::max(readyAt_[slot], pipelines.free(kind_[slot])));
    if (least <= enough) return enough;
  }
  return least;
}

}  // namespace fermata
