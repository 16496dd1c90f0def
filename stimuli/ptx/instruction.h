// A decoded instruction, and the code of a kernel.
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

/// A predicate operand: value ^ flip.
struct PredicateOperand {
  std::uint16_t number = kTruePredicate;
  LaneMask flip = 0;
};

struct Instruction {
  Handler handler = nullptr;
  Handler inner = nullptr;  ///< the handler that `handler` wraps
  Row d = 0, a = 0, b = 0, c = 0;
  std::array<Row, 4> vector{};  ///< elements of a vector operand, or further operands; rows only
  std::int64_t offset = 0;      ///< offset of an address, or an immediate
  PredicateOperand guard;
  PredicateOperand p, q;              ///< predicate sources
  std::uint16_t pd = kSinkPredicate;  ///< predicate destinations
  std::uint16_t qd = kSinkPredicate;
  std::uint32_t target = 0;  ///< bra: PC; others: free for the handler
  /// bra: PC of the immediate post-dominator or kNoReconvergence; others: free for the handler
  std::uint32_t reconverge = 0;
  std::uint8_t elements = 1;  ///< elements of a vector access
  std::uint8_t flags = 0;     ///< meaning depends on the handler
  std::uint8_t mode = 0;      ///< meaning depends on the handler
  std::uint8_t bytesPerLane = 0;
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
/// Instruction::flags of branches. bra: where a warp's lanes part, lanes that do not take the
/// branch go first. brx.idx: lanes that come to a barrier go last.
inline constexpr std::uint8_t kFallThroughFirst = 1;

/// A row that is equal in all warps; filled when a launch begins.
struct ConstantRow {
  enum class Kind : std::uint8_t {
    Value,
    Address,  ///< address of the global or constant `variable`, plus `value`
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
    Function,  ///< address of function number `value`
  };
  Kind kind = Kind::Value;
  bool wide = false;
  std::uint64_t value = 0;
  const Variable* variable = nullptr;
  Row row = 0;  ///< with kConstantBit
};

/// Rows that differ from warp to warp; filled when a CTA starts.
enum class WarpRow : std::uint8_t { TidX, TidY, TidZ, CtaidX, CtaidY, CtaidZ, WarpId };
inline constexpr unsigned kWarpRows = 7;

inline constexpr Row kUnusedRow = 0xffffffffU;

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

struct KernelCode {
  std::string name;
  std::string fileName;
  const ModuleData* module = nullptr;
  std::vector<KernelParameter> parameters;
  unsigned parameterBytes = 0;
  unsigned staticSharedBytes = 0;
  /// Alignment of dynamic shared memory, in bytes. nvcc aligns unsized arrays to 16, and programs
  /// put wider types into them than they declare.
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
  /// Targets of each indirect call: by Function::number an index in `called`, or kNoFunction if the
  /// function does not fit the prototype.
  std::vector<std::vector<std::uint32_t>> callTargets;
  std::vector<std::vector<std::uint32_t>> branchTargets;  ///< targets of each brx.idx
  std::vector<Row> matrixRows;  ///< rows of products of matrices: see matrix_ops.h
  /// Registers that a product of a warp group adds to, by PC. They are too many for `statics`.
  std::unordered_map<std::uint32_t, std::vector<RegisterId>> accumulators;
  std::vector<bool> leadsToBarrier;  ///< by PC, for targets of a brx.idx whose lanes go last
};

struct ModuleData {
  std::unique_ptr<Ast> ast;
  std::vector<const Function*> entries;
  std::unordered_map<std::string_view, std::size_t> entryNumbers;  ///< index in `entries`, by name
  std::vector<std::unique_ptr<Kernel>> kernels;  ///< by entry; null: not decoded yet
};

}  // namespace fermata::ptx
