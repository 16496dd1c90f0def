#include <fermata/stimuli/ptx/machine_code.h>

#include <algorithm>
#include <cctype>

#include <fermata/stimuli/ptx/machine_lowering.h>
#include <fermata/stimuli/ptx/machine_registers.h>

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
    StaticInstruction one = machineOperands(code_, folding_, pc);
    const std::string_view opcode = code_.texts[pc].opcode;
    const bool plain = one.space == MemorySpace::None && one.tensorWork == 0 &&
                       one.instructionClass != InstructionClass::Branch &&
                       one.instructionClass != InstructionClass::Barrier &&
                       one.instructionClass != InstructionClass::Exit && pc < code_.entryEnd;
    Sequence sequence;
    if (plain)
      sequence = folding_.sequences[pc].empty() ? sequenceOf(opcode) : folding_.sequences[pc];
    if (sequence.empty()) {
      if (plain && !one.fence && !one.suspends && one.groupsLeft == StaticInstruction::kAnyGroups)
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

  void estimateRegisters() {
    const unsigned most = machineRegisters(code_, folding_);
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
