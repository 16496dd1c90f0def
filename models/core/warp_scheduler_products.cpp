// The part of the scheduler that hands products of warp groups to the tensor units.
#include <fermata/models/core/warp_scheduler.h>

#include <algorithm>

namespace fermata {

// Hands a product over, which takes an issue slot. It begins when its first factors are read, a
// unit is free and the warp's product before it has ended. Returns the cycle in which the sums can
// be used; kNever: not known yet.
Cycle WarpScheduler::handProduct(unsigned slot, const StaticInstruction& product, Cycle now) {
  groupProducts_.wait(slot, product);
  return beginProduct(slot, now);
}

// Begins the product of the warp that waits, if it is known when its first factors are read, and
// ends it, if that is known of all. Returns as handProduct().
Cycle WarpScheduler::beginProduct(unsigned slot, Cycle now) {
  const StaticInstruction& product = *groupProducts_.waiting(slot);
  const ClassTiming timing = pipelines_.timing(product);
  const unsigned later = GroupProducts::laterReads(product);
  if (!groupProducts_.begun(slot)) {
    const Cycle first = scoreboard_.operands(slot, product, product.readCount - later);
    if (first == kNever) return kNever;
    groupProducts_.begin(
        slot,
        pipelines_.takeLater(IssueKind::GroupProduct, now,
                             std::max({now, first, groupProducts_.end(slot)}), timing.interval));
  }
  const Cycle read = scoreboard_.operands(slot, product, product.readCount);
  if (read == kNever) return kNever;
  const Cycle end = std::max(groupProducts_.begunAt(slot) + timing.interval,
                             read + timing.interval / (later + 1));
  groupProducts_.finish(slot, end);
  return end + timing.latency - timing.interval;
}

// An access of the warp has ended: its product may begin now.
void WarpScheduler::factorsRead(unsigned slot) {
  const StaticInstruction* const product = groupProducts_.waiting(slot);
  if (product == nullptr) return;
  const Cycle at = beginProduct(slot, domain_.now());
  if (at != kNever) end(slot, *product, at, at);
}

}  // namespace fermata
