// Parameters of the units of an SM, and the organisation of their pipelines. No SystemC.
#pragma once

#include <fermata/models/core/tensor_memory_parameters.h>
#include <fermata/models/vocabulary/choice.h>
#include <fermata/models/vocabulary/warp_instruction.h>

#include <algorithm>
#include <array>

namespace fermata {

/// Organisation of the units: what a busy one holds up. Decoupled: units are independent, and a
/// conflict holds the memory port only (decoupled_execution.h). The others are in-order pipelines
/// (staged_pipeline.h).
enum class PipelineOrganisation : std::uint8_t { Decoupled, Unified, Split, Elastic };

/// True for the in-order pipelines.
constexpr bool isStaged(PipelineOrganisation organisation) {
  return organisation == PipelineOrganisation::Unified ||
         organisation == PipelineOrganisation::Split ||
         organisation == PipelineOrganisation::Elastic;
}

/// Latency: cycles from issue to a dependent issue. Interval: cycles until the unit takes its next
/// instruction.
struct ClassTiming {
  unsigned latency = 9;
  unsigned interval = 1;
};

/// True for an instruction of class Tensor that moves words between tensor memory and registers:
/// `tensorWork` registers per lane.
constexpr bool isTensorAccess(const StaticInstruction& instruction) {
  return instruction.streams && instruction.instructionClass == InstructionClass::Tensor;
}

/// Operand collectors: where instructions stay between their issue and the start of their unit
/// (collected_execution.h). With them a class's latency counts from the start.
struct CollectorParameters {
  /// Instructions before the ALUs, and before the integer units if there are any; 0: no collectors,
  /// also before others.
  unsigned alu = 0;
  unsigned special = 1;    ///< instructions before the special units, and before the double units
  unsigned read = 0;       ///< cycles from issue to start, without those that registers take
  unsigned registers = 1;  ///< registers read per cycle
  unsigned write = 0;      ///< cycles from the end of a unit's latency to a dependent issue
  bool subcores = false;   ///< each scheduler has units of its own, and order is kept in each alone
  /// Collectors that all kinds of arithmetic share, divided among the schedulers, in the stead of
  /// `alu` and `special` (shared_collectors.h).
  unsigned shared = 0;
  /// Memory instructions before the memory port (memory_collectors.h); 0: the issue stage waits.
  unsigned memory = 0;

  bool exist() const { return alu != 0 || shared != 0; }
};

/// Timing, behind collectors, of arithmetic that differs from others of its class. A latency of 0:
/// as the class.
class ArithmeticTimings {
 public:
  ArithmeticTimings() {
    integer_.fill({0, 1});
    float_.fill({0, 1});
    double_.fill({0, 1});
  }

  ClassTiming move{0, 1};      ///< of every class
  ClassTiming quotient{0, 1};  ///< class Special
  ClassTiming& integer(Arithmetic a) { return integer_[static_cast<unsigned>(a)]; }
  ClassTiming& real(Arithmetic a) { return float_[static_cast<unsigned>(a)]; }
  /// Quotients and functions of doubles that have a timing take the special units.
  ClassTiming& twice(Arithmetic a) { return double_[static_cast<unsigned>(a)]; }

  /// Returns the timing of an instruction; null: it is its class's.
  const ClassTiming* of(InstructionClass c, Arithmetic a) const {
    const ClassTiming* own = nullptr;
    if (a == Arithmetic::Move) {
      own = &move;
    } else if (c == InstructionClass::Integer) {
      own = &integer_[static_cast<unsigned>(a)];
    } else if (c == InstructionClass::Float) {
      own = &float_[static_cast<unsigned>(a)];
    } else if (c == InstructionClass::Double) {
      own = &double_[static_cast<unsigned>(a)];
    } else if (c == InstructionClass::Special && a == Arithmetic::Quotient) {
      own = &quotient;
    }
    return own == nullptr || own->latency == 0 ? nullptr : own;
  }

 private:
  std::array<ClassTiming, kArithmetics> integer_, float_, double_;  ///< by Arithmetic
};

struct PipelineParameters {
  PipelineOrganisation organisation = PipelineOrganisation::Decoupled;
  unsigned aluUnits = 2;  ///< float, multiply, branch, barrier, exit; integer if integerUnits is 0
  /// Units of their own for integers and comparisons; 0: these take the ALU's.
  unsigned integerUnits = 0;
  unsigned specialUnits = 1;
  unsigned doubleUnits = 1;  ///< 0: double precision takes the special units
  unsigned tensorUnits = 0;  ///< 0: instructions of class Tensor are refused
  /// Interval of warp group products (wgmma): cycles per 16x16 by 16x8 halves; 0: these
  /// instructions are refused.
  unsigned groupInterval = 0;
  /// Factor by which products with f32 sums hold their unit longer: 2 on GeForce boards (NVIDIA
  /// Ampere GA102 whitepaper, second hand).
  unsigned floatSums = 1;
  unsigned arrivalInterval = 0;  ///< cycles between arrivals at barriers; 0: any number at once
  unsigned guardLatency = 0;  ///< cycles that a predicate comes later as a guard than as an operand
  unsigned leastBarrier = 0;  ///< cycles that a barrier of a CTA takes, however few arrive
  TensorMemoryParameters tensorMemory;
  CollectorParameters collectors;
  ArithmeticTimings arithmetic;  ///< used with collectors
  /// Timing by InstructionClass; Memory is not used. Defaults: Fermi, as in platforms/gtx480.toml,
  /// which names the sources. Fermi has no Tensor class: its timing is that of a product of 16x16
  /// by 16x8 halves at 256 multiply-adds per cycle (NVIDIA A100 whitepaper, 2020: a tensor core),
  /// and the latency is an assumption.
  std::array<ClassTiming, kInstructionClasses> timing{{{9, 1},
                                                       {9, 1},
                                                       {18, 4},
                                                       {13, 4},
                                                       {9, 1},
                                                       {1, 1},
                                                       {1, 1},
                                                       {1, 1},
                                                       {32, 8},
                                                       {145, 8},
                                                       {9, 1}}};

  ClassTiming& of(InstructionClass c) { return timing[static_cast<unsigned>(c)]; }
  const ClassTiming& of(InstructionClass c) const { return timing[static_cast<unsigned>(c)]; }
  /// Returns the timing of an instruction. A matrix product holds its unit for its share of the
  /// interval of 16x8x16 halves, rounded up to a cycle. Its latency is shorter or longer by as many
  /// cycles. Products of a warp group add to their sums within the unit, so the next one begins
  /// when the unit is free.
  ClassTiming of(const StaticInstruction& instruction) const {
    const ClassTiming& whole = of(instruction.instructionClass);
    if (instruction.tensorWork == 0) return whole;
    if (isTensorAccess(instruction)) {
      const bool store = instruction.operation == MemoryOperation::Store;
      return {tensorMemory.latency(store, instruction.tensorWork), 1};
    }
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

template <>
inline constexpr NamedChoice<PipelineOrganisation> kChoices<PipelineOrganisation>[] = {
    {PipelineOrganisation::Decoupled, "decoupled"},
    {PipelineOrganisation::Unified, "unified"},
    {PipelineOrganisation::Split, "split"},
    {PipelineOrganisation::Elastic, "elastic"}};

}  // namespace fermata
