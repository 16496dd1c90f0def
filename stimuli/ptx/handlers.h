// Handlers that need no second copy for a wider instruction set and that other files name: control,
// calls, atomics, textures, roundings, moves.
//
// Each comment names the instruction, then the fields of Instruction that its handler uses: p, pd
// and qd are predicates, other letters rows.
#pragma once

#include <fermata/stimuli/ptx/forms.h>
#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/lane_ops.h>
#include <fermata/stimuli/ptx/store_log.h>
#include <fermata/stimuli/ptx/types.h>

namespace fermata::ptx {

struct PendingCopy;

// Control (control.cpp). Each handler sets the PC itself if execution does not go on at the
// next instruction.
void executeBranch(Warp& warp, const Instruction& i, LaneMask mask);
/// bra back to the beginning of a loop that may wait for other threads.
void executeWaitingBranch(Warp& warp, const Instruction& i, LaneMask mask);
/// brx.idx. a: index.
void executeIndexedBranch(Warp& warp, const Instruction& i, LaneMask mask);
void executeExit(Warp& warp, const Instruction& i, LaneMask mask);
void executeNothing(Warp& warp, const Instruction& i, LaneMask mask);
void executeSleep(Warp& warp, const Instruction& i, LaneMask mask);
void executeGridWait(Warp& warp, const Instruction& i, LaneMask mask);
void executeLaunchDependents(Warp& warp, const Instruction& i, LaneMask mask);
/// Returns the nanoseconds for which lanes that test mbarriers sleep at most; 0: a phase is over.
std::uint64_t sleepAtMBarriers(Warp& warp, const Instruction& i, LaneMask mask);
void executeFence(Warp& warp, const Instruction& i, LaneMask mask);
/// bar.sync and bar.arrive. a: barrier number; b: threads, or 0 in a constant row.
void executeBarrier(Warp& warp, const Instruction& i, LaneMask mask);
/// wgmma.fence and commit_group: the warps of a warpgroup meet.
void executeGroupBarrier(Warp& warp, const Instruction& i, LaneMask mask);
/// barrier.cluster. offset: kClusterArrive, kClusterArriveRelaxed or kClusterWait.
void executeClusterBarrier(Warp& warp, const Instruction& i, LaneMask mask);
/// Arrival of bar.red with predicate p. Another instruction reads the result.
void executeBarrierReduction(Warp& warp, const Instruction& i, LaneMask mask);

// Calls of functions that are not inlined (call_ops.cpp).
/// Copy words between rows (vector[0..elements)) and the frame of a callee, from call.frameByte on:
/// an argument into it, a result out of it.
void executeArgument(Warp& warp, const Instruction& i, LaneMask mask);
void executeResult(Warp& warp, const Instruction& i, LaneMask mask);
/// call. a: the function's address, if not call.direct. Lanes part by the function they call, and
/// meet behind the call.
void executeCall(Warp& warp, const Instruction& i, LaneMask mask);
/// First instruction of a called function: fills the rows of its frame that are no parameters.
void executePrologue(Warp& warp, const Instruction& i, LaneMask mask);
/// Marks the end of a called function, where its paths join. It is never executed.
void executeReturn(Warp& warp, const Instruction& i, LaneMask mask);

// Warp-wide (warp_ops.cpp).
/// Returns row k of vote, shfl, activemask, match and redux, or nullptr behind the last.
const Form* warpForm(std::size_t k);
/// bar.warp.sync. a: member mask.
void executeWarpSync(Warp& warp, const Instruction& i, LaneMask mask);

// Atomics (atomic_ops.cpp). vector[0]: operand; vector[1]: second operand of cas; d, if
// writesResult.
enum class AtomicOp : std::uint8_t { Add, Min, Max, Inc, Dec, Exch, Cas, And, Or, Xor };
/// Returns the handler, or nullptr if PTX has no such form.
Handler atomicHandler(AtomicOp op, Type type);
/// Returns the handler of an exch or cas of 16 bytes. vector: halves of the operand, then of the
/// second operand; d, c: halves of the result.
Handler wideAtomicHandler(AtomicOp op);
/// Returns what carries out an operation on one element, given its operand; nullptr: there is no
/// such operation on the type.
StoreLog::Update combination(AtomicOp op, Type type);
/// First part of an atomic: fills in lanes, addresses and the data read, with all checks. Updates
/// nothing.
void readAtomic(Warp& warp, const Instruction& i, LaneMask mask);

/// Begins a copy of the lanes, whose fields the caller fills (async_copies.cpp). It belongs to the
/// warp's group.
PendingCopy& beginCopy(Warp& warp, const Instruction& i, LaneMask lanes, WarpInstruction& out);
/// Stores the warp's copies to global memory that it has not waited for.
void landOut(Warp& warp);
/// cp.async.mbarrier.arrive (async_copies.cpp). b, copy.sharedOffset, wideData: the mbarrier at
/// which the lanes arrive after their earlier copies.
void executeCopyArrival(Warp& warp, const Instruction& i, LaneMask mask);
/// First part of tcgen05.commit, an arrival as above. b, tensor.sharedOffset, wideData: the
/// mbarrier.
void executeProductArrival(Warp& warp, const Instruction& i, LaneMask mask);

/// mbarrier (mbarrier.cpp). a, offset, wideBase: address; vector[0]: count or bytes; d: the earlier
/// word, if mbarrier.returnsState.
void executeMBarrier(Warp& warp, const Instruction& i, LaneMask mask);

// Textures (texture_ops.cpp). a: handle; b, c, d: rows of x, y and z or the layer; vector: results;
// pd: all resident.
void executeTexture(Warp& warp, const Instruction& i, LaneMask mask);
/// tld4: one channel of the four texels that a linear filter would weigh.
void executeGather(Warp& warp, const Instruction& i, LaneMask mask);
/// txq and suq. d.
enum class ArrayQuery : std::uint8_t { Width, Height, Depth, Layers, Normalised, Levels, Samples };
void executeQuery(Warp& warp, const Instruction& i, LaneMask mask);
/// suld and sust. a, b, c, d: as for textures; vector, elements: data.
enum class SurfaceEdge : std::uint8_t { Trap, Clamp, Zero };
void executeSurface(Warp& warp, const Instruction& i, LaneMask mask);

/// Makes the instruction, whose handler rounds to nearest, round in another direction
/// (directed_ops.cpp).
void roundTo(Instruction& i, Rounding rounding);

// Approximate functions (approximate_ops.cpp), half precision and bfloat16 (half_ops.cpp).
/// Return row k of their forms, or nullptr behind the last.
const Form* approximateForm(std::size_t k);
const Form* halfForm(std::size_t k);
/// Return the handlers of comparisons of halves. setp: pd, qd. set: d; offset: value of a half for
/// which the comparison holds.
Handler halfPredicateHandler(Type type);
Handler halfSetHandler(Type type);
// Moves of odd shapes (moves.cpp).
/// mov of %clock, %clock64 or %globaltimer. d, wideData.
void executeClock(Warp& warp, const Instruction& i, LaneMask mask);
/// mov.b64 d, {a, b}. vector, elements.
void executePack(Warp& warp, const Instruction& i, LaneMask mask);
/// mov.b64 {a, b}, a. vector, elements.
void executeUnpack(Warp& warp, const Instruction& i, LaneMask mask);
/// cvta of a space with a window. a, wideBase; offset: what it adds.
void executeAddOffset(Warp& warp, const Instruction& i, LaneMask mask);
/// Load and store of a function's parameter, which lies in rows. vector: rows of the words that
/// hold the bytes; offset: byte within the first word; bytesPerLane: bytes accessed;
/// registerBytes, wideData, signExtend.
void executeFrameLoad(Warp& warp, const Instruction& i, LaneMask mask);
void executeFrameStore(Warp& warp, const Instruction& i, LaneMask mask);
}  // namespace fermata::ptx
