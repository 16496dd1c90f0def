// Handlers that need no second copy for a wider instruction set: control, warp-wide, atomics,
// textures, rounding modes, transcendental functions, carries, predicates.
//
// Each comment names the instruction, then the fields of Instruction that its handler uses: p, pd
// and qd are predicates, other letters rows.
#pragma once

#include <fermata/stimuli/ptx/forms.h>
#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/lane_ops.h>
#include <fermata/stimuli/ptx/types.h>

namespace fermata::ptx {

// Control (control_ops.cpp). Each handler sets the PC itself if execution does not go on at the
// next instruction.
void executeBranch(Warp& warp, const Instruction& i, LaneMask mask);
/// bra back to the beginning of a loop that may wait for other threads.
void executeWaitingBranch(Warp& warp, const Instruction& i, LaneMask mask);
/// brx.idx. a: index.
void executeIndexedBranch(Warp& warp, const Instruction& i, LaneMask mask);
void executeExit(Warp& warp, const Instruction& i, LaneMask mask);
void executeTrap(Warp& warp, const Instruction& i, LaneMask mask);
void executeNothing(Warp& warp, const Instruction& i, LaneMask mask);
/// vprintf (printf_ops.cpp); counts the calls. vector: words of the addresses of format and
/// arguments, lower first; d: how many arguments it took, or -1 without a format, if writesResult.
void executePrintf(Warp& warp, const Instruction& i, LaneMask mask);
/// Device malloc and free (heap_ops.cpp). vector: words of the size or the address, lower first,
/// then words of the address that malloc returns.
void executeMalloc(Warp& warp, const Instruction& i, LaneMask mask);
void executeFree(Warp& warp, const Instruction& i, LaneMask mask);
/// __assertfail. vector[0..2): generic addresses of message and file, wideBase: their width;
/// vector[2]: line.
void executeAssertFail(Warp& warp, const Instruction& i, LaneMask mask);
/// bar.sync and bar.arrive. a: barrier number; b: threads, or 0 in a constant row.
void executeBarrier(Warp& warp, const Instruction& i, LaneMask mask);
/// Arrival of bar.red with predicate p. executeBarrierResult reads the result.
void executeBarrierReduction(Warp& warp, const Instruction& i, LaneMask mask);
/// Result of bar.red: Count to d, And and Or to pd.
enum class BarrierResult : std::uint8_t { Count, And, Or };
void executeBarrierResult(Warp& warp, const Instruction& i, LaneMask mask);

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
/// elect. a: member mask; d: the lowest lane of the group; pd: true in that lane.
void executeElect(Warp& warp, const Instruction& i, LaneMask mask);
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
/// First part of an atomic: fills in lanes, addresses and the data read, with all checks. Updates
/// nothing.
void readAtomic(Warp& warp, const Instruction& i, LaneMask mask);

// Asynchronous copies (copy_ops.cpp).
/// cp.async. a, offset, wideBase: global address; b, copy.sharedOffset, wideData: shared address;
/// c: bytes to read, if copy.limited; p: lanes that read nothing.
void executeCopy(Warp& warp, const Instruction& i, LaneMask mask);
/// cp.async.bulk: copies a block of c bytes, addresses as for executeCopy, in several executions.
/// Then executeBulkArrival counts its c bytes at the mbarrier (b, copy.sharedOffset, wideData).
void executeBulkCopy(Warp& warp, const Instruction& i, LaneMask mask);
void executeBulkArrival(Warp& warp, const Instruction& i, LaneMask mask);
/// cp.async.mbarrier.arrive. b, copy.sharedOffset, wideData: the mbarrier at which the lanes arrive
/// after their earlier copies.
void executeCopyArrival(Warp& warp, const Instruction& i, LaneMask mask);
void executeCommitGroup(Warp& warp, const Instruction& i, LaneMask mask);
/// cp.async.wait_group. groupsLeft: groups that may still be pending.
void executeWaitGroup(Warp& warp, const Instruction& i, LaneMask mask);

// mbarrier (mbarrier_ops.cpp). a, offset, wideBase: address; vector[0]: count or bytes; d: the
// earlier word, if mbarrier.returnsState.
enum class MBarrierOp : std::uint8_t {
  Init,
  Invalidate,
  Arrive,
  ExpectArrive,
  Expect,
  Complete,
  Increment
};
void executeMBarrier(Warp& warp, const Instruction& i, LaneMask mask);
/// test_wait and try_wait. vector[0]: a token or a parity; pd.
void executeMBarrierTest(Warp& warp, const Instruction& i, LaneMask mask);
void executePendingCount(Warp& warp, const Instruction& i, LaneMask mask);

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

// Approximate functions (approximate_ops.cpp), half precision and bfloat16 (half_ops.cpp,
// half_convert.cpp).
/// Return row k of their forms, or nullptr behind the last.
const Form* approximateForm(std::size_t k);
const Form* halfForm(std::size_t k);
/// Return the handlers of comparisons of halves. setp: pd, qd. set: d; offset: value of a half for
/// which the comparison holds.
Handler halfPredicateHandler(Type type);
Handler halfSetHandler(Type type);
/// Returns the handler of a cvt whose fields are all set. wideData, wideBase: widths of the rows d
/// and a.
Handler halfConvertHandler(const Instruction& i);
/// cvt of two f32 to a pair. a: upper half; b: lower half; conversion.to: type of one half.
void executeHalfPack(Warp& warp, const Instruction& i, LaneMask mask);
void executeToTf32(Warp& warp, const Instruction& i, LaneMask mask);

// Pairs of 8-bit floats (half_convert.cpp). floatFlags: kReluFlag and the two below. a: upper
// value, b: lower value; with kPairSourceFlag a holds both as f16x2.
inline constexpr std::uint8_t kE5m2Flag = 8;
inline constexpr std::uint8_t kPairSourceFlag = 16;
void executeToFloat8(Warp& warp, const Instruction& i, LaneMask mask);
void executeFromFloat8(Warp& warp, const Instruction& i, LaneMask mask);

// Words (word_ops.cpp). a, b, c, d.
enum class Video : std::uint8_t { Add, Sub, AbsDiff, Min, Max, Average, Set };
enum class VideoSecond : std::uint8_t { None, Add, Min, Max };
/// vadd, vsub, vabsdiff, vmin, vmax, vavrg, vset.
void executeVideo(Warp& warp, const Instruction& i, LaneMask mask);

// Moves of odd shapes (move_ops.cpp).
/// mov of %clock, %clock64 or %globaltimer. d, wideData.
void executeClock(Warp& warp, const Instruction& i, LaneMask mask);
/// mov.b64 {a, b}, c and back. vector, elements.
void executeUnpack(Warp& warp, const Instruction& i, LaneMask mask);
void executePack(Warp& warp, const Instruction& i, LaneMask mask);
/// Adds `offset` to a (cvta): wideBase source, wideData destination.
void executeAddOffset(Warp& warp, const Instruction& i, LaneMask mask);
/// mapa. a: address; b: rank of the CTA in its cluster; d; wideBase, wideData.
void executeMapAddress(Warp& warp, const Instruction& i, LaneMask mask);
/// isspacep. a: generic address; pd.
void executeIsSpace(Warp& warp, const Instruction& i, LaneMask mask);
/// Load and store of a function's parameter, which lies in rows. vector: rows of the words that
/// hold the bytes; offset: byte within the first word; bytesPerLane: bytes accessed;
/// registerBytes, wideData, signExtend.
void executeFrameLoad(Warp& warp, const Instruction& i, LaneMask mask);
void executeFrameStore(Warp& warp, const Instruction& i, LaneMask mask);
/// cvt whose registers are wider than its types: narrows a (wideBase: 64-bit) to a row, converts
/// between the rows c -> b with `inner`, and extends b, of type conversion.to, to d.
/// signExtend.
void executeWideConvert(Warp& warp, const Instruction& i, LaneMask mask);

}  // namespace fermata::ptx
