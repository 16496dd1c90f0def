// Branches, exits, barriers, calls of the run-time library.
#include <algorithm>
#include <cstring>
#include <utility>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/kernel_decoder.h>
#include <fermata/stimuli/ptx/memory_access.h>
#include <fermata/stimuli/ptx/warp.h>
#include <fermata/stimuli/ptx/warp_splits.h>

namespace fermata::ptx {
namespace {

/// Returns a string of device memory for the message of __assertfail, or "?" if it cannot be read.
std::string shownString(const Warp& warp, unsigned lane, std::uint64_t address) {
  std::string text = readString(warp, lane, address, 200).value_or("?");
  for (char& c : text) c = c < ' ' || c > '~' ? '?' : c;
  return text;
}

/// Returns the lanes outside `mask` that have something left to do, except those of other splits.
LaneMask elsewhere(const Warp& warp, LaneMask mask) {
  LaneMask waiting = warp.alive & ~warp.active & ~lanesOfOtherSplits(warp, kAllLanes);
  LaneMask found = warp.active & ~mask;
  for (auto path = warp.paths.rbegin(); path != warp.paths.rend(); ++path) {
    const LaneMask here = path->mask & waiting;
    if (here != 0 && !leadsToExit(*warp.machine->code, path->pc)) found |= here;
    waiting &= ~here;
  }
  return found;
}

/// Throws InputError unless all lanes of the warp that have not exited are at the barrier. Makes
/// the split wait if the missing lanes are in other splits.
void gatherAtBarrier(Warp& warp, const Instruction& i, LaneMask mask) {
  if (mask == warp.alive) return;
  LaneMask others = elsewhere(warp, mask);
  if (others == 0) {
    others = lanesOfOtherSplits(warp, kAllLanes);
    if (others == 0 || waitsForOthers(warp, i)) return;
  }
  failAt(warp, i, firstLane(others),
         "barrier divergence: lanes {:#x} of the warp are at the barrier, lanes {:#x} have not "
         "exited and are elsewhere",
         mask, others);
}

}  // namespace

void executeNothing(Warp&, const Instruction&, LaneMask) {}

void executeBranch(Warp& warp, const Instruction& i, LaneMask mask) {
  const LaneMask others = warp.active & ~mask;
  const std::uint32_t next = warp.pc;  // the fall-through: execute() has advanced it
  if (others == 0 || i.branch.target == next) {
    warp.pc = i.branch.target;
    return;
  }
  const std::uint32_t join =
      i.branch.reconverge == kNoReconvergence ? warp.reconverge : i.branch.reconverge;
  Path first = pathAt(warp, i.branch.target, join, mask);
  Path second = pathAt(warp, next, join, others);
  if (i.branch.fallThroughFirst) std::swap(first, second);
  if (join != warp.reconverge)
    warp.paths.push_back(pathAt(warp, join, warp.reconverge, warp.active));
  if (second.pc != join) warp.paths.push_back(second);
  if (first.pc == join) return reconverge(warp);
  warp.pc = first.pc;
  warp.reconverge = join;
  warp.active = first.mask;
}

void executeWaitingBranch(Warp& warp, const Instruction& i, LaneMask mask) {
  executeBranch(warp, i, mask);
  if (warp.pc == warp.reconverge) reconverge(warp);
  turnLoop(warp, i.branch.onlyWaits);
}

void executeIndexedBranch(Warp& warp, const Instruction& i, LaneMask mask) {
  const std::vector<std::uint32_t>& targets = warp.machine->code->branchTargets[i.branch.target];
  const std::uint32_t* index = rowOf<std::uint32_t>(warp, i.a);
  const std::uint32_t join =
      i.branch.reconverge == kNoReconvergence ? warp.reconverge : i.branch.reconverge;
  if (join != warp.reconverge)
    warp.paths.push_back(pathAt(warp, join, warp.reconverge, warp.active));
  // The path pushed last goes first: the lanes with the first lane's target.
  if (const LaneMask others = warp.active & ~mask; others != 0 && warp.pc != join)
    warp.paths.push_back(pathAt(warp, warp.pc, join, others));
  std::array<Path, kWarpLanes> sides;
  std::size_t count = 0;
  for (LaneMask rest = mask; rest != 0;) {
    const unsigned lane = firstLane(rest);
    if (index[lane] >= targets.size()) {
      failAt(warp, i, lane, "a branch to target {}; expected 0 to {}", index[lane],
             targets.size() - 1);
    }
    const LaneMask side = lanesWhere(rest, [&](unsigned other) {
      return index[other] < targets.size() && targets[index[other]] == targets[index[lane]];
    });
    rest &= ~side;
    sides[count++] = pathAt(warp, targets[index[lane]], join, side);
  }
  if (i.branch.fallThroughFirst) {
    const std::vector<bool>& late = warp.machine->code->leadsToBarrier;
    std::stable_partition(sides.begin(), sides.begin() + static_cast<std::ptrdiff_t>(count),
                          [&](const Path& side) { return !late[side.pc]; });
  }
  while (count-- > 0) warp.paths.push_back(sides[count]);
  reconverge(warp);
}

void executeExit(Warp& warp, const Instruction&, LaneMask mask) {
  exitLanes(warp, mask);
}

void executeTrap(Warp& warp, const Instruction& i, LaneMask mask) {
  failAt(warp, i, firstLane(mask), "the kernel executed a trap");
}

void executeAssertFail(Warp& warp, const Instruction& i, LaneMask mask) {
  const unsigned lane = firstLane(mask);
  std::string text = "device assertion failed";
  if (i.elements >= 3) {
    const std::uint64_t line = laneValue(warp, i.vector[2], false, lane);
    text += ": " + shownString(warp, lane, laneValue(warp, i.vector[0], i.wideBase, lane)) + " (" +
            shownString(warp, lane, laneValue(warp, i.vector[1], i.wideBase, lane)) + ":" +
            std::to_string(line) + ")";
  }
  failAt(warp, i, lane, FaultKind::Assertion, text);
}

void executeBarrier(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  const unsigned lane = firstLane(mask);
  const std::uint32_t number = rowOf<std::uint32_t>(warp, i.a)[lane];
  const std::uint32_t threads = rowOf<std::uint32_t>(warp, i.b)[lane];
  if (number >= kBarriers) {
    failAt(warp, i, lane, "barrier {}; expected 0 to 15", number);
  }
  if (threads % kWarpLanes != 0 || threads > 1024) {
    failAt(warp, i, lane, "barrier of {} threads; expected a multiple of 32 up to 1024", threads);
  }
  out.barrier = static_cast<std::uint16_t>(number);
  out.barrierThreads = threads;
  out.barrierWaits = i.barrier.waits;
  gatherAtBarrier(warp, i, mask);
}

void executeBarrierReduction(Warp& warp, const Instruction& i, LaneMask mask) {
  executeBarrier(warp, i, mask);
  if (warp.machine->out->active == 0) return;
  const std::uint16_t number = warp.machine->out->barrier;
  const std::uint64_t mine = ++warp.reductionsDone[number];
  BarrierReduction::Generation& generation = warp.cta->reductions[number].generations[mine % 2];
  if (generation.number != mine) generation = {mine, 0, 0};
  generation.count += static_cast<unsigned>(__builtin_popcount(predicateValue(warp, i.p) & mask));
  generation.threads += static_cast<unsigned>(__builtin_popcount(mask));
}

void executeBarrierResult(Warp& warp, const Instruction& i, LaneMask mask) {
  const std::uint32_t number = rowOf<std::uint32_t>(warp, i.a)[firstLane(mask)];
  const std::uint64_t mine = warp.reductionsDone[number % kBarriers];
  const BarrierReduction::Generation& generation =
      warp.cta->reductions[number % kBarriers].generations[mine % 2];
  if (i.barrier.result == BarrierResult::Count) {
    for (const unsigned lane : lanesIn(mask))
      rowOf<std::uint32_t>(warp, i.d)[lane] = generation.count;
    return;
  }
  const bool holds = i.barrier.result == BarrierResult::And ? generation.count == generation.threads
                                                            : generation.count != 0;
  writePredicate(warp, i.pd, holds ? kAllLanes : 0, mask);
}

}  // namespace fermata::ptx
