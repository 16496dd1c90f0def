// A decoded instruction and what a kernel keeps of its code.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fermata/models/transaction/warp_instruction.h>
#include <fermata/stimuli/ptx/ast.h>
#include <fermata/stimuli/ptx/module.h>

namespace fermata::ptx {

struct Warp;
struct Instruction;

/// Executes one instruction on the lanes of a mask that is never empty.
using Handler = void (*)(Warp&, const Instruction&, LaneMask);

/// A row holds one value of each lane: 32 words of 4 bytes (types up to 32 bits; 8- and 16-bit
/// values are zero-extended) or of 8. A Row is its byte offset in the registers of the warp or,
/// with this bit, in the constants of the launch.
using Row = std::uint32_t;
inline constexpr Row kConstantBit = 0x80000000U;
/// While functions that are called are decoded: an offset in the wide rows of a frame.
inline constexpr Row kCalledWideBit = 0x40000000U;
inline constexpr unsigned kRowBytes = 4 * kWarpLanes;
inline constexpr unsigned kWideRowBytes = 8 * kWarpLanes;

/// Predicates are lane masks, numbered from 0; this one is always true.
inline constexpr std::uint16_t kTruePredicate = 0;
/// A predicate to write results to that nobody reads.
inline constexpr std::uint16_t kSinkPredicate = 1;
inline constexpr std::uint16_t kFirstPredicate = 2;

/// A predicate operand: value ^ flip.
struct PredicateOperand {
  std::uint16_t number = kTruePredicate;
  LaneMask flip = 0;
};

struct Instruction {
  Handler handler = nullptr;
  Handler inner = nullptr;  ///< of a handler that wraps another
  Row d = 0, a = 0, b = 0, c = 0;
  std::array<Row, 4> vector{};  ///< elements of a vector operand, further operands; only rows
  std::int64_t offset = 0;      ///< of an address; immediate
  PredicateOperand guard;
  PredicateOperand p;                 ///< predicate source
  std::uint16_t pd = kSinkPredicate;  ///< predicate destinations
  std::uint16_t qd = kSinkPredicate;
  std::uint32_t target = 0;  ///< bra: PC; others: free for the handler
  /// bra: PC of the immediate post-dominator or kNoReconvergence; others: free for the handler
  std::uint32_t reconverge = 0;
  std::uint8_t elements = 1;  ///< of a vector access
  std::uint8_t flags = 0;     ///< of the handler
  std::uint8_t mode = 0;      ///< of the handler
  std::uint8_t bytesPerLane = 0;
  MemorySpace space = MemorySpace::None;
  MemoryOperation operation = MemoryOperation::Load;
  bool fence = false;  ///< StaticInstruction::fence
  // Of StaticInstruction, too: asynchronous copies.
  CopyStep copyStep = CopyStep::None;
  std::uint8_t groupsLeft = StaticInstruction::kAnyGroups;
  bool observes = false;    ///< a load of what other threads may change meanwhile; a pause
  bool wideBase = false;    ///< the address operand is a 64-bit row
  bool wideData = false;    ///< data rows are 64-bit though the type is narrower
  bool signExtend = false;  ///< ... and extend the sign
};

inline constexpr std::uint32_t kNoReconvergence = 0xffffffffU;
/// A flag of bra: where a warp's lanes part, those that are not taken go first; of brx.idx: those
/// that come to a barrier go last.
inline constexpr std::uint8_t kFallThroughFirst = 1;

/// A row that is the same in every warp; filled when a launch begins.
struct ConstantRow {
  enum class Kind : std::uint8_t {
    Value,
    Address,  ///< of `variable`, a global or constant one, plus `value`
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
    Function,  ///< the address of the function of number `value`
  };
  Kind kind = Kind::Value;
  bool wide = false;
  std::uint64_t value = 0;
  const Variable* variable = nullptr;
  Row row = 0;  ///< with kConstantBit
};

/// A row that differs from warp to warp; filled when a CTA starts.
enum class WarpRow : std::uint8_t { TidX, TidY, TidZ, CtaidX, CtaidY, CtaidZ, WarpId };
inline constexpr unsigned kWarpRows = 7;

inline constexpr Row kUnusedRow = 0xffffffffU;

/// Registers as the scoreboard and liveness see them.
struct RegisterSlot {
  std::uint8_t words = 1;  ///< 32-bit registers it takes; 0: predicate
  Row row = kUnusedRow;    ///< before registers share rows; none: a predicate
};

/// A function that is called, not inlined: by its address, or while it has not returned. Its rows
/// and predicates are those of a frame of their own; the words of its parameters, then of its
/// results, are the first rows.
struct CalledFunction {
  const Function* function = nullptr;
  std::uint32_t first = 0;  ///< PC
  std::uint32_t end = 0;    ///< PC at which its paths end
  std::uint32_t localBytes = 0;
  std::uint32_t localAlignment = 4;
  std::array<Row, kWarpRows> warpRows{};
  std::array<Row, 2> localBase{};  ///< rows of 4 and of 8 bytes: where its local memory begins
};
inline constexpr std::uint32_t kNoFunction = 0xffffffffU;

struct KernelCode {
  std::string name;
  std::string fileName;
  const ModuleData* module = nullptr;
  std::vector<KernelParameter> parameters;
  unsigned parameterBytes = 0;
  unsigned staticSharedBytes = 0;
  /// nvcc aligns unsized arrays so, and programs put wider types into them than they declare.
  unsigned dynamicSharedAlignment = 16;
  bool usesDynamicShared = false;
  unsigned localBytes = 0;
  unsigned registersPerThread = 0;
  std::uint32_t requiredThreads = 0;
  std::uint32_t maximumThreads = 0;

  std::vector<Instruction> instructions;
  std::vector<StaticInstruction> statics;
  std::vector<CodeText> texts;
  std::vector<RegisterSlot> slots;  ///< by RegisterId
  std::vector<ConstantRow> constants;
  std::uint32_t constantBytes = 0;
  std::uint32_t registerBytes = 0;  ///< of the rows of a warp
  std::uint32_t predicateCount = kFirstPredicate;
  std::array<Row, kWarpRows> warpRows{};  ///< where a row is used; else kUnusedRow
  std::vector<std::string> sharedNames;   ///< "tile at 0 to 4095": for errors
  bool addressBits64 = false;

  std::uint32_t entryEnd = 0;  ///< PC behind the entry's own instructions
  std::vector<CalledFunction> called;
  /// Of a frame: the most that one of them needs of rows of 4-byte words, then of wide rows. In any
  /// function, the words of a lane are at the same places: lanes that are in different functions
  /// at once keep theirs.
  std::uint32_t calledNarrowBytes = 0, calledWideBytes = 0;
  std::uint32_t calledPredicates = 0;
  /// Of an indirect call: by Function::number an index in `called`, or kNoFunction where the
  /// function does not fit the prototype.
  std::vector<std::vector<std::uint32_t>> callTargets;
  std::vector<std::vector<std::uint32_t>> branchTargets;  ///< PCs
  std::vector<Row> matrixRows;  ///< of products of matrices: see matrix_ops.h
  /// By PC: registers that a product of a warp group adds to, which are too many for `statics`.
  std::unordered_map<std::uint32_t, std::vector<RegisterId>> accumulators;
  std::vector<bool> leadsToBarrier;  ///< by PC of a target of brx.idx whose lanes go last
};

struct ModuleData {
  std::unique_ptr<Ast> ast;
  std::vector<const Function*> entries;
  std::unordered_map<std::string_view, std::size_t> entryNumbers;  ///< index in `entries`, by name
  std::vector<std::unique_ptr<Kernel>> kernels;  ///< of the entries; null: not decoded yet
};

}  // namespace fermata::ptx
