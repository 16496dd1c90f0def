#include <fermata/models/core/warp_table.h>

namespace fermata {

Cycle WarpTable::earliest(SlotMask slots, const Pipelines& pipelines, Cycle from) const {
  if (slots == 0) return kNever;
  if (pipelines.allFree(from)) return from;
  Cycle least = kNever;
  for (unsigned k = 0; k < kIssueKinds; ++k) {
    if ((slots & wants_[k]) != 0)
      least = std::min(least, pipelines.free(static_cast<IssueKind>(k), from));
  }
  return least;
}

Cycle WarpTable::earliestIssue(const Pipelines& pipelines, Cycle from) const {
  Cycle least = earliest(calendar_.ready(), pipelines, from);
  if (least == from) return from;
  calendar_.upcoming([&](Cycle at, SlotMask slots) {
    if (at >= least) return false;
    least = std::min(least, earliest(slots, pipelines, std::max(at, from)));
    return true;
  });
  return least;
}

WarpTable::Ready WarpTable::earliestReady(SlotMask among, Cycle from) const {
  Ready first;
  if (const SlotMask slots = calendar_.ready() & among; slots != 0) first = {from, slots};
  calendar_.upcoming([&](Cycle at, SlotMask slots) {
    at = std::max(at, from);
    if (at > first.at) return false;
    if (const SlotMask found = slots & among; found != 0) first = {at, first.slots | found};
    return true;
  });
  return first;
}

StallCause WarpTable::blockedBy(SlotMask slots, const Pipelines& pipelines, Cycle at) const {
  StallCause cause = StallCause::Pipeline;
  for (unsigned k = 0; k < kIssueKinds; ++k) {
    const auto kind = static_cast<IssueKind>(k);
    if ((slots & wants_[k]) != 0 && pipelines.free(kind, at) > at)
      cause = stronger(cause, pipelines.why(kind, at));
  }
  return cause;
}

}  // namespace fermata
