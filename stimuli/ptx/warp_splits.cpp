#include <fermata/stimuli/ptx/warp_splits.h>

#include <algorithm>
#include <utility>

namespace fermata::ptx {
namespace {

bool samePlace(const Path& a, const Path& b) {
  return a.pc == b.pc && a.reconverge == b.reconverge && a.depth == b.depth &&
         a.localTop == b.localTop;
}

LaneMask lanesOf(const WarpSplit& split) {
  LaneMask lanes = split.at.mask;
  for (const Path& path : split.paths) lanes |= path.mask;
  return lanes;
}

LaneMask lanesOfOthers(const Warp& warp) {
  LaneMask lanes = 0;
  for (const WarpSplit& split : warp.splits) lanes |= lanesOf(split);
  return lanes;
}

void keepLanes(std::vector<Path>& paths, LaneMask lanes) {
  for (Path& path : paths) path.mask &= lanes;
  const auto empty = [](const Path& path) { return path.mask == 0; };
  paths.erase(std::remove_if(paths.begin(), paths.end(), empty), paths.end());
}

void suspend(Warp& warp, bool waits) {
  WarpSplit split{pathAt(warp, warp.pc, warp.reconverge, warp.active), {}, warp.turns, waits};
  split.paths.swap(warp.paths);
  warp.splits.push_back(std::move(split));
}

void resume(Warp& warp, std::vector<WarpSplit>::iterator split) {
  warp.pc = split->at.pc;
  warp.reconverge = split->at.reconverge;
  warp.active = split->at.mask;
  warp.localTop = split->at.localTop;
  warp.paths = std::move(split->paths);
  if (split->at.depth != warp.depth) enterFrame(warp, split->at.depth);
  warp.turns = split->turns;
  warp.splits.erase(split);
}

using SplitIterator = std::vector<WarpSplit>::iterator;

SplitIterator oneThatRuns(Warp& warp) {
  return std::find_if(warp.splits.begin(), warp.splits.end(),
                      [](const WarpSplit& split) { return !split.waits; });
}

bool isBarrier(const Warp& warp, std::uint32_t pc) {
  return warp.machine->code->statics[pc].instructionClass == InstructionClass::Barrier;
}

/// Returns the split that goes on while the running split waits at `pc`. No lane passes a barrier
/// without the others, so at a barrier even splits that wait elsewhere go on before it is an error.
SplitIterator nextWhileWaitingAt(Warp& warp, std::uint32_t pc) {
  const SplitIterator next = oneThatRuns(warp);
  if (next != warp.splits.end() || !isBarrier(warp, pc)) return next;
  return std::find_if(warp.splits.begin(), warp.splits.end(),
                      [&](const WarpSplit& split) { return !isBarrier(warp, split.at.pc); });
}

/// Makes a split of the lanes that stand still. Returns false if there are none.
bool splitOff(Warp& warp) {
  const LaneMask others = warp.alive & ~warp.active & ~lanesOfOthers(warp);
  if (others == 0) return false;
  WarpSplit rest;
  rest.paths = warp.paths;
  keepLanes(rest.paths, others);
  do {
    rest.at = rest.paths.back();
    rest.paths.pop_back();
  } while (rest.at.pc == rest.at.reconverge);
  keepLanes(warp.paths, warp.active);
  warp.splits.push_back(std::move(rest));
  return true;
}

/// Runs `next` instead of the running split.
void exchange(Warp& warp, SplitIterator next, bool waits) {
  const auto at = next - warp.splits.begin();
  suspend(warp, waits);
  resume(warp, warp.splits.begin() + at);
}

bool sameStack(const Warp& warp, const Path& at, const WarpSplit& split) {
  return split.waits && samePlace(split.at, at) &&
         std::equal(warp.paths.begin(), warp.paths.end(), split.paths.begin(), split.paths.end(),
                    samePlace);
}

/// Joins to the running split, which stands at `at`, the splits that wait there.
bool joinThoseThatWait(Warp& warp, const Path& at) {
  const auto same = [&](const WarpSplit& split) { return sameStack(warp, at, split); };
  bool joined = false;
  for (auto split = std::find_if(warp.splits.begin(), warp.splits.end(), same);
       split != warp.splits.end();
       split = std::find_if(warp.splits.begin(), warp.splits.end(), same)) {
    warp.active |= split->at.mask;
    for (std::size_t k = 0; k < warp.paths.size(); ++k) warp.paths[k].mask |= split->paths[k].mask;
    warp.splits.erase(split);
    joined = true;
  }
  return joined;
}

}  // namespace

void turnLoop(Warp& warp, bool onlyWaits) {
  LoopTurns& turns = warp.turns;
  if (warp.active == warp.alive) {
    turns = {};
    return;
  }
  turns.same = warp.active == turns.lanes ? turns.same + 1 : 0;
  turns.lanes = warp.active;
  ++turns.all;
  const unsigned known = warp.wasSplit ? 1 : 0;
  const bool waits =
      turns.all >= kTurns[known] || (onlyWaits && turns.same >= kOnlyWaitingTurns[known]);
  if (waits) {
    warp.wasSplit = splitOff(warp) || warp.wasSplit;
    turns = {};
  }
  if (const SplitIterator next = oneThatRuns(warp); next != warp.splits.end())
    exchange(warp, next, false);
}

LaneMask lanesOfOtherSplits(const Warp& warp, LaneMask members) {
  return warp.splits.empty() ? 0 : lanesOfOthers(warp) & members;
}

bool waitsForOthers(Warp& warp, const Instruction& instruction) {
  const auto pc =
      static_cast<std::uint32_t>(&instruction - warp.machine->code->instructions.data());
  const bool joined = joinThoseThatWait(warp, pathAt(warp, pc, warp.reconverge, warp.active));
  const SplitIterator next = nextWhileWaitingAt(warp, pc);
  if (!joined && next == warp.splits.end()) return false;
  warp.machine->out->active = 0;
  warp.pc = pc;
  if (!joined) exchange(warp, next, true);
  return true;
}

void resumeAnother(Warp& warp) {
  if (warp.splits.empty()) return;
  const auto next = oneThatRuns(warp);
  resume(warp, next != warp.splits.end() ? next : warp.splits.begin());
}

}  // namespace fermata::ptx
