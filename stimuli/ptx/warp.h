// State of a warp, and the operations on it that handlers share.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <fermata/models/vocabulary/cluster.h>
#include <fermata/models/vocabulary/warp_instruction.h>
#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/aligned_bytes.h>
#include <fermata/stimuli/ptx/device_memory.h>
#include <fermata/stimuli/ptx/executor.h>
#include <fermata/stimuli/ptx/fault.h>
#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/message.h>
#include <fermata/stimuli/ptx/store_log.h>
#include <fermata/stimuli/ptx/warp_copies.h>

namespace fermata::ptx {

inline constexpr unsigned kBarriers = 16;

/// Results of bar.red. There are two generations, since the first warp to read a result may begin
/// the next reduction before the last warp has read it.
struct BarrierReduction {
  struct Generation {
    std::uint64_t number = 0;
    std::uint32_t count = 0;  ///< threads whose predicate held
    std::uint32_t threads = 0;
  };
  std::array<Generation, 2> generations;
};

/// Values that the halves of a wave64 tell each other (wave64.cpp). There are two rounds, since the
/// first half to read one may begin the next before the other has read it.
struct WaveExchange {
  static constexpr unsigned kLanes = 2 * kWarpLanes;
  struct Round {
    std::array<bool, 2> here{};       ///< by half
    std::array<LaneMask, 2> lanes{};  ///< that take part, by half
    std::uint32_t pc = 0;             ///< of the half that came first
    std::array<std::uint32_t, kLanes> value{};
    std::array<std::uint32_t, kLanes> where{};  ///< the lane that each names
  };
  std::uint64_t number = 0;  ///< of the round that is open
  std::array<Round, 2> rounds{};
  /// Words of the factors of a product, by round: [word][lane] of the first, then of the second.
  std::array<std::vector<std::uint32_t>, 2> factors;
};

struct Cta;
struct TensorColumns;
struct TensorMemory;

/// The CTAs of a cluster that have started, by rank.
struct CtaCluster {
  std::array<const Cta*, kMostClusterCtas> ctas{};
};

struct Cta {
  bool live = false;
  std::uint64_t number = 0;
  Dim3 index;
  unsigned firstSlot = 0;
  std::unique_ptr<std::uint8_t[]> shared;
  std::unique_ptr<std::uint8_t[]> sharedWritten;  ///< one flag per byte; null: not tracked
  std::array<BarrierReduction, kBarriers> reductions;
  std::vector<WaveExchange> waves;             ///< by wave64; empty: none has exchanged anything
  std::shared_ptr<CtaCluster> cluster;         ///< null: the launch has no clusters
  unsigned rank = 0;                           ///< in the cluster
  std::shared_ptr<TensorMemory> tensorMemory;  ///< null: not used (tensor_memory.h)
  unsigned exitedWarps = 0;
  bool signalled = false;  ///< a thread has let dependent launches begin
};

/// Memory that kernels hold from malloc, over all launches, since a kernel may free what another
/// one allocated.
struct DeviceHeap {
  std::unordered_map<std::uint64_t, std::uint64_t> bytes;  ///< bytes asked for, by address
  std::uint64_t used = 0;                                  ///< bytes in use, rounded up
};

/// Threads that execute CTAs of one launch on the same memory at once (Executor::share).
struct Crew {
  std::atomic<std::uint64_t> executed{0};  ///< instructions of all, as known
  std::mutex wideAtomics;                  ///< held by an atomic of 16 bytes
};

/// State that all warps of an executor share or, while multiprocessors run apart or threads share a
/// launch, those of one of them.
struct Machine {
  DeviceMemory* memory = nullptr;
  ExecutorOptions options;
  const KernelCode* code = nullptr;
  const MachineCode* lowered = nullptr;  ///< null: the instructions of PTX are the machine's
  Launch launch;
  unsigned warpsPerCta = 0;
  Dim3 cluster;  ///< CTAs of a cluster by dimension
  unsigned clusterCtas = 1;
  bool explicitCluster = false;         ///< the launch or its kernel says `cluster`
  std::shared_ptr<CtaCluster> filling;  ///< cluster of the CTA that started last
  std::uint32_t sharedBytes = 0;
  std::uint32_t localBytesPerWarp = 0;
  std::uint32_t localLimit = 0;                  ///< bytes of local memory per thread
  std::uint64_t frameBytes = 0;                  ///< bytes of called functions' rows, all warps
  std::uint64_t functionBase = 0;                ///< address of function 0 of the module
  std::shared_ptr<TensorColumns> tensorColumns;  ///< null: CTAs do not compete for them
  std::vector<std::uint8_t> parameters;          ///< padded to 16 bytes
  std::vector<Allocation*> hints;                ///< by PC: allocation of the last access
  std::uint64_t hintGeneration = 0;
  std::uint64_t executed = 0;
  std::uint64_t elsewhere = 0;  ///< instructions of other multiprocessors or threads, as known
  StoreLog* log = nullptr;      ///< takes stores to global memory; null: memory does
  Crew* crew = nullptr;         ///< null: no other thread executes
  std::uint64_t told = 0;       ///< instructions that the crew knows of
  const ModelState* model = nullptr;  ///< null: no time
  std::uint64_t printfCalls = 0;
  bool awaitsGrids = false;     ///< griddepcontrol.wait waits
  std::uint64_t signalled = 0;  ///< CTAs that have let dependent launches begin, or have ended
  StrayReads strayReads;
  /// Executor::giveClusters
  std::function<std::uint64_t()> takeCluster;
  DeviceHeap heap;
  std::vector<Texture> textures;  ///< by handle - kFirstTexture; address 0: none
  std::vector<Surface> surfaces;  ///< by handle - kFirstSurface; address 0: none
  WarpInstruction* out = nullptr;
  WarpInstruction unseen;  ///< filled by instructions that cost none of the machine
};
inline constexpr std::uint64_t kFirstTexture = 0x00100000;
inline constexpr std::uint64_t kFirstSurface = 0x00180000;
inline constexpr std::uint64_t kFirstFunction = 0x00200000;
inline constexpr std::uint64_t kFunctionStride = 16;

/// Lets launches begin that depend on the CTA's, as far as it is up to the CTA.
inline void signal(Machine& machine, Cta& cta) {
  if (!cta.signalled) ++machine.signalled;
  cta.signalled = true;
}

/// A path that waits: another side of a branch, or the join of its sides.
struct Path {
  std::uint32_t pc = 0;
  std::uint32_t reconverge = kNoReconvergence;
  LaneMask mask = 0;
  std::uint32_t depth = 0;     ///< calls that have not returned
  std::uint32_t localTop = 0;  ///< bytes of local memory in use per thread
};

/// Turns of loops that may wait, counted while other lanes of the split stand still.
struct LoopTurns {
  std::uint32_t all = 0;
  std::uint32_t same = 0;  ///< consecutive turns of the same lanes
  LaneMask lanes = 0;      ///< lanes of the latest turn
};

/// Lanes that go on apart from the others (warp_splits.h).
struct WarpSplit {
  Path at;  ///< place of its active lanes
  std::vector<Path> paths;
  LoopTurns turns;
  bool waits = false;  ///< waits for lanes of other splits, at an instruction not executed yet
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
  LaneMask alive = 0;      ///< lanes that have not exited
  std::uint32_t step = 0;  ///< machine instructions executed of the one at `pc`
  LaneMask carry = 0;      ///< the condition code of add.cc
  Cta* cta = nullptr;
  Machine* machine = nullptr;
  std::uint8_t* local = nullptr;  ///< [offset / 4][lane][offset % 4]
  std::uint8_t* localWritten = nullptr;
  std::uint32_t slot = 0;
  std::uint32_t indexInCta = 0;
  std::array<std::uint64_t, kBarriers> reductionsDone{};
  std::uint64_t waveRound = 0;  ///< round of its WaveExchange that the warp is in
  std::vector<Path> paths;
  std::uint8_t* entryRows = nullptr;
  LaneMask* entryPredicates = nullptr;
  std::vector<CallFrame> frames;   ///< by depth - 1, made when first used
  std::uint32_t depth = 0;         ///< see Path
  std::uint32_t localTop = 0;      ///< see Path
  std::uint32_t localCleared = 0;  ///< bytes of local memory per thread that are cleared
  std::vector<WarpSplit> splits;   ///< splits that do not run
  LoopTurns turns;
  bool wasSplit = false;   ///< the warp was split since the CTA began
  bool atCluster = false;  ///< the warp has arrived at the cluster's barrier and not waited
  WarpCopies copies;
};

inline Path pathAt(const Warp& warp, std::uint32_t pc, std::uint32_t reconverge, LaneMask mask) {
  return {pc, reconverge, mask, warp.depth, warp.localTop};
}
/// Makes the frame of call depth `depth` the warp's current one.
void enterFrame(Warp& warp, std::uint32_t depth);

inline std::uint8_t* rowBytes(const Warp& warp, Row row) {
  return warp.base[row >> 31] + (row & ~kConstantBit);
}
template <class Word>
Word* rowOf(const Warp& warp, Row row) {
  return reinterpret_cast<Word*>(rowBytes(warp, row));
}

/// Return and set a lane's value of an integer row of either width.
inline std::uint64_t laneValue(const Warp& warp, Row row, bool wide, unsigned lane) {
  return wide ? rowOf<std::uint64_t>(warp, row)[lane] : rowOf<std::uint32_t>(warp, row)[lane];
}
inline void setLane(const Warp& warp, Row row, bool wide, unsigned lane, std::uint64_t value) {
  if (wide) {
    rowOf<std::uint64_t>(warp, row)[lane] = value;
  } else {
    rowOf<std::uint32_t>(warp, row)[lane] = static_cast<std::uint32_t>(value);
  }
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
inline bool laneOn(LaneMask mask, unsigned lane) {
  return (mask >> lane & 1U) != 0;
}

/// The lanes of a mask, in rising order: `for (const unsigned lane : lanesIn(mask))`.
struct LaneIterator {
  LaneMask rest;
  unsigned operator*() const { return firstLane(rest); }
  LaneIterator& operator++() {
    rest &= rest - 1;
    return *this;
  }
  bool operator!=(const LaneIterator& other) const { return rest != other.rest; }
};
struct LaneRange {
  LaneMask mask;
  LaneIterator begin() const { return {mask}; }
  LaneIterator end() const { return {0}; }
};
inline LaneRange lanesIn(LaneMask mask) {
  return {mask};
}
/// Returns the lanes of the mask for which holds(lane) is true.
template <class Holds>
LaneMask lanesWhere(LaneMask mask, Holds holds) {
  LaneMask found = 0;
  for (const unsigned lane : lanesIn(mask)) found |= holds(lane) ? LaneMask{1} << lane : 0U;
  return found;
}

/// Ends the lanes of the mask. If none is left on this path, the warp goes on with the next path.
void exitLanes(Warp& warp, LaneMask mask);
/// Goes on with the path on top of the stack, and past joins that are reached.
void reconverge(Warp& warp);

/// Makes the warp execute `instruction`, behind which it stands, once more: next, on `lanes` alone.
/// Then all lanes go on.
void executeAgain(Warp& warp, const Instruction& instruction, LaneMask lanes);

/// Returns the context of a runtime error: "kernel 'k', CTA (0,0,0), warp 1".
std::string describeWarp(const Warp& warp);
/// Returns the error "file:line:column: what; kernel ..., CTA ..., warp, lane" of the instruction;
/// lane < 0: none. `address`: first byte of the access at fault, if one is.
Fault errorAt(const Warp& warp, const Instruction& instruction, std::int64_t lane,
              const std::string& what, FaultKind kind = FaultKind::Other,
              std::optional<std::uint64_t> address = {});
/// Throw errorAt() with the message() of `text`.
template <class... Text>
[[noreturn]] void failAt(const Warp& warp, const Instruction& instruction, std::int64_t lane,
                         FaultKind kind, const Text&... text) {
  throw errorAt(warp, instruction, lane, message(text...), kind);
}
template <class... Text>
[[noreturn]] void failAt(const Warp& warp, const Instruction& instruction, std::int64_t lane,
                         const Text&... text) {
  throw errorAt(warp, instruction, lane, message(text...));
}
/// Throws errorAt() about an access at `address`.
template <class... Text>
[[noreturn]] void failAtAddress(const Warp& warp, const Instruction& instruction, std::int64_t lane,
                                FaultKind kind, std::uint64_t address, const Text&... text) {
  throw errorAt(warp, instruction, lane, message(text...), kind, address);
}
std::string hexAddress(std::uint64_t address);

}  // namespace fermata::ptx
