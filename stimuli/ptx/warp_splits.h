// Forward progress of lanes that wait for lanes of the same warp, as from sm_70 on (CUDA C++
// Programming Guide, independent thread scheduling). The stack of paths alone would run a lane that
// waits for a lock for ever, while the lane that holds it waits at the joining point of the loop.
//
// A warp is one split until a loop that may wait (its branch back has kMayWait) has turned often
// while other lanes of the warp stand still. Those are split off then: lanes, their paths and joins
// go on as a warp of their own would, in turn with the others. At a barrier and at an instruction
// with a member mask (.sync) a split waits for lanes of other splits, and goes on as one with those
// that come to the same place; where no other split can move it does without them.
//
// Loops that do not wait are as before: their lanes meet behind the loop. A loop with an atomic, a
// volatile load or a fence that turns kTurns times with the same other lanes standing still is
// taken for one that waits; results do not depend on it, cycles do.
#pragma once

#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

/// Turns of a loop before the lanes that stand still are split off: of any loop that may wait, and
/// of one that does nothing but look at the same address (kOnlyWaits) with the same lanes. The
/// second ones hold once the warp has been split.
inline constexpr std::uint32_t kTurns[2] = {10000, 64};
inline constexpr std::uint32_t kOnlyWaitingTurns[2] = {64, 4};

/// The running lanes have gone back to the beginning of a loop that may wait.
void turnLoop(Warp& warp, bool onlyWaits);

/// Lanes of `members` that are in other splits.
LaneMask lanesOfOtherSplits(const Warp& warp, LaneMask members);

/// The running split is at an instruction that waits for lanes of others. True: it is not executed
/// now; either more lanes stand before it, or another split runs. False: nobody else can move.
bool waitsForOthers(Warp& warp, const Instruction& instruction);

/// No lane of the running split is left: another one goes on, if there is one.
void resumeAnother(Warp& warp);

}  // namespace fermata::ptx
