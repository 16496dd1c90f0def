// Handlers that need no second copy for a wider instruction set: control, warp-wide, atomics,
// textures, rounding modes, transcendental functions, carries, predicates.
#pragma once

#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/lane_ops.h>
#include <fermata/stimuli/ptx/types.h>

namespace fermata::ptx {

// Control (control_ops.cpp). All set the PC themselves where it is not the next.
void executeBranch(Warp& warp, const Instruction& i, LaneMask mask);
/// bra back to the beginning of a loop that may wait for other threads; mode: 1 it does nothing
/// else.
void executeWaitingBranch(Warp& warp, const Instruction& i, LaneMask mask);
/// a: index, target: a row of KernelCode::branchTargets.
void executeIndexedBranch(Warp& warp, const Instruction& i, LaneMask mask);
void executeExit(Warp& warp, const Instruction& i, LaneMask mask);
void executeTrap(Warp& warp, const Instruction& i, LaneMask mask);
void executeNothing(Warp& warp, const Instruction& i, LaneMask mask);
/// vector: words of the addresses of format and arguments, lower first; d: how many arguments it
/// took, or -1 (flags: 1 has one). Counts the calls (printf_ops.cpp).
void executePrintf(Warp& warp, const Instruction& i, LaneMask mask);
/// Device malloc and free (heap_ops.cpp). vector: words of the size or the address, lower first,
/// then of the address that malloc gives.
void executeMalloc(Warp& warp, const Instruction& i, LaneMask mask);
void executeFree(Warp& warp, const Instruction& i, LaneMask mask);
/// vector[0..2): generic addresses of message and file, vector[2]: line; wideBase: their width.
void executeAssertFail(Warp& warp, const Instruction& i, LaneMask mask);
/// a: number, b: threads or 0 in a constant row; flags: 1 waits.
void executeBarrier(Warp& warp, const Instruction& i, LaneMask mask);
/// The arrival of bar.red with predicate p; its result is read by executeBarrierResult.
void executeBarrierReduction(Warp& warp, const Instruction& i, LaneMask mask);
/// mode: 0 popc to d, 1 and to pd, 2 or to pd.
void executeBarrierResult(Warp& warp, const Instruction& i, LaneMask mask);

// Calls of what is not inlined (call_ops.cpp).
/// Copies of words between rows (vector[0..elements)) and the frame of a callee, from byte
/// `target`.
void executeArgument(Warp& warp, const Instruction& i, LaneMask mask);
void executeResult(Warp& warp, const Instruction& i, LaneMask mask);
/// flags: 1 target: an index in KernelCode::called; else a: the address of a function, of a row of
/// KernelCode::callTargets. The lanes part by what they call, and meet behind the call.
void executeCall(Warp& warp, const Instruction& i, LaneMask mask);
/// What a function finds in its frame besides its parameters; target: it, in KernelCode::called.
void executePrologue(Warp& warp, const Instruction& i, LaneMask mask);
/// The end of a called function, at which its paths join: nothing executes it.
void executeReturn(Warp& warp, const Instruction& i, LaneMask mask);

// Warp-wide (warp_ops.cpp).
enum class Vote : std::uint8_t { All, Any, Uniform, Ballot };
/// p: source; c: member mask row; mode: Vote; pd or d. flags: 1 the member mask counts (.sync).
void executeVote(Warp& warp, const Instruction& i, LaneMask mask);
enum class Shuffle : std::uint8_t { Up, Down, Butterfly, Index };
/// a: value, b: lane or delta, c: clamp and segments, vector[0]: member mask (flags: 1), d, pd.
void executeShuffle(Warp& warp, const Instruction& i, LaneMask mask);
void executeActiveMask(Warp& warp, const Instruction& i, LaneMask mask);
/// a: value (wideData: 64-bit), c: member mask; mode: 0 any, 1 all; d, pd.
void executeMatch(Warp& warp, const Instruction& i, LaneMask mask);
/// c: member mask; d: the lowest of the lanes, pd: whether it is this one.
void executeElect(Warp& warp, const Instruction& i, LaneMask mask);
/// bar.warp.sync, c: member mask.
void executeWarpSync(Warp& warp, const Instruction& i, LaneMask mask);
enum class Reduce : std::uint8_t { Add, Min, Max, And, Or, Xor };
/// a, c: member mask; mode: Reduce; flags: 2 signed.
void executeReduce(Warp& warp, const Instruction& i, LaneMask mask);

// Atomics (atomic_ops.cpp). vector[0]: operand, vector[1]: second of cas; d; flags: 1 has a result.
enum class AtomicOp : std::uint8_t { Add, Min, Max, Inc, Dec, Exch, Cas, And, Or, Xor };
/// nullptr when PTX has no such form.
Handler atomicHandler(AtomicOp op, Type type);
/// Of 16 bytes, exch and cas; vector: the halves of the operand, then of the second; d, c: of the
/// result.
Handler wideAtomicHandler(AtomicOp op);
/// The lanes and addresses of an atomic, checked, and what is there: nothing is updated.
void readAtomic(Warp& warp, const Instruction& i, LaneMask mask);

// Asynchronous copies (copy_ops.cpp).
/// a, offset, wideBase: global address; b, target, wideData: shared address; c: bytes that are
/// read (flags: 1), p: lanes that read nothing.
void executeCopy(Warp& warp, const Instruction& i, LaneMask mask);
/// A block of c bytes, addresses as above, in several executions; then (b, target, wideData: an
/// mbarrier) its bytes there.
void executeBulkCopy(Warp& warp, const Instruction& i, LaneMask mask);
void executeBulkArrival(Warp& warp, const Instruction& i, LaneMask mask);
/// b, target, wideData: an mbarrier, where the lanes arrive behind their copies.
void executeCopyArrival(Warp& warp, const Instruction& i, LaneMask mask);
void executeCommitGroup(Warp& warp, const Instruction& i, LaneMask mask);
/// groupsLeft.
void executeWaitGroup(Warp& warp, const Instruction& i, LaneMask mask);

// mbarrier (mbarrier_ops.cpp). An address; vector[0]: count or bytes; mode: MBarrierOp; target: 1
// drops, 2 must not complete; flags: 1 the word before goes to d.
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
/// vector[0]: a token or (flags: 1) a parity; pd.
void executeMBarrierTest(Warp& warp, const Instruction& i, LaneMask mask);
void executePendingCount(Warp& warp, const Instruction& i, LaneMask mask);

// Textures (texture_ops.cpp). a: handle; b, c, d: rows of x, y and z or the layer; vector: results;
// mode: dimensions; flags: 1 coordinates are f32, 2 results are f32, 4 layered; pd: all resident.
void executeTexture(Warp& warp, const Instruction& i, LaneMask mask);
/// The four texels that a linear filter would weigh; target: the channel.
void executeGather(Warp& warp, const Instruction& i, LaneMask mask);
/// txq and suq; d; mode: ArrayQuery; flags: 1 of a surface.
enum class ArrayQuery : std::uint8_t { Width, Height, Depth, Layers, Normalised, One };
void executeQuery(Warp& warp, const Instruction& i, LaneMask mask);
/// a, b, c, d, mode as of a texture; vector: data; elements; mode: SurfaceEdge; target: dimensions.
enum class SurfaceEdge : std::uint8_t { Trap, Clamp, Zero };
void executeSurface(Warp& warp, const Instruction& i, LaneMask mask);

// Rounding to zero, down, up (directed_ops.cpp). Nearest belongs to the lane table.
enum class Direction : std::uint8_t { Zero, Down, Up };
enum class DirectedOp : std::uint8_t { Add, Sub, Mul, Div, Fma, Sqrt, Rcp };
/// mode: Direction; flags: kFlushFlag, kSaturateFlag.
Handler directedHandler(DirectedOp op, Type type);
/// cvt from an integer or f64 to a float, with a direction.
Handler directedConvertHandler(Type to, Type from);

// Approximate functions (approximate_ops.cpp); flags: kFlushFlag.
enum class Approximate : std::uint8_t {
  Sin,
  Cos,
  Ex2,
  Lg2,
  Rsqrt,
  Sqrt,
  Rcp,
  Div,
  Tanh,
  RsqrtF64,
  RcpF64
};
Handler approximateHandler(Approximate function);
/// min and max .xorsign.abs of f32: of the magnitudes, with the signs' XOR; mode: 1 min, 2 .NaN;
/// flags: kFlushFlag.
void executeXorSignExtreme(Warp& warp, const Instruction& i, LaneMask mask);
/// testp: mode is a TestProperty, pd.
enum class TestProperty : std::uint8_t { Finite, Infinite, Number, NotANumber, Normal, Subnormal };
Handler testPropertyHandler(Type type);

// Half precision and bfloat16 (half_ops.cpp, half_convert.cpp). flags: kFlushFlag, kSaturateFlag,
// kReluFlag, and of min and max kNanFlag, kXorSignFlag.
enum class HalfOp : std::uint8_t { Add, Sub, Mul, Fma, Min, Max, Neg, Abs, Ex2, Tanh };
inline constexpr std::uint8_t kReluFlag = 4;
inline constexpr std::uint8_t kNanFlag = 8;
inline constexpr std::uint8_t kXorSignFlag = 16;
Handler halfHandler(HalfOp op, Type type);
/// setp; target: Compare, mode: Combine, pd, qd: of a pair the upper half.
Handler halfPredicateHandler(Type type);
/// set; offset: what holds gives, elements: 2 compares and writes both halves.
Handler halfSetHandler(Type type);
/// target, reconverge: the types; mode: HalfRounding, elements: Rounding to an integer;
/// bytesPerLane: of the destination's register; wideBase, wideData: of the rows. All is set.
Handler halfConvertHandler(const Instruction& i);
/// a: upper half, b: lower; target: the type of one; mode: HalfRounding.
void executeHalfPack(Warp& warp, const Instruction& i, LaneMask mask);
void executeToTf32(Warp& warp, const Instruction& i, LaneMask mask);

// Pairs of 8-bit floats (float8_convert.cpp). flags: kReluFlag and these. a: upper byte, b: lower;
// with kPairSourceFlag a: both, f16x2.
inline constexpr std::uint8_t kE5m2Flag = 8;
inline constexpr std::uint8_t kPairSourceFlag = 16;
void executeToFloat8(Warp& warp, const Instruction& i, LaneMask mask);
void executeFromFloat8(Warp& warp, const Instruction& i, LaneMask mask);

// Words (word_ops.cpp). a, b, c, d.
enum class Video : std::uint8_t { Add, Sub, AbsDiff, Min, Max, Average, Set };
enum class VideoSecond : std::uint8_t { None, Add, Min, Max };
inline constexpr std::uint8_t kVideoSaturate = 1;
inline constexpr std::uint8_t kVideoSignedA = 2;
inline constexpr std::uint8_t kVideoSignedB = 4;
inline constexpr std::uint8_t kVideoSignedResult = 8;
/// mode: Video, elements: parts of the word; target: VideoSecond, with c; reconverge: Compare.
void executeVideo(Warp& warp, const Instruction& i, LaneMask mask);
/// mode: 1 .hi; flags: kVideoSignedA, kVideoSignedB.
void executeDp2a(Warp& warp, const Instruction& i, LaneMask mask);
/// mode: 1 .clamp, 0 .wrap; of szext kVideoSignedA.
void executeBitMask(Warp& warp, const Instruction& i, LaneMask mask);
void executeExtend(Warp& warp, const Instruction& i, LaneMask mask);
void executeFindSet(Warp& warp, const Instruction& i, LaneMask mask);

// Carries (carry_ops.cpp); flags: 1 carry in, 2 carry out.
enum class CarryOp : std::uint8_t { Add, Sub, MadLo, MadHi };
Handler carryHandler(CarryOp op, Type type);
/// add.sat.s32, sub.sat.s32 and mad.hi.sat.s32.
Handler saturatingHandler(CarryOp op);

// Moves of odd shapes (move_ops.cpp).
enum class PredicateOp : std::uint8_t { And, Or, Xor, Not, Move };
/// p and vector operand (vector[0]: number, vector[1]: flip) -> pd; mode: PredicateOp.
void executePredicate(Warp& warp, const Instruction& i, LaneMask mask);
/// mov of what time it is: %clock, %clock64, %globaltimer; wideData; flags: 1 upper half, 2
/// nanoseconds.
void executeClock(Warp& warp, const Instruction& i, LaneMask mask);
/// mov.b64 {a, b}, c and back: elements, mode: bytes of an element.
void executeUnpack(Warp& warp, const Instruction& i, LaneMask mask);
void executePack(Warp& warp, const Instruction& i, LaneMask mask);
/// Adds `offset` to a (cvta): wideBase source, wideData destination.
void executeAddOffset(Warp& warp, const Instruction& i, LaneMask mask);
/// mapa: a is the address, b the CTA's rank in its cluster; d, wideBase, wideData.
void executeMapAddress(Warp& warp, const Instruction& i, LaneMask mask);
/// isspacep: a is a generic address, mode a MemorySpace, pd.
void executeIsSpace(Warp& warp, const Instruction& i, LaneMask mask);
/// Parameters of functions live in rows. vector: rows of the words that hold the bytes, offset: the
/// byte within the first, mode: bytes of the register, wideData and signExtend; bytesPerLane.
void executeFrameLoad(Warp& warp, const Instruction& i, LaneMask mask);
void executeFrameStore(Warp& warp, const Instruction& i, LaneMask mask);
/// A conversion whose registers are wider than its types: a (wideBase: 64-bit) is narrowed to a
/// row, `inner` converts between the rows c -> b, and b is extended to d. mode: bytes of d;
/// signExtend; reconverge: bytes of the type that b holds.
void executeWideConvert(Warp& warp, const Instruction& i, LaneMask mask);

}  // namespace fermata::ptx
