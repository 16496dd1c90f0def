// Vote, shuffle, match and reduction over the lanes of a warp.
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>
#include <fermata/stimuli/ptx/warp_splits.h>

namespace fermata::ptx {
namespace {

bool on(LaneMask mask, unsigned lane) {
  return (mask >> lane & 1U) != 0;
}

/// True if members that `row` names are in other splits, and this split now waits for them.
bool waitsForMembers(Warp& warp, const Instruction& i, Row row, LaneMask mask) {
  if (warp.splits.empty()) return false;
  const std::uint32_t* named = rowOf<std::uint32_t>(warp, row);
  LaneMask members = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) members |= named[firstLane(rest)];
  return lanesOfOtherSplits(warp, members) != 0 && waitsForOthers(warp, i);
}

/// Calls act(lanes) for each group of lanes that execute now and name the same members (`row`); in
/// a warp divided into tiles each tile names its own. Throws InputError if a lane executes but is
/// not a member. Members that do not execute (exited, or on another path) are left out; members in
/// another split are waited for.
template <class Act>
void forEachGroup(Warp& warp, const Instruction& i, Row row, LaneMask mask, Act act) {
  if (waitsForMembers(warp, i, row, mask)) return;
  const std::uint32_t* named = rowOf<std::uint32_t>(warp, row);
  while (mask != 0) {
    const LaneMask members = named[firstLane(mask)];
    LaneMask group = 0;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      if (named[firstLane(rest)] == members) group |= rest & (0U - rest);
    }
    if ((group & ~members) != 0) {
      failAt(warp, i, static_cast<int>(firstLane(group & ~members)),
             "the lane executes but is not in the member mask " + hexAddress(members));
    }
    act(group);
    mask &= ~group;
  }
}

void writeAll(const Warp& warp, Row row, LaneMask mask, std::uint32_t value) {
  std::uint32_t* d = rowOf<std::uint32_t>(warp, row);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (on(mask, lane)) d[lane] = value;
  }
}

void vote(const Warp& warp, const Instruction& i, LaneMask voters) {
  const LaneMask yes = predicateValue(warp, i.p) & voters;
  bool result = false;
  switch (i.warp.vote) {
    case Vote::Ballot:
      return writeAll(warp, i.d, voters, yes);
    case Vote::All:
      result = yes == voters;
      break;
    case Vote::Any:
      result = yes != 0;
      break;
    case Vote::Uniform:
      result = yes == 0 || yes == voters;
      break;
  }
  writePredicate(warp, i.pd, result ? kAllLanes : 0, voters);
}

// Segments are the mask in c[12:8], clamp is in c[4:0] (PTX ISA, shfl). A lane whose source is out
// of range keeps its own value. A lane whose source does not take part gets 0, which PTX leaves
// open: public reductions add values from lanes that do not take part.
void shuffle(const Warp& warp, const Instruction& i, LaneMask mask) {
  const std::uint32_t* a = rowOf<std::uint32_t>(warp, i.a);
  const std::uint32_t* b = rowOf<std::uint32_t>(warp, i.b);
  const std::uint32_t* c = rowOf<std::uint32_t>(warp, i.c);
  std::uint32_t result[kWarpLanes] = {};
  LaneMask inRange = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t segments = (c[lane] >> 8) & 31U;
    const std::uint32_t clamp = c[lane] & 31U;
    const int last = static_cast<int>((lane & segments) | (clamp & ~segments));
    const int delta = static_cast<int>(b[lane] & 31U);
    const int self = static_cast<int>(lane);
    int source = self;
    bool valid = false;
    switch (i.warp.shuffle) {
      case Shuffle::Up:
        source = self - delta;
        valid = source >= last;
        break;
      case Shuffle::Down:
        source = self + delta;
        valid = source <= last;
        break;
      case Shuffle::Butterfly:
        source = self ^ delta;
        valid = source <= last;
        break;
      case Shuffle::Index:
        source = static_cast<int>((lane & segments) | (static_cast<unsigned>(delta) & ~segments));
        valid = source <= last;
        break;
    }
    const bool takesPart = !valid || on(mask, static_cast<unsigned>(source));
    result[lane] = takesPart ? a[valid ? source : self] : 0;
    inRange |= valid ? LaneMask{1} << lane : 0U;
  }
  std::uint32_t* d = rowOf<std::uint32_t>(warp, i.d);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (on(mask, lane)) d[lane] = result[lane];
  }
  writePredicate(warp, i.pd, inRange, mask);
}

void match(const Warp& warp, const Instruction& i, LaneMask mask) {
  LaneMask equal[kWarpLanes] = {};
  bool all = true;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (!on(mask, lane)) continue;
    const std::uint64_t mine = laneValue(warp, i.a, i.wideData, lane);
    for (unsigned other = 0; other < kWarpLanes; ++other) {
      if (on(mask, other) && laneValue(warp, i.a, i.wideData, other) == mine)
        equal[lane] |= LaneMask{1} << other;
    }
    all = all && equal[lane] == mask;
  }
  if (i.warp.all) {
    writeAll(warp, i.d, mask, all ? mask : 0);
    return writePredicate(warp, i.pd, all ? kAllLanes : 0, mask);
  }
  std::uint32_t* d = rowOf<std::uint32_t>(warp, i.d);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (on(mask, lane)) d[lane] = equal[lane];
  }
}

void reduce(const Warp& warp, const Instruction& i, LaneMask mask) {
  const std::uint32_t* a = rowOf<std::uint32_t>(warp, i.a);
  const bool isSigned = i.warp.isSigned;
  std::uint32_t total = a[firstLane(mask)];
  for (unsigned lane = firstLane(mask) + 1; lane < kWarpLanes; ++lane) {
    if (!on(mask, lane)) continue;
    const std::uint32_t value = a[lane];
    const bool less = isSigned ? static_cast<std::int32_t>(value) < static_cast<std::int32_t>(total)
                               : value < total;
    switch (i.warp.reduce) {
      case Reduce::Add:
        total += value;
        break;
      case Reduce::Min:
        total = less ? value : total;
        break;
      case Reduce::Max:
        total = less ? total : value;
        break;
      case Reduce::And:
        total &= value;
        break;
      case Reduce::Or:
        total |= value;
        break;
      case Reduce::Xor:
        total ^= value;
        break;
    }
  }
  writeAll(warp, i.d, mask, total);
}

}  // namespace

void executeVote(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!i.warp.masked) return vote(warp, i, mask);
  forEachGroup(warp, i, i.c, mask, [&](LaneMask voters) { vote(warp, i, voters); });
}

void executeShuffle(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!i.warp.masked) return shuffle(warp, i, mask);
  forEachGroup(warp, i, i.vector[0], mask, [&](LaneMask group) { shuffle(warp, i, group); });
}

void executeActiveMask(Warp& warp, const Instruction& i, LaneMask mask) {
  writeAll(warp, i.d, mask, mask);
}

void executeWarpSync(Warp& warp, const Instruction& i, LaneMask mask) {
  forEachGroup(warp, i, i.c, mask, [](LaneMask) {});
}

void executeMatch(Warp& warp, const Instruction& i, LaneMask mask) {
  forEachGroup(warp, i, i.c, mask, [&](LaneMask group) { match(warp, i, group); });
}

void executeElect(Warp& warp, const Instruction& i, LaneMask mask) {
  forEachGroup(warp, i, i.c, mask, [&](LaneMask group) {
    writeAll(warp, i.d, group, firstLane(group));
    writePredicate(warp, i.pd, LaneMask{1} << firstLane(group), group);
  });
}

void executeReduce(Warp& warp, const Instruction& i, LaneMask mask) {
  forEachGroup(warp, i, i.c, mask, [&](LaneMask group) { reduce(warp, i, group); });
}

}  // namespace fermata::ptx
