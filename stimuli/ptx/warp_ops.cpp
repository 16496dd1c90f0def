// Vote, shuffle, match and reduction over the lanes of a warp.
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>
#include <fermata/stimuli/ptx/warp_splits.h>

namespace fermata::ptx {
namespace {

/// True if members that `row` names are in other splits, and this split now waits for them.
bool waitsForMembers(Warp& warp, const Instruction& i, Row row, LaneMask mask) {
  if (warp.splits.empty()) return false;
  const std::uint32_t* named = rowOf<std::uint32_t>(warp, row);
  LaneMask members = 0;
  for (const unsigned lane : lanesIn(mask)) members |= named[lane];
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
    const LaneMask group = lanesWhere(mask, [&](unsigned lane) { return named[lane] == members; });
    if ((group & ~members) != 0) {
      failAt(warp, i, firstLane(group & ~members),
             "the lane executes but is not in the member mask {:#x}", members);
    }
    act(group);
    mask &= ~group;
  }
}

void writeAll(const Warp& warp, Row row, LaneMask mask, std::uint32_t value) {
  std::uint32_t* d = rowOf<std::uint32_t>(warp, row);
  for (const unsigned lane : lanesIn(mask)) d[lane] = value;
}

void vote(const Warp& warp, const Instruction& i, LaneMask voters) {
  const LaneMask yes = predicateValue(warp, i.p) & voters;
  if (i.warp.vote == Vote::Ballot) return writeAll(warp, i.d, voters, yes);
  const bool all = yes == voters, any = yes != 0;
  const bool result = i.warp.vote == Vote::All ? all : i.warp.vote == Vote::Any ? any : all || !any;
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
    const int shifted =
        i.warp.shuffle == Shuffle::Up     ? self - delta
        : i.warp.shuffle == Shuffle::Down ? self + delta
        : i.warp.shuffle == Shuffle::Butterfly
            ? self ^ delta
            : static_cast<int>((lane & segments) | (static_cast<unsigned>(delta) & ~segments));
    const bool valid = i.warp.shuffle == Shuffle::Up ? shifted >= last : shifted <= last;
    const bool takesPart = !valid || laneOn(mask, static_cast<unsigned>(shifted));
    result[lane] = takesPart ? a[valid ? shifted : self] : 0;
    inRange |= valid ? LaneMask{1} << lane : 0U;
  }
  std::uint32_t* d = rowOf<std::uint32_t>(warp, i.d);
  for (const unsigned lane : lanesIn(mask)) d[lane] = result[lane];
  writePredicate(warp, i.pd, inRange, mask);
}

void match(const Warp& warp, const Instruction& i, LaneMask mask) {
  LaneMask equal[kWarpLanes] = {};
  bool all = true;
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t mine = laneValue(warp, i.a, i.wideData, lane);
    equal[lane] = lanesWhere(
        mask, [&](unsigned other) { return laneValue(warp, i.a, i.wideData, other) == mine; });
    all = all && equal[lane] == mask;
  }
  if (i.warp.all) {
    writeAll(warp, i.d, mask, all ? mask : 0);
    return writePredicate(warp, i.pd, all ? kAllLanes : 0, mask);
  }
  for (const unsigned lane : lanesIn(mask)) rowOf<std::uint32_t>(warp, i.d)[lane] = equal[lane];
}

std::uint32_t reduced(const Instruction& i, std::uint32_t a, std::uint32_t b) {
  const bool less =
      i.warp.isSigned ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
  switch (i.warp.reduce) {
    case Reduce::Add:
      return a + b;
    case Reduce::Min:
      return less ? a : b;
    case Reduce::Max:
      return less ? b : a;
    case Reduce::And:
      return a & b;
    case Reduce::Or:
      return a | b;
    case Reduce::Xor:
      return a ^ b;
  }
  return a;
}

void reduce(const Warp& warp, const Instruction& i, LaneMask mask) {
  const std::uint32_t* a = rowOf<std::uint32_t>(warp, i.a);
  std::uint32_t total = a[firstLane(mask)];
  for (const unsigned lane : lanesIn(mask & (mask - 1))) total = reduced(i, total, a[lane]);
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
