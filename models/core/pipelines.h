// What an instruction occupies when it issues: units and paths as reservations. The one place that
// says when an instruction of a kind can issue, and why not: scheduling, sleeping and the account
// of empty slots all ask here.
//
// Organisation `decoupled`: each unit is its own; a conflict holds the memory port and nothing
// else. The others have one front end, which all instructions need, and which stands still when
// something holds it up (staged_pipeline.h).
#pragma once

#include <fermata/models/core/memory_path.h>
#include <fermata/models/core/staged_pipeline.h>
#include <fermata/models/error.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/unit_pool.h>

#include <algorithm>
#include <array>
#include <vector>

namespace fermata {

/// Instructions that need the same units. Constant: constant and parameter space. Generic: only its
/// execution knows which path.
enum class IssueKind : std::uint8_t {
  Alu,
  Special,
  Double,
  Tensor,
  Constant,
  Shared,
  Global,
  Generic
};
inline constexpr unsigned kIssueKinds = 8;

// Not in the function, where they would be built anew each time: an access asks it several times.
/// By InstructionClass; Memory is told apart by its space.
inline constexpr std::array<IssueKind, kInstructionClasses> kKindOfClass{
    IssueKind::Alu, IssueKind::Alu,     IssueKind::Special, IssueKind::Double, IssueKind::Alu,
    IssueKind::Alu, IssueKind::Generic, IssueKind::Alu,     IssueKind::Tensor, IssueKind::Alu};
static_assert(static_cast<unsigned>(InstructionClass::Division) + 1 == kInstructionClasses);
/// By MemorySpace.
inline constexpr std::array<IssueKind, 8> kKindOfSpace{
    IssueKind::Global,   IssueKind::Shared,   IssueKind::Global, IssueKind::Global,
    IssueKind::Constant, IssueKind::Constant, IssueKind::Global, IssueKind::Generic};
static_assert(static_cast<unsigned>(MemorySpace::Generic) + 1 == kKindOfSpace.size());

constexpr IssueKind issueKind(InstructionClass c, MemorySpace space) {
  return c == InstructionClass::Memory ? kKindOfSpace[static_cast<unsigned>(space)]
                                       : kKindOfClass[static_cast<unsigned>(c)];
}
inline IssueKind issueKind(const StaticInstruction& instruction) {
  return issueKind(instruction.instructionClass, instruction.space);
}
constexpr bool isMemory(IssueKind kind) {
  return kind >= IssueKind::Constant;
}
/// A bit for each.
inline constexpr unsigned kAllKinds = (1U << kIssueKinds) - 1;
inline constexpr unsigned kMemoryKinds =
    kAllKinds & ~((1U << static_cast<unsigned>(IssueKind::Constant)) - 1);

/// An instruction needs units that there are none of.
class MissingUnits : public BadInput {
 public:
  using BadInput::BadInput;
};

/// Latency: cycles from issue to a dependent issue. Interval: cycles until the same unit takes the
/// next.
struct ClassTiming {
  unsigned latency = 9;
  unsigned interval = 1;
};

struct PipelineParameters {
  PipelineOrganisation organisation = PipelineOrganisation::Decoupled;
  unsigned aluUnits = 2;  ///< integer, float, division, branch, barrier, exit
  unsigned specialUnits = 1;
  unsigned doubleUnits = 1;
  unsigned tensorUnits = 0;  ///< 0: instructions of class Tensor are refused
  /// Of products of warp groups (wgmma): cycles of 16x16 by 16x8 halves; 0: they are refused.
  unsigned groupInterval = 0;
  /// Times as long as others do products that are summed in f32 hold their unit: 2 on GeForce
  /// boards (NVIDIA Ampere GA102 whitepaper, second hand).
  unsigned floatSums = 1;
  /// By InstructionClass; Memory is not used. Fermi's, as in platforms/gtx480.toml, where their
  /// sources are. Tensor, which Fermi has not: of a product of 16x16 by 16x8 halves, 256
  /// multiply-adds a cycle (NVIDIA A100 whitepaper, 2020: a tensor core); the latency is an
  /// assumption.
  std::array<ClassTiming, kInstructionClasses> timing{
      {{9, 1}, {9, 1}, {18, 4}, {13, 4}, {9, 1}, {1, 1}, {1, 1}, {1, 1}, {32, 8}, {145, 8}}};

  ClassTiming& of(InstructionClass c) { return timing[static_cast<unsigned>(c)]; }
  const ClassTiming& of(InstructionClass c) const { return timing[static_cast<unsigned>(c)]; }
  /// Of a product of matrices the unit takes its share of the interval of 16x8x16 halves, rounded
  /// up to a cycle; the latency is shorter or longer by as much. Those of a warp group add to their
  /// sums in the unit: the next one begins when the unit is free.
  ClassTiming of(const StaticInstruction& instruction) const {
    const ClassTiming& whole = of(instruction.instructionClass);
    if (instruction.tensorWork == 0) return whole;
    constexpr unsigned kWhole = StaticInstruction::kTensorWork;
    const bool ofGroup = instruction.space != MemorySpace::None;
    const unsigned one = ofGroup ? groupInterval : whole.interval;
    const unsigned interval = (one * instruction.tensorWork + kWhole - 1) / kWhole;
    const unsigned held = instruction.floatSums ? interval * floatSums : interval;
    if (ofGroup) return {std::max(held, whole.latency), held};
    const unsigned latency = whole.latency + interval;
    return {latency > whole.interval ? latency - whole.interval : 1, held};
  }
};

class Pipelines {
 public:
  /// `replayEntries`: of the replay buffer, of which accesses to memory need one; 0: there are
  /// always some.
  explicit Pipelines(const PipelineParameters& parameters, unsigned replayEntries = 0);

  /// First cycle from `from` on in which an instruction of the kind finds what it needs.
  Cycle free(IssueKind kind, Cycle from) const {
    if (staged_) return std::max({from, frontEnd_, isMemory(kind) ? spacing_ : 0});
    for (Cycle at = from;; from = at) {
      for (unsigned m = needs_[static_cast<unsigned>(kind)]; m != 0; m &= m - 1)
        at = pools_[static_cast<unsigned>(__builtin_ctz(m))].free(at);
      if (at == from) return at;
    }
  }
  /// No kind is free before this cycle, `from` or later.
  Cycle earliest(Cycle from) const { return staged_ ? std::max(from, frontEnd_) : from; }
  /// Every kind is free in cycle `at` and later.
  bool allFree(Cycle at) const { return at >= end_; }
  /// The kinds that are not free in cycle `at`: a bit each.
  unsigned blocked(Cycle at) const {
    if (staged_) return at < frontEnd_ ? kAllKinds : at < spacing_ ? kMemoryKinds : 0;
    unsigned kinds = 0;
    for (unsigned r = 0; r < kResources; ++r) {
      if (pools_[r].free(at) != at) kinds |= neededBy_[r];
    }
    return kinds;
  }
  /// Why those of `kinds`, a bit each, wait in cycle `at` that are not free then: what is nearest
  /// to memory counts. Idle: all of them are free. Precondition: not staged, where the stages say.
  StallCause why(unsigned kinds, Cycle at) const {
    StallCause cause = StallCause::Idle;
    for (unsigned r = 0; r < kResources; ++r) {
      if ((neededBy_[r] & kinds) != 0 && pools_[r].free(at) != at)
        cause = stronger(cause, kCauses[r]);
    }
    return cause;
  }
  const ClassTiming& timing(InstructionClass c) const { return parameters_.of(c); }
  ClassTiming timing(const StaticInstruction& i) const { return parameters_.of(i); }

  /// An instruction of the kind issues now; its unit, or the memory port whatever the space, takes
  /// the next one `interval` cycles later. Precondition: free(kind, now) == now.
  [[gnu::always_inline]] void take(IssueKind kind, Cycle now, Cycle interval) {
    UnitPool& pool = pools_[isMemory(kind) ? Port : static_cast<unsigned>(kind)];
    pool.take(now, now, now + interval);
    end_ = std::max(end_, pool.end());
  }
  /// The path takes nothing until release(); others are not concerned.
  void hold(MemoryPath path, Cycle now) {
    pool(path).hold(now);
    end_ = kNever;
  }
  void release(MemoryPath path, Cycle at);
  /// Of a staged organisation: instructions issue from cycle `frontEnd` on, those of memory not
  /// before `spacing` either.
  void setStaged(Cycle frontEnd, Cycle spacing) {
    frontEnd_ = frontEnd;
    spacing_ = spacing;
    end_ = std::max(frontEnd, spacing);
  }

  /// An entry of the replay buffer is taken for `cycles` from `now` on.
  void takeEntry(Cycle now, Cycle cycles) {
    if (entries_ != 0) takeEntries(now, now + cycles);
  }
  /// The same, until a releaseEntry().
  void holdEntry(Cycle now) {
    if (entries_ != 0) takeEntries(now, kNever);
  }
  void releaseEntry(Cycle at);

 private:
  enum Resource : unsigned {
    Alu,
    Special,
    Double,
    Tensor,
    Port,
    SharedPath,
    GlobalPath,
    Entry,
    kResources
  };
  /// Decoupled. By IssueKind: a bit for each Resource.
  static constexpr std::array<unsigned, kIssueKinds> kNeeds{
      1U << Alu,
      1U << Special,
      1U << Double,
      1U << Tensor,
      1U << Port,
      1U << Port | 1U << SharedPath,
      1U << Port | 1U << GlobalPath,
      1U << Port | 1U << SharedPath | 1U << GlobalPath};
  /// By Resource: why a slot stays empty that waits for one.
  static constexpr std::array<StallCause, kResources> kCauses{
      StallCause::Pipeline,   StallCause::Pipeline,   StallCause::Pipeline,
      StallCause::Pipeline,   StallCause::MemoryPort, StallCause::MemoryPort,
      StallCause::MemoryPort, StallCause::MemoryPort};

  void takeEntries(Cycle now, Cycle until);
  void findEnd();
  UnitPool& pool(MemoryPath path) {
    return pools_[path == MemoryPath::Shared ? SharedPath : GlobalPath];
  }

  bool staged_;
  Cycle end_ = 0;       ///< of all pools, or of what is staged
  Cycle frontEnd_ = 0;  ///< what setStaged() said
  Cycle spacing_ = 0;
  std::array<unsigned, kIssueKinds> needs_;      ///< a bit for each Resource
  std::array<unsigned, kResources> neededBy_{};  ///< a bit for each IssueKind
  std::array<UnitPool, kResources> pools_;
  unsigned entries_ = 0;
  PipelineParameters parameters_;
};

}  // namespace fermata
