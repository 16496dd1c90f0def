#include <fermata/stimuli/ptx/machine_code.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <unordered_map>

#include <fermata/stimuli/ptx/kernel_decoder.h>
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

  LoweredCode run() {
    const auto count = static_cast<std::uint32_t>(code_.statics.size());
    parts_.resize(count);
    findGuards();
    for (std::uint32_t pc = 0; pc < count; ++pc) {
      if (folding_.free[pc] || endsPair(pc)) continue;
      lower(pc);
      for (StaticInstruction& part : parts_[pc]) nameGuards(pc, part);
    }
    MachineRegisters machine = machineRegisters(code_, folding_, parts_);
    for (const ScheduledPart& each : machine.order) place(each);
    for (std::uint32_t pc = code_.entryEnd; pc < count; ++pc) {
      for (std::uint32_t part = 0; part < std::max<std::size_t>(parts_[pc].size(), 1); ++part)
        place({pc, part});
    }
    renumber();
    made_.machine.first.push_back(made_.machine.instructionCount());
    made_.machine.registerCount = link_ + kLinks + static_cast<std::uint32_t>(guards_.size());
    made_.machine.registersPerThread = std::min(machine.count, code_.registerLimit);
    made_.machine.spilled = machine.count - made_.machine.registersPerThread;
    return std::move(made_);
  }

 private:
  void lower(std::uint32_t pc) {
    StaticInstruction one = machineOperands(code_, folding_, pc);
    const std::string_view opcode = folding_.opcodes[pc];
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
      balance(one, isMultiplyAddToo(code_, pc, opcode));
      parts_[pc].push_back(one);
      return;
    }
    addSequence(pc, one, sequence);
  }

  /// Chooses the unit of an instruction that two kinds of units can do: the one that has less to do
  /// since the last branch. So ptxas writes IADD3 or IMAD.IADD. Integers and multiply-adds take a
  /// unit two cycles, floats one (results/silicon/pipes.csv).
  void balance(StaticInstruction& one, bool either) {
    if (either && integers_ > multiplies_) one.instructionClass = InstructionClass::Multiply;
    switch (one.instructionClass) {
      case InstructionClass::Integer:
        integers_ += 2;
        return;
      case InstructionClass::Multiply:
        multiplies_ += 2;
        return;
      case InstructionClass::Float:
        multiplies_ += 1;
        return;
      case InstructionClass::Branch:
        integers_ = multiplies_ = 0;
        return;
      default:
        return;
    }
  }

  /// True for a branch behind a guarded one: the assembler lets one of both ways fall through.
  bool endsPair(std::uint32_t pc) const {
    if (pc == 0 || pc + 1 >= code_.entryEnd) return false;
    const Instruction& i = code_.instructions[pc];
    const Instruction& before = code_.instructions[pc - 1];
    return isBranch(i) && i.guard.number == kTruePredicate && isBranch(before) &&
           before.guard.number != kTruePredicate;
  }

  /// Gives each predicate that guards instructions a second register, which stands for the guard.
  void findGuards() {
    for (std::uint32_t pc = 0; pc < code_.statics.size(); ++pc) {
      if (const std::optional<RegisterId> guard = guardOf(pc))
        guards_.emplace(*guard, static_cast<RegisterId>(link_ + kLinks + guards_.size()));
    }
  }
  /// Returns the predicate that guards an instruction: the last one that it reads.
  std::optional<RegisterId> guardOf(std::uint32_t pc) const {
    const StaticInstruction& one = code_.statics[pc];
    const bool guarded = code_.instructions[pc].guard.number != kTruePredicate;
    if (!guarded || one.readCount == 0) return {};
    RegisterId last = one.reads[one.readCount - 1];
    if (code_.slots[last].words != 0) return {};
    while (folding_.replaced[last] && folding_.readsInstead[last].size() == 1)
      last = folding_.readsInstead[last].front();
    return last;
  }
  void nameGuards(std::uint32_t pc, StaticInstruction& one) const {
    if (const std::optional<RegisterId> guard = guardOf(pc))
      std::replace(one.reads.begin(), one.reads.begin() + one.readCount, *guard,
                   guards_.at(*guard));
    for (unsigned k = 0; k < one.writeCount; ++k) {
      const auto found = guards_.find(one.writes[k]);
      if (found != guards_.end()) one.guard = found->second;
    }
  }

  /// Adds all instructions of a sequence. The last one computes and writes the results; those
  /// before it hand on a register that stands for their own results.
  void addSequence(std::uint32_t pc, const StaticInstruction& whole, Sequence sequence) {
    const auto link = static_cast<RegisterId>(link_ + sequences_++ % kLinks);
    bool linked = false;
    for (std::size_t k = 0; k < sequence.size(); ++k) {
      const bool last = k + 1 == sequence.size();
      const bool inChain = std::isupper(static_cast<unsigned char>(sequence[k])) != 0;
      StaticInstruction one = whole;
      const char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(sequence[k])));
      one.instructionClass = classOf(letter);
      balance(one, letter == 'a');
      if (!last && inChain) one.writes[0] = link;
      if (!last) one.writeCount = inChain ? 1 : 0;
      if ((inChain || last) && linked && one.readCount < StaticInstruction::kMaxReads)
        one.reads[one.readCount++] = link;
      linked = linked || inChain;
      parts_[pc].push_back(one);
    }
  }

  /// Appends a part; with the last one of an instruction, the instruction itself.
  void place(const ScheduledPart& scheduled) {
    const std::vector<StaticInstruction>& parts = parts_[scheduled.pc];
    MachineCode& machine = made_.machine;
    if (!parts.empty()) {
      const auto joined = folding_.joined.find(scheduled.pc);
      machine.below.push_back(joined == folding_.joined.end() ? 0 : joined->second.below);
      machine.statics.push_back(parts[scheduled.part]);
      machine.statics.back().pc = machine.instructionCount() - 1;
      machine.pcOf.push_back(scheduled.pc);
    }
    if (scheduled.part + 1 < parts.size()) return;
    made_.order.push_back(scheduled.pc);
    machine.first.push_back(begun_);
    if (!parts.empty()) begun_ = machine.instructionCount();
  }

  /// Names instructions of PTX by their places.
  void renumber() {
    std::vector<std::uint32_t> placeOf(made_.order.size());
    for (std::uint32_t at = 0; at < placeOf.size(); ++at) placeOf[made_.order[at]] = at;
    for (std::uint32_t& pc : made_.machine.pcOf) pc = placeOf[pc];
  }

  const KernelCode& code_;
  Folding folding_;
  RegisterId link_;  ///< the first that stands for results within a sequence
  static constexpr unsigned kLinks = 16;
  unsigned sequences_ = 0;
  unsigned integers_ = 0, multiplies_ = 0;  ///< cycles of a sub-core since the last branch
  std::unordered_map<RegisterId, RegisterId> guards_;  ///< by predicate
  MachineParts parts_;
  LoweredCode made_;
  std::uint32_t begun_ = 0;  ///< first machine instruction behind the last one that computes
};

}  // namespace

LoweredCode lower(const KernelCode& code) {
  return Lowering(code).run();
}

}  // namespace fermata::ptx
