// Instructions of a warp, as the timing model sees them. No SystemC, no file format.
//
// A StaticInstruction holds what the decoder knows of a PC; a WarpInstruction holds what one
// execution adds. The split keeps the issue stage (which only looks) apart from execution (which
// happens at issue).
#pragma once

#include <array>
#include <cstdint>

#include <fermata/models/vocabulary/cycle.h>

namespace fermata {

/// Lanes of a warp.
inline constexpr unsigned kWarpLanes = 32;

/// Bit i stands for lane i.
using LaneMask = std::uint32_t;
/// Number of a register in the scoreboard of a warp: 0 <= id < Grid::registerCount.
using RegisterId = std::uint16_t;

inline constexpr LaneMask kAllLanes = 0xffffffffU;

/// Returns the number of lanes in a mask. Not __builtin_popcount: on a target without a popcount
/// instruction that is a call into libgcc.
constexpr unsigned laneCount(LaneMask lanes) {
  if (lanes == kAllLanes) return kWarpLanes;
  lanes -= lanes >> 1 & 0x55555555U;
  lanes = (lanes & 0x33333333U) + (lanes >> 2 & 0x33333333U);
  return ((lanes + (lanes >> 4)) & 0x0f0f0f0fU) * 0x01010101U >> 24;
}

enum class InstructionClass : std::uint8_t {
  Integer,
  Float,
  Special,  ///< transcendental and float division: the special function unit
  Double,
  Branch,
  Barrier,
  Memory,
  Exit,
  Tensor,    ///< products of matrices: the tensor unit
  Division,  ///< integer division and remainder: on hardware a sequence of instructions
  Multiply,  ///< integer multiply-add in the units for floats; only machine code has this class
};
inline constexpr unsigned kInstructionClasses = 11;

enum class MemorySpace : std::uint8_t {
  None,
  Shared,
  Global,
  Local,
  Constant,
  Parameter,
  Texture,
  Generic
};

enum class MemoryOperation : std::uint8_t { Load, Store, Atomic };

/// Kinds of atomics that a machine may serve in ways of their own (atomic_table.h).
enum class AtomicForm : std::uint8_t {
  Plain,  ///< integer operation of 32 bits, exchange of any width
  Count,  ///< addition of the constant 1 whose result nothing reads; arrival at an mbarrier
  Swap,   ///< compare and swap
  Float,  ///< addition of a 32-bit float
  Double,
  Half,  ///< addition of one half or two
  Wide,  ///< integer operation of 64 bits, other than an exchange
  Spin,  ///< swap in a loop that stands for another form; no workload gives it
};

/// Arithmetic that a machine may time apart from the others of its class (pipeline_parameters.h).
enum class Arithmetic : std::uint8_t {
  Sum,   ///< also every operation that has no name below
  Move,  ///< one step of logic: moves, comparisons, selections, conversions, shifts, bits
  Product,
  MultiplyAdd,
  Extremum,
  Exchange,  ///< between the lanes of the warp
  Quotient,
  Function,  ///< reciprocals, roots, powers, logarithms, sines
};
inline constexpr unsigned kArithmetics = 8;

/// Role of an instruction in the asynchronous copies of its warp.
enum class CopyStep : std::uint8_t {
  None,
  /// Begins a copy: a load from global memory that needs no register. The data go on to shared
  /// memory without an instruction (Workload::storeCopy), and the warp does not wait.
  Begin,
  Arrive,  ///< begins a copy that is stored behind the warp's earlier copies
  Commit,  ///< closes the warp's group of copies, if any lane executes it
  /// Begins a copy that an engine carries out for the warp. Its end is counted at an mbarrier; it
  /// belongs to no group. An instruction may begin several: the warp executes it for each.
  Bulk,
  BulkOut,    ///< a Bulk copy from shared to other memory, in the warp's group of copies
  Complete,   ///< begins a copy that is stored behind the warp's earlier Bulk copies
  AwaitRead,  ///< with `groupsLeft`: waits until the copies have read, not until they are stored
};

/// The facts of an instruction that are known before it executes.
struct StaticInstruction {
  static constexpr unsigned kMaxReads = 12;  ///< mma: 4, 2 and 4 for the matrices, a predicate
  static constexpr unsigned kMaxWrites = 4;  ///< v4 load, mma
  /// Value of `tensorWork` for a product of 16x16 by 16x8 halves.
  static constexpr unsigned kTensorWork = 8;
  std::uint32_t pc = 0;  ///< index into the program: 0 <= pc < Grid::instructionCount
  InstructionClass instructionClass = InstructionClass::Integer;
  MemorySpace space = MemorySpace::None;  ///< Generic: known only from the execution
  MemoryOperation operation = MemoryOperation::Load;
  std::uint8_t bytesPerLane = 0;  ///< whole access of a lane: element size times vector length
  /// Value of `groupsLeft` for an instruction that waits for no copies.
  static constexpr std::uint8_t kAnyGroups = 255;
  bool fence = false;  ///< issues only when memory has answered the warp's earlier accesses
  /// True if other warps wait for what the instruction gives back, such as a lock. It issues before
  /// instructions that are not urgent. The core checks this flag when the outcome of a try has come
  /// (WarpInstruction::takesOutcome).
  bool urgent = false;
  /// True if the instruction reads what another warp may change, so that a waiting warp repeats it.
  /// A repeated poll issues behind the other instructions of its scheduler (class Memory).
  bool polls = false;
  /// True if the warp waits before the instruction until what it waits for has come, or a time is
  /// over: Workload::sleep(). Class Memory: a test of mbarriers. Class Integer: a pause.
  bool suspends = false;
  bool arrives = false;  ///< operation Atomic: changes mbarriers, for which others may wait
  /// Class Memory: a unit reads for itself, not for lanes. Its passes follow one another directly.
  bool streams = false;
  /// Class Memory: 8x8 matrices that the warp moves (ldmatrix, stmatrix): 1, 2 or 4. Lane 8 m + r
  /// names row r of matrix m, and each lane gets or gives one register of each matrix. 0: the
  /// bytes that a lane names are its own.
  std::uint8_t matrices = 0;
  CopyStep copyStep = CopyStep::None;
  /// The instruction issues when the warp's copies are stored, except those of its last
  /// `groupsLeft` groups.
  std::uint8_t groupsLeft = kAnyGroups;
  std::uint8_t readCount = 0;
  std::uint8_t writeCount = 0;
  /// Class Tensor: multiply-adds times bits of a factor, scaled so that a product of 16x16 by 16x8
  /// halves has kTensorWork. With memory space Shared the instruction is a product of a warp group,
  /// whose factors lie in shared memory.
  std::uint16_t tensorWork = 0;
  bool floatSums = false;               ///< class Tensor: the sums are f32
  AtomicForm form = AtomicForm::Plain;  ///< operation Atomic
  /// No class of memory, branch, barrier or exit. Class Tensor: Product, of a warp group.
  Arithmetic arithmetic = Arithmetic::Sum;
  bool unread = false;       ///< operation Atomic: no instruction reads its result
  bool addressRead = false;  ///< class Memory: the first register read is one of the address
  bool passesL1 = false;     ///< operation Load: neither looks into the L1 nor leaves data there
  bool multicasts = false;   ///< a Bulk copy that may go to several CTAs of the cluster
  std::array<RegisterId, kMaxReads> reads{};
  std::array<RegisterId, kMaxWrites> writes{};
  /// Register that stands, for instructions which a predicate guards, for the predicate that this
  /// one writes: their guard comes later than an operand (branch.guard_latency).
  RegisterId guard = kNoGuard;
  static constexpr RegisterId kNoGuard = 0xffff;

  bool beginsCopy() const {
    return copyStep != CopyStep::None && copyStep != CopyStep::Commit &&
           copyStep != CopyStep::AwaitRead;
  }
  /// Returns the space in which the copy is stored.
  MemorySpace targetSpace() const {
    return copyStep == CopyStep::BulkOut ? MemorySpace::Global : MemorySpace::Shared;
  }
  /// True if the copy is carried out by an engine.
  bool ofEngine() const { return copyStep == CopyStep::Bulk || copyStep == CopyStep::BulkOut; }
};

/// A step of a locked atomic (lock_unit.h).
enum class LockStep : std::uint8_t {
  None,
  Read,   ///< reads and locks; lanes that do not get their lock are left
  Write,  ///< writes and unlocks
};

/// One execution of an instruction by a warp. Only the fields that the instruction's class uses are
/// set.
struct WarpInstruction {
  static constexpr unsigned kMaxBytesPerLane = 16;
  using LaneData = std::array<std::array<std::uint8_t, kMaxBytesPerLane>, kWarpLanes>;

  std::uint32_t pc = 0;
  LaneMask active = 0;  ///< lanes that execute: active and predicated on

  // Barrier.
  /// 0 to 15; from 16 on of a wave64 (barrier_unit.h); from kClusterArrive on of the cluster.
  std::uint16_t barrier = 0;
  bool barrierWaits = true;          ///< false: bar.arrive
  std::uint32_t barrierThreads = 0;  ///< threads that take part; 0: all of the CTA

  // Memory.
  MemorySpace space = MemorySpace::None;  ///< never Generic
  MemoryOperation operation = MemoryOperation::Load;
  std::uint8_t bytesPerLane = 0;
  /// True: the producer is told the outcome of the try (Workload::responded) and brings the lanes
  /// left in another instruction. False: the core tries lanes left again until all are served.
  bool takesOutcome = false;
  LockStep lock = LockStep::None;
  /// Number of the copy that the instruction begins (StaticInstruction::beginsCopy), unique within
  /// the warp; kNoCopy: none. Lanes of a copy that read nothing are not `active`.
  static constexpr std::uint64_t kNoCopy = ~std::uint64_t{0};
  std::uint64_t copy = kNoCopy;
  /// True when `data` (and `before`, for atomics) hold what the executor's memory saw.
  bool hasData = false;
  /// Byte address of each active lane. Shared: offset in the CTA's window, or an address that names
  /// a CTA of the cluster (cluster.h). Global and Local: an address of the device memory. Aligned
  /// to bytesPerLane, as PTX demands even of vectors.
  alignas(64) std::array<std::uint64_t, kWarpLanes> address;
  /// Load: value read; store: value written; atomic: value after this lane.
  alignas(64) LaneData data;
  alignas(64) LaneData before;  ///< atomic: value before this lane (lanes act in rising order)

  /// Resets the fields that a producer may leave unset, where instructions are pooled.
  void clear() {
    takesOutcome = false;
    lock = LockStep::None;
    copy = kNoCopy;
    hasData = false;
  }
};

}  // namespace fermata
