#include <fermata/stimuli/ptx/machine_code.h>

#include <algorithm>
#include <cctype>

#include <fermata/stimuli/ptx/liveness.h>
#include <fermata/stimuli/ptx/machine_lowering.h>

namespace fermata::ptx {
namespace {

InstructionClass classOf(char letter) {
  switch (letter) {
    case 'm':
      return InstructionClass::Multiply;
    case 'f':
      return InstructionClass::Float;
    case 'd':
      return InstructionClass::Double;
    case 's':
      return InstructionClass::Special;
    case 'b':
      return InstructionClass::Branch;
    default:
      return InstructionClass::Integer;
  }
}

/// Registers that ptxas takes beyond those that are live at once: for its own use, for pairs that
/// must be aligned, and to await several loads together. Median over the 121 entries of
/// stimuli/cuda (ptxas 13.0, sm_80).
constexpr unsigned kReserved = 4;

class Lowering {
 public:
  explicit Lowering(const KernelCode& code)
      : code_(code),
        folding_(foldOperands(code)),
        link_(static_cast<RegisterId>(code.slots.size())) {
    joinAccesses(code, folding_);
  }

  MachineCode run() {
    const auto count = static_cast<std::uint32_t>(code_.statics.size());
    for (std::uint32_t pc = 0; pc < count; ++pc) {
      made_.first.push_back(made_.instructionCount());
      if (!folding_.free[pc]) lower(pc);
    }
    made_.first.push_back(made_.instructionCount());
    made_.registerCount = link_ + 1U;
    estimateRegisters();
    return std::move(made_);
  }

 private:
  void lower(std::uint32_t pc) {
    StaticInstruction one = operandsOf(pc);
    const std::string_view opcode = code_.texts[pc].opcode;
    const bool plain = one.space == MemorySpace::None && one.tensorWork == 0 &&
                       one.instructionClass != InstructionClass::Branch &&
                       one.instructionClass != InstructionClass::Barrier &&
                       one.instructionClass != InstructionClass::Exit && pc < code_.entryEnd;
    Sequence sequence;
    if (plain)
      sequence = folding_.sequences[pc].empty() ? sequenceOf(opcode) : folding_.sequences[pc];
    if (sequence.empty()) {
      if (plain && !one.fence && one.groupsLeft == StaticInstruction::kAnyGroups)
        one.instructionClass = machineClass(opcode, one.instructionClass);
      return add(pc, one);
    }
    addSequence(pc, one, sequence);
  }

  /// Adds all instructions of a sequence. The last one computes and writes the results; those
  /// before it hand on a register that stands for their own results.
  void addSequence(std::uint32_t pc, const StaticInstruction& whole, Sequence sequence) {
    bool linked = false;
    for (std::size_t k = 0; k < sequence.size(); ++k) {
      const bool last = k + 1 == sequence.size();
      const bool inChain = std::isupper(static_cast<unsigned char>(sequence[k])) != 0;
      StaticInstruction one = whole;
      one.instructionClass =
          classOf(static_cast<char>(std::tolower(static_cast<unsigned char>(sequence[k]))));
      if (!last && inChain) one.writes[0] = link_;
      if (!last) one.writeCount = inChain ? 1 : 0;
      if ((inChain || last) && linked && one.readCount < StaticInstruction::kMaxReads)
        one.reads[one.readCount++] = link_;
      linked = linked || inChain;
      add(pc, one);
    }
  }

  void add(std::uint32_t pc, StaticInstruction& one) {
    one.pc = made_.instructionCount();
    const auto joined = folding_.joined.find(pc);
    made_.below.push_back(joined == folding_.joined.end() ? 0 : joined->second.below);
    made_.statics.push_back(one);
    made_.pcOf.push_back(pc);
  }

  /// Returns the instruction with the registers that its operands are in the machine.
  StaticInstruction operandsOf(std::uint32_t pc) const {
    StaticInstruction one = code_.statics[pc];
    one.readCount = 0;
    for (unsigned k = 0; k < code_.statics[pc].readCount; ++k)
      addRead(one, code_.statics[pc].reads[k], 0);
    for (unsigned k = 0; k < one.writeCount; ++k) one.writes[k] = folding_.same[one.writes[k]];
    const auto joined = folding_.joined.find(pc);
    if (joined != folding_.joined.end()) join(joined->second, one);
    return one;
  }

  /// Adds the operands of the accesses that the instruction stands for.
  void join(const JoinedAccess& joined, StaticInstruction& one) const {
    one.bytesPerLane = joined.bytes;
    for (const std::uint32_t pc : joined.others) {
      const StaticInstruction& other = code_.statics[pc];
      for (unsigned k = 0; k < other.readCount; ++k) addRead(one, other.reads[k], 0);
      for (unsigned k = 0; k < other.writeCount; ++k)
        one.writes[one.writeCount++] = folding_.same[other.writes[k]];
    }
  }

  void addRead(StaticInstruction& one, RegisterId id, unsigned depth) const {
    constexpr unsigned kDeepest = 16;
    if (folding_.replaced[id] && depth < kDeepest) {
      for (const RegisterId instead : folding_.readsInstead[id]) addRead(one, instead, depth + 1);
      return;
    }
    const RegisterId same = folding_.same[id];
    const auto end = one.reads.begin() + one.readCount;
    if (one.readCount < StaticInstruction::kMaxReads &&
        std::find(one.reads.begin(), end, same) == end)
      one.reads[one.readCount++] = same;
  }

  void estimateRegisters() {
    KernelCode lowered = code_;
    for (std::uint32_t pc = 0; pc < lowered.statics.size(); ++pc) {
      StaticInstruction& one = lowered.statics[pc];
      one = operandsOf(pc);
      if (folding_.free[pc]) one.readCount = one.writeCount = 0;
    }
    const CodeRange range{0, code_.entryEnd};
    const unsigned called =
        code_.registersNeeded - liveRegisters(code_, range).most - Kernel::kReservedRegisters;
    const unsigned most = liveRegisters(lowered, range).most + called + kReserved;
    made_.registersPerThread = std::min(most, code_.registerLimit);
    made_.spilled = most - made_.registersPerThread;
  }

  const KernelCode& code_;
  Folding folding_;
  RegisterId link_;  ///< stands for results within a sequence
  MachineCode made_;
};

}  // namespace

MachineCode lower(const KernelCode& code) {
  return Lowering(code).run();
}

}  // namespace fermata::ptx
