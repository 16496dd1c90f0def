// The state of a warp and what its handlers may touch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <fermata/models/transaction/warp_instruction.h>
#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/aligned_bytes.h>
#include <fermata/stimuli/ptx/device_memory.h>
#include <fermata/stimuli/ptx/executor.h>
#include <fermata/stimuli/ptx/fault.h>
#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/warp_copies.h>

namespace fermata::ptx {

inline constexpr unsigned kBarriers = 16;

/// bar.red: two generations, since the first warp to read a result may begin the next reduction
/// before the last has read it.
struct BarrierReduction {
  struct Generation {
    std::uint64_t number = 0;
    std::uint32_t count = 0;  ///< threads whose predicate held
    std::uint32_t threads = 0;
  };
  std::array<Generation, 2> generations;
};

struct Cta {
  bool live = false;
  std::uint64_t number = 0;
  Dim3 index;
  unsigned firstSlot = 0;
  std::unique_ptr<std::uint8_t[]> shared;
  std::unique_ptr<std::uint8_t[]> sharedWritten;  ///< one flag a byte, when asked for
  std::array<BarrierReduction, kBarriers> reductions;
};

/// What kernels have from malloc: of all launches, since a kernel may free what another made.
struct DeviceHeap {
  std::unordered_map<std::uint64_t, std::uint64_t> bytes;  ///< by address, as asked for
  std::uint64_t used = 0;                                  ///< with what rounding adds
};

/// What all warps of an executor share.
struct Machine {
  DeviceMemory* memory = nullptr;
  ExecutorOptions options;
  const KernelCode* code = nullptr;
  Launch launch;
  std::uint32_t sharedBytes = 0;
  std::uint32_t localBytesPerWarp = 0;
  std::uint32_t localLimit = 0;          ///< bytes of a thread
  std::uint64_t frameBytes = 0;          ///< rows of called functions, of all warps
  std::uint64_t functionBase = 0;        ///< address of function 0 of the module
  std::vector<std::uint8_t> parameters;  ///< padded to 16 bytes
  std::vector<Allocation*> hints;        ///< by PC: where the last access went
  std::uint64_t hintGeneration = 0;
  std::uint64_t executed = 0;
  const ModelTime* time = nullptr;  ///< null: there is none
  std::uint64_t printfCalls = 0;
  StrayReads strayReads;
  DeviceHeap heap;
  std::vector<Texture> textures;  ///< by handle - kFirstTexture; address 0: none
  std::vector<Surface> surfaces;  ///< by handle - kFirstSurface; address 0: none
  WarpInstruction* out = nullptr;
};
inline constexpr std::uint64_t kFirstTexture = 0x00100000;
inline constexpr std::uint64_t kFirstSurface = 0x00180000;
inline constexpr std::uint64_t kFirstFunction = 0x00200000;
inline constexpr std::uint64_t kFunctionStride = 16;

/// A path that waits: another side of a branch, or the join of its sides.
struct Path {
  std::uint32_t pc = 0;
  std::uint32_t reconverge = kNoReconvergence;
  LaneMask mask = 0;
  std::uint32_t depth = 0;     ///< calls that have not returned
  std::uint32_t localTop = 0;  ///< bytes of local memory that a thread has in use
};

/// Turns of loops that may wait, while other lanes of the split stand still.
struct LoopTurns {
  std::uint32_t all = 0;
  std::uint32_t same = 0;  ///< by the same lanes, without a pause
  LaneMask lanes = 0;      ///< that have turned last
};

/// Lanes that go on apart from the others (warp_splits.h).
struct WarpSplit {
  Path at;  ///< where its active lanes are
  std::vector<Path> paths;
  LoopTurns turns;
  bool waits = false;  ///< for lanes of other splits, at an instruction that it has not executed
};

/// Rows and predicates of a called function.
struct CallFrame {
  AlignedBytes rows;
  std::vector<LaneMask> predicates;
};

struct Warp {
  std::uint8_t* base[2] = {nullptr, nullptr};  ///< register rows, constant rows
  LaneMask* predicates = nullptr;
  LaneMask active = 0;
  std::uint32_t pc = 0;
  std::uint32_t reconverge = kNoReconvergence;
  LaneMask alive = 0;  ///< lanes that have not exited
  LaneMask carry = 0;  ///< the condition code of add.cc
  Cta* cta = nullptr;
  Machine* machine = nullptr;
  std::uint8_t* local = nullptr;  ///< [offset / 4][lane][offset % 4]
  std::uint8_t* localWritten = nullptr;
  std::uint32_t slot = 0;
  std::uint32_t indexInCta = 0;
  std::array<std::uint64_t, kBarriers> reductionsDone{};
  std::vector<Path> paths;
  std::uint8_t* entryRows = nullptr;
  LaneMask* entryPredicates = nullptr;
  std::vector<CallFrame> frames;   ///< by depth - 1, made when first used
  std::uint32_t depth = 0;         ///< as in Path
  std::uint32_t localTop = 0;      ///< as in Path
  std::uint32_t localCleared = 0;  ///< bytes of local memory of a thread
  std::vector<WarpSplit> splits;   ///< those that do not run
  LoopTurns turns;
  bool wasSplit = false;  ///< since the CTA began
  WarpCopies copies;
};

inline Path pathAt(const Warp& warp, std::uint32_t pc, std::uint32_t reconverge, LaneMask mask) {
  return {pc, reconverge, mask, warp.depth, warp.localTop};
}
/// Makes the frame of `depth` that of the warp.
void enterFrame(Warp& warp, std::uint32_t depth);

inline std::uint8_t* rowBytes(const Warp& warp, Row row) {
  return warp.base[row >> 31] + (row & ~kConstantBit);
}
template <class Word>
Word* rowOf(const Warp& warp, Row row) {
  return reinterpret_cast<Word*>(rowBytes(warp, row));
}

/// Value of an integer row of either width.
inline std::uint64_t laneValue(const Warp& warp, Row row, bool wide, unsigned lane) {
  return wide ? rowOf<std::uint64_t>(warp, row)[lane] : rowOf<std::uint32_t>(warp, row)[lane];
}

inline LaneMask predicateValue(const Warp& warp, const PredicateOperand& operand) {
  return warp.predicates[operand.number] ^ operand.flip;
}
inline void writePredicate(const Warp& warp, std::uint16_t number, LaneMask value, LaneMask mask) {
  LaneMask& predicate = warp.predicates[number];
  predicate = (predicate & ~mask) | (value & mask);
}
inline unsigned firstLane(LaneMask mask) {
  return static_cast<unsigned>(__builtin_ctz(mask));
}

/// Lanes of the mask are done: leave this path, and the warp when no path is left.
void exitLanes(Warp& warp, LaneMask mask);
/// Goes on with the path that waits on top, and past joins that are reached.
void reconverge(Warp& warp);

/// The instruction, after which the warp stands, is executed once more next, on these lanes alone;
/// then all go on.
void executeAgain(Warp& warp, const Instruction& instruction, LaneMask lanes);

/// "kernel 'k', CTA (0,0,0), warp 1": the context of a runtime error.
std::string describeWarp(const Warp& warp);
/// "file:line:column: what; kernel ..., CTA ..., warp, lane" of the instruction.
Fault errorAt(const Warp& warp, const Instruction& instruction, int lane, const std::string& what,
              FaultKind kind = FaultKind::Other);
/// Throws it.
[[noreturn]] void failAt(const Warp& warp, const Instruction& instruction, int lane,
                         const std::string& what, FaultKind kind = FaultKind::Other);
std::string hexAddress(std::uint64_t address);

}  // namespace fermata::ptx
