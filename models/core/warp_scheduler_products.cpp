// The part of the scheduler that hands products of warp groups to the tensor units.
#include <fermata/models/core/warp_scheduler.h>

#include <algorithm>

namespace fermata {

// Hands a product over, which takes an issue slot. It begins when its first factors are read, a
// unit is free and the warp's product before it has ended. Returns the cycle in which the sums can
// be used; kNever: not known yet.
Cycle WarpScheduler::handProduct(unsigned slot, const StaticInstruction& product, Cycle now) {
  const bool first = !groupProducts_.open(slot);
  groupProducts_.push(slot, product);
  noteReads(slot);
  return first ? beginProduct(slot, now) : kNever;
}

// Notes what is known by now of the factors of the warp's products. A later turn of a loop may read
// into the operands again.
void WarpScheduler::noteReads(unsigned slot) {
  groupProducts_.eachOpen(slot, [&](GroupProducts::Waiting& one) {
    const StaticInstruction& product = *one.product;
    const unsigned later = GroupProducts::laterReads(product);
    if (one.first == kNever)
      one.first = scoreboard_.operands(slot, product, product.readCount - later);
    if (one.first != kNever && one.read == kNever)
      one.read = scoreboard_.operands(slot, product, product.readCount);
  });
}

// Begins the warp's oldest open product, if it is known when its first factors are read, and ends
// it, if that is known of all. Returns as handProduct().
Cycle WarpScheduler::beginProduct(unsigned slot, Cycle now) {
  GroupProducts::Waiting& one = groupProducts_.oldest(slot);
  if (one.first == kNever) return kNever;
  const ClassTiming timing = pipelines_.timing(*one.product);
  if (one.begin == kNever)
    one.begin =
        pipelines_.takeLater(IssueKind::GroupProduct, now,
                             std::max({now, one.first, groupProducts_.end(slot)}), timing.interval);
  if (one.read == kNever) return kNever;
  const unsigned later = GroupProducts::laterReads(*one.product);
  const Cycle end = std::max(one.begin + timing.interval, one.read + timing.interval / (later + 1));
  groupProducts_.settle(slot, end);
  return end + timing.latency - timing.interval;
}

// An access of the warp has ended: its products may begin now. The sums of the last one alone can
// be waited for, so the others leave them unknown.
void WarpScheduler::factorsRead(unsigned slot) {
  if (!groupProducts_.open(slot)) return;
  noteReads(slot);
  while (groupProducts_.open(slot)) {
    const StaticInstruction& product = *groupProducts_.oldest(slot).product;
    const Cycle at = beginProduct(slot, domain_.now());
    if (at == kNever) return;
    end(slot, product, at, at);
    if (groupProducts_.open(slot)) scoreboard_.write(slot, product, kNever);
  }
}

}  // namespace fermata
