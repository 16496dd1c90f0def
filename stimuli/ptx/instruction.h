// A decoded instruction, and the code of a kernel.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fermata/models/vocabulary/warp_instruction.h>
#include <fermata/stimuli/ptx/ast.h>
#include <fermata/stimuli/ptx/module.h>
#include <fermata/stimuli/ptx/types.h>

namespace fermata::ptx {

struct Warp;
struct Instruction;

/// Executes one instruction on the lanes of a mask that is never empty.
using Handler = void (*)(Warp&, const Instruction&, LaneMask);

/// A row holds one value per lane: 32 words of 4 bytes (types up to 32 bits; 8- and 16-bit values
/// are zero-extended) or of 8 bytes. A Row is the byte offset of a row in the registers of the warp
/// or, with kConstantBit, in the constants of the launch.
using Row = std::uint32_t;
inline constexpr Row kConstantBit = 0x80000000U;
/// Marks, while called functions are decoded, an offset in the wide rows of a frame.
inline constexpr Row kCalledWideBit = 0x40000000U;
inline constexpr unsigned kRowBytes = 4 * kWarpLanes;
inline constexpr unsigned kWideRowBytes = 8 * kWarpLanes;

/// Number of the predicate that is always true. Predicates are lane masks, numbered from 0.
inline constexpr std::uint16_t kTruePredicate = 0;
/// Number of the predicate for results that nobody reads.
inline constexpr std::uint16_t kSinkPredicate = 1;
inline constexpr std::uint16_t kFirstPredicate = 2;

// Defined by handlers.h, lane_ops.h, half.h or the file that decodes them.
enum class ArrayQuery : std::uint8_t;
enum class BarrierResult : std::uint8_t;
enum class Combine : std::uint8_t;
enum class Compare : std::uint8_t;
enum class MBarrierOp : std::uint8_t;
enum class Rounding : std::uint8_t;
enum class SurfaceEdge : std::uint8_t;
enum class Video : std::uint8_t;
enum class VideoSecond : std::uint8_t;

/// bra and brx.idx.
struct BranchOperands {
  std::uint32_t target;      ///< PC; of brx.idx an index in KernelCode::branchTargets
  std::uint32_t reconverge;  ///< PC of the immediate post-dominator or kNoReconvergence
  /// bra: where a warp's lanes part, lanes that do not take the branch go first. brx.idx: lanes
  /// that come to a barrier go last.
  bool fallThroughFirst;
  bool onlyWaits;  ///< the loop that a branch closes does nothing but wait
};
struct CallOperands {
  std::uint32_t callee;     ///< index in KernelCode::called; if not direct, in callTargets
  std::uint32_t frameByte;  ///< of an argument or result: its place in the frame
  bool direct;
};
struct BarrierOperands {
  bool waits;
  BarrierResult result;
};
/// cp.async, and the arrival at an mbarrier behind it. The address in shared memory is b +
/// sharedOffset.
struct CopyOperands {
  std::uint32_t sharedOffset;
  bool limited;  ///< c holds how many bytes are read
};
/// cp.async.bulk. The address in shared memory is b + sharedOffset.
struct BulkOperands {
  std::uint32_t sharedOffset;
  /// Tensors: start of the rows of coordinates and offsets in KernelCode::matrixRows.
  std::uint32_t rows;
  std::uint8_t dimensions;  ///< of the tensor; 0: a block without a map
  bool im2col : 1;
  bool multicasts : 1;     ///< vector[0]: the ranks of the CTAs that get the data, as a mask
  std::uint8_t reduction;  ///< 0: none; otherwise an AtomicOp plus 1
  Type type;               ///< of a reduction without a map
};
struct MBarrierOperands {
  MBarrierOp op;
  bool drops;
  bool noComplete;
  bool returnsState;
  bool byParity;  ///< a test has a parity, not a token
};
struct TextureOperands {
  std::uint8_t dimensions;
  std::uint8_t channel;  ///< tld4
  bool floatCoordinates;
  bool floatResults;
  bool layered;
  bool ofSurface;    ///< suq
  ArrayQuery query;  ///< txq and suq
  bool cube;         ///< b, c and d are a direction
  Row layer;         ///< row of the layer of a cube
};
struct SurfaceOperands {
  SurfaceEdge edge;
  std::uint8_t axes;  ///< bit mask of the axes used
};
struct ComparisonOperands {
  Compare relation;
  Combine combine;
};
/// cvt of halves, and of registers that are wider than the types.
struct ConversionOperands {
  Type to;
  Type from;
  Rounding rounding;  ///< to the digits of the result
  Rounding whole;     ///< to an integer
};
struct VideoOperands {
  Video op;
  VideoSecond second;  ///< applied to c
  Compare relation;
  std::uint8_t parts;  ///< of the word
  bool signedA, signedB, signedResult;
  bool saturates;
};
/// Products of matrices (matrix_ops.h says which flags there are).
struct ProductOperands {
  std::uint32_t rows;       ///< start of the operands' rows in KernelCode::matrixRows
  std::uint8_t flags;       ///< signs and types
  std::uint8_t groupFlags;  ///< wgmma
  std::uint8_t firstBlock;  ///< mma.sp: first block of 8 rows
  std::uint8_t selector;    ///< sparsity selector of mma.sp and wgmma
};
/// One of the accesses in which the warps of a group read a factor of wgmma.
struct FactorReadOperands {
  std::uint32_t cores;  ///< 8 rows of 16 bytes each, of the whole factor
  std::uint8_t part;
  std::uint8_t across;  ///< core matrices along k: 2, or 4 of the b of a sparse product
  bool transposed;
};
struct MatrixAccessOperands {
  bool transposed;
  bool generic;
};
/// tcgen05 (tensor_memory.h).
struct TensorOperands {
  std::uint32_t sharedOffset;  ///< commit: of the mbarrier's address, as in CopyOperands
  std::uint32_t rows;          ///< ld, st: start of the registers in KernelCode::matrixRows
  std::uint8_t form;           ///< shape of ld, st and cp; kind of mma
  std::uint8_t scaling;        ///< mma: blocks of k with a scale each; cp: bits that are widened
  std::uint8_t shift;          ///< mma: d counts divided by 2^shift; ld: type of a reduction
  bool packs : 1;              ///< ld, st: 16 bits of two columns are a register
  bool multicasts : 1;         ///< commit
  bool disables : 1;           ///< mma: vector[] holds the lanes that are not written
  bool aInTensor : 1;          ///< mma
  bool pairs : 1;              ///< of both CTAs of a pair (.cta_group::2)
  bool keepsB : 1;             ///< mma: .ws
  bool sparse : 1;             ///< mma: .sp; vector[2] is the address of the metadata
  bool shiftsRows : 1;         ///< mma: .ashift
};
/// Address of an element of a wmma tile.
struct TileOperands {
  std::uint32_t at;  ///< added to the coordinate that counts strides
  std::uint8_t elementBits;
  bool lanesAcross;
};
struct ClockOperands {
  bool upperHalf;
  bool nanoseconds;
};

/// A predicate operand: value ^ flip.
struct PredicateOperand {
  std::uint16_t number;
  LaneMask flip;
};
inline constexpr PredicateOperand kAlways = {kTruePredicate, 0};

struct Instruction {
  Handler handler = nullptr;
  Handler inner = nullptr;  ///< the handler that `handler` wraps
  Row d = 0, a = 0, b = 0, c = 0;
  std::array<Row, 4> vector{};  ///< elements of a vector operand, or further operands; rows only
  std::int64_t offset = 0;      ///< offset of an address, or an immediate
  PredicateOperand guard = kAlways;
  PredicateOperand p = kAlways;       ///< predicate source
  std::uint16_t pd = kSinkPredicate;  ///< predicate destinations
  std::uint16_t qd = kSinkPredicate;
  /// Holds what only one kind of instruction has. Its decoder sets it, its handler reads it.
  union {
    std::array<std::uint32_t, 3> none{};  ///< zeroes all
    BranchOperands branch;
    CallOperands call;
    BarrierOperands barrier;
    CopyOperands copy;
    BulkOperands bulk;
    MBarrierOperands mbarrier;
    TextureOperands texture;
    SurfaceOperands surface;
    ComparisonOperands comparison;
    ConversionOperands conversion;
    VideoOperands video;
    ProductOperands product;
    FactorReadOperands factorRead;
    MatrixAccessOperands matrixAccess;
    TensorOperands tensor;
    TileOperands tile;
    ClockOperands clock;
    PredicateOperand q;         ///< logic on predicates: second source
    Rounding rounding;          ///< arithmetic and conversions that do not round to nearest
    MemorySpace asked;          ///< isspacep
    bool writesResult;          ///< atomics, calls of the library
    std::uint8_t elementBytes;  ///< mov between a register and a vector
    std::uint8_t copies;        ///< wmma.load: further registers that get the value
  };
  std::uint8_t elements = 1;    ///< elements of a vector access; parts of a product
  std::uint8_t floatFlags = 0;  ///< kFlushFlag and others: of floating-point operands and results
  std::uint8_t bytesPerLane = 0;
  std::uint8_t registerBytes = 0;  ///< bytes of the register that a load or conversion fills
  MemorySpace space = MemorySpace::None;
  MemoryOperation operation = MemoryOperation::Load;
  bool fence = false;  ///< StaticInstruction::fence
  // Asynchronous copies; emit() copies both fields to StaticInstruction.
  CopyStep copyStep = CopyStep::None;
  std::uint8_t groupsLeft = StaticInstruction::kAnyGroups;
  bool observes = false;    ///< loads what other threads may change meanwhile, or pauses
  bool wideBase = false;    ///< the address operand is a 64-bit row
  bool wideData = false;    ///< data rows are 64-bit though the type is narrower
  bool signExtend = false;  ///< the value's sign fills the register
};

inline constexpr std::uint32_t kNoReconvergence = 0xffffffffU;

/// A row that is equal in all warps; filled when a launch begins.
struct ConstantRow {
  enum class Kind : std::uint8_t {
    Value,
    Address,   ///< address of the global or constant `variable`, plus `value`
    Function,  ///< address of function number `value`
    LaneId,
    LaneMaskEq,
    LaneMaskLe,
    LaneMaskLt,
    LaneMaskGe,
    LaneMaskGt,
    NtidX,
    NtidY,
    NtidZ,
    NctaidX,
    NctaidY,
    NctaidZ,
    Nwarpid,
    DynamicSharedBytes,
    TotalSharedBytes,
    GridId,
    ClusterNctaidX,
    ClusterNctaidY,
    ClusterNctaidZ,
    ClusterNctarank,
    NclusteridX,
    NclusteridY,
    NclusteridZ,
  };
  Kind kind = Kind::Value;
  bool wide = false;
  std::uint64_t value = 0;
  const Variable* variable = nullptr;
  Row row = 0;  ///< with kConstantBit
};

/// Rows that differ from warp to warp; filled when a CTA starts.
enum class WarpRow : std::uint8_t {
  TidX,
  TidY,
  TidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  WarpId,
  ClusterCtaidX,
  ClusterCtaidY,
  ClusterCtaidZ,
  ClusteridX,
  ClusteridY,
  ClusteridZ,
  ClusterCtarank,
  SmId,
  NsmId
};
inline constexpr unsigned kWarpRows = 16;

inline constexpr Row kUnusedRow = 0xffffffffU;

/// Calls visit(row) for each row that the instruction names.
template <class Visit>
void eachRow(Instruction& i, Visit visit) {
  for (Row* row : {&i.d, &i.a, &i.b, &i.c}) visit(*row);
  for (Row& row : i.vector) visit(row);
  if (i.space == MemorySpace::Texture && i.texture.cube) visit(i.texture.layer);
}

/// A register as the scoreboard and liveness see it.
struct RegisterSlot {
  std::uint8_t words = 1;  ///< 32-bit registers it takes; 0: predicate
  Row row = kUnusedRow;    ///< its row before registers share rows; kUnusedRow: a predicate
};

/// A function that is called, not inlined: by its address, or while it has not returned. A frame of
/// its own holds its rows and predicates. The first rows are the words of its parameters, then of
/// its results.
struct CalledFunction {
  const Function* function = nullptr;
  std::uint32_t first = 0;  ///< first PC
  std::uint32_t end = 0;    ///< PC at which its paths end
  std::uint32_t localBytes = 0;
  std::uint32_t localAlignment = 4;
  std::array<Row, kWarpRows> warpRows{};
  std::array<Row, 2> localBase{};  ///< rows (4 and 8 bytes) with the start of its local memory
};
inline constexpr std::uint32_t kNoFunction = 0xffffffffU;

struct KernelCode : KernelFacts {
  std::string fileName;
  const ModuleData* module = nullptr;
  /// Alignment of dynamic shared memory, in bytes. nvcc aligns unsized arrays to 16, and programs
  /// put wider types into them than they declare.
  unsigned dynamicSharedAlignment = 16;

  std::vector<Instruction> instructions;
  std::vector<StaticInstruction> statics;
  std::vector<CodeText> texts;
  std::vector<RegisterSlot> slots;  ///< by RegisterId
  std::vector<ConstantRow> constants;
  std::uint32_t constantBytes = 0;
  std::uint32_t registerBytes = 0;  ///< bytes of a warp's rows
  std::uint32_t predicateCount = kFirstPredicate;
  std::array<Row, kWarpRows> warpRows{};  ///< kUnusedRow: not used
  std::vector<std::string> sharedNames;   ///< for errors: "'tile' at 0 to 4095"
  bool addressBits64 = false;

  std::uint32_t entryEnd = 0;  ///< PC behind the entry's own instructions
  std::vector<CalledFunction> called;
  /// Size of a frame: the most bytes that a called function needs of rows of 4-byte words, then of
  /// wide rows. Every function keeps a lane's words at the same places, so that lanes in different
  /// functions at once keep their values.
  std::uint32_t calledNarrowBytes = 0, calledWideBytes = 0;
  std::uint32_t calledPredicates = 0;
  unsigned calledRegisters = 0;  ///< most live 32-bit registers of a called function
  bool callsLibrary = false;     ///< printf, assert, malloc, free or launches
  bool takesClusters = false;    ///< asks for clusters that have not begun
  /// Least capability, in tenths, with all instructions, and the last one with all; 0: any.
  unsigned leastCapability = 0, lastCapability = 0;
  /// Targets of each indirect call: by Function::number an index in `called`, or kNoFunction if the
  /// function does not fit the prototype.
  std::vector<std::vector<std::uint32_t>> callTargets;
  std::vector<std::vector<std::uint32_t>> branchTargets;  ///< targets of each brx.idx
  /// Rows of products of matrices (matrix_ops.h) and of copies of tensors (BulkOperands).
  std::vector<Row> matrixRows;
  /// Registers that a product of a warp group adds to, by PC. They are too many for `statics`.
  std::unordered_map<std::uint32_t, std::vector<RegisterId>> accumulators;
  std::vector<bool> leadsToBarrier;  ///< by PC, for targets of a brx.idx whose lanes go last

  /// True if an instruction has to meet other multiprocessors at once: an atomic that may be one on
  /// global memory and whose result is read, a surface, a call of the run-time library, a request
  /// for a cluster.
  bool meetsOthers() const;
  /// True if an atomic may be one on global memory.
  bool hasGlobalAtomics() const;
};

struct ModuleData {
  std::unique_ptr<Ast> ast;
  std::vector<const Function*> entries;
  std::unordered_map<std::string_view, std::size_t> entryNumbers;  ///< index in `entries`, by name
  std::vector<std::unique_ptr<Kernel>> kernels;  ///< by entry; null: not decoded yet
};

}  // namespace fermata::ptx
