// Forward progress of lanes that wait for lanes of the same warp, as from sm_70 on (CUDA C++
// Programming Guide, independent thread scheduling). The stack of paths alone would run a lane that
// waits for a lock for ever, while the lane that holds the lock waits at the joining point of the
// loop.
//
// A warp is one split until a loop that may wait (it ends in executeWaitingBranch) has turned often
// while other lanes of the warp stand still. Then the lanes that stand still are split off: with
// their paths and joins they go on like a warp of their own, in turn with the others. At a barrier,
// and at an instruction with a member mask (.sync), a split waits for lanes of other splits. It
// joins the splits that come to the same place; if no other split can move, it goes on without
// them.
//
// In loops that do not wait, lanes meet behind the loop as before. A loop with an atomic, a
// volatile load or a fence counts as one that waits after kTurns turns with lanes standing still.
// Results do not depend on it, cycles do.
#pragma once

#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

/// Turns of a loop before the lanes that stand still are split off: kTurns for any loop that may
/// wait, kOnlyWaitingTurns, with the same lanes, for a loop that does nothing but look at the same
/// address. The second value of each holds once the warp has been split.
inline constexpr std::uint32_t kTurns[2] = {10000, 64};
inline constexpr std::uint32_t kOnlyWaitingTurns[2] = {64, 4};

/// Counts a turn: the running lanes have gone back to the beginning of a loop that may wait.
void turnLoop(Warp& warp, bool onlyWaits);

/// Returns the lanes of `members` that are in other splits.
LaneMask lanesOfOtherSplits(const Warp& warp, LaneMask members);

/// Called when the running split is at an instruction that waits for lanes of other splits. Returns
/// true if the instruction must not execute now: more lanes have joined before it, or another split
/// runs. Returns false if no other split can move.
bool waitsForOthers(Warp& warp, const Instruction& instruction);

/// Called when the running split has no lane left: resumes another one, if there is one.
void resumeAnother(Warp& warp);

}  // namespace fermata::ptx
