// Finds the instructions of PTX that become operands of others: parameters in the constant bank,
// copies, negations, additions to an address, products that their only reader adds to, and
// predicates that become a number and a predicate again.
#include <algorithm>
#include <limits>

#include <fermata/stimuli/ptx/machine_lowering.h>

namespace fermata::ptx {
namespace {

constexpr std::uint32_t kNoPc = 0xffffffffU;

class FoldedOperands {
 public:
  explicit FoldedOperands(const KernelCode& code)
      : code_(code),
        writes_(code.slots.size(), 0),
        writer_(code.slots.size(), kNoPc),
        readers_(code.slots.size()) {
    narrowAddresses(code, found_);
    found_.free.resize(code.instructions.size(), false);
    found_.sequences.resize(code.instructions.size());
    found_.readsInstead.resize(code.slots.size());
    found_.replaced.resize(code.slots.size(), false);
    found_.same.resize(code.slots.size());
    for (std::size_t id = 0; id < found_.same.size(); ++id)
      found_.same[id] = static_cast<RegisterId>(id);
    for (std::uint32_t pc = 0; pc < code.statics.size(); ++pc) {
      const StaticInstruction& known = code.statics[pc];
      for (unsigned k = 0; k < known.writeCount; ++k) {
        ++writes_[known.writes[k]];
        writer_[known.writes[k]] = pc;
      }
      for (unsigned k = 0; k < known.readCount; ++k) readers_[known.reads[k]].push_back(pc);
    }
    for (const auto& [pc, ids] : code.accumulators) {
      for (const RegisterId id : ids) writes_[id] += 2;
    }
  }

  Folding run() {
    for (std::uint32_t pc = 0; pc < code_.entryEnd; ++pc) {
      // The executor runs a free instruction at once; the result of an atomic may come later.
      const bool behindAtomic =
          pc != 0 && code_.statics[pc - 1].operation == MemoryOperation::Atomic;
      const bool guarded = code_.instructions[pc].guard.number != kTruePredicate;
      if (!behindAtomic) guarded ? foldGuardedCopy(pc) : fold(pc);
    }
    found_.writer = std::move(writer_);
    return std::move(found_);
  }

 private:
  std::string_view opcode(std::uint32_t pc) const { return found_.opcodes[pc]; }
  /// Returns the only register that the instruction writes; kNone: it writes none or several.
  static constexpr unsigned kNone = 0xffffffffU;
  unsigned result(std::uint32_t pc) const {
    return code_.statics[pc].writeCount == 1 ? code_.statics[pc].writes[0] : kNone;
  }
  unsigned unguardedReads(std::uint32_t pc) const {
    const bool guarded = code_.instructions[pc].guard.number != kTruePredicate;
    return code_.statics[pc].readCount - (guarded ? 1U : 0U);
  }
  bool writtenOnce(RegisterId id) const { return writes_[id] == 1; }

  void fold(std::uint32_t pc) {
    const StaticInstruction& known = code_.statics[pc];
    const std::string_view name = opcodeName(opcode(pc));
    if (known.space == MemorySpace::Parameter) return foldParameter(pc);
    if (result(pc) == kNone || known.space != MemorySpace::None) return;
    if (isCopy(pc, name)) return foldCopy(pc);
    if (!writtenOnce(known.writes[0])) return;
    if (isFoldedSign(pc, name) || isAddressSum(pc, name)) return replace(pc);
    if (name == "selp") return foldPredicate(pc);
    if (isWideProduct(pc, name)) return foldIntoSums(pc);
    foldIntoReader(pc, name);
  }

  /// True for a product of one register by a constant in 64 bits that is only added to others.
  bool isWideProduct(std::uint32_t pc, std::string_view name) const {
    const StaticInstruction& known = code_.statics[pc];
    if (name != "mul" || !opcodeHas(opcode(pc), "wide") || known.readCount != 1) return false;
    return writes_[known.reads[0]] <= 1 &&
           allReaders(pc, [&](std::uint32_t at, std::string_view reader) {
             return reader == "add" && isWideInteger(opcode(at)) && !opcodeHas(opcode(at), "cc") &&
                    unguardedReads(at) <= 2 && found_.sequences[at].empty();
           });
  }
  /// Makes each of the sums a product and a sum: IMAD.WIDE.
  void foldIntoSums(std::uint32_t pc) {
    for (const std::uint32_t at : readers_[code_.statics[pc].writes[0]]) found_.sequences[at] = "M";
    replace(pc);
  }

  /// A number that a predicate chooses and that is only compared with a constant is that predicate:
  /// inline assembly hands bools on so.
  void foldPredicate(std::uint32_t pc) {
    const StaticInstruction& known = code_.statics[pc];
    const auto& readers = readers_[known.writes[0]];
    if (known.readCount != 1 || code_.slots[known.reads[0]].words != 0 || readers.size() != 1)
      return;
    const std::uint32_t at = readers.front();
    if (at <= pc || at >= code_.entryEnd || opcodeName(opcode(at)) != "setp") return;
    const StaticInstruction& compares = code_.statics[at];
    const bool guarded = code_.instructions[at].guard.number != kTruePredicate;
    if (guarded || compares.readCount != 1 || compares.writeCount != 1 ||
        !writtenOnce(compares.writes[0]) || !writtenOnce(known.reads[0]))
      return;
    replace(pc);
    replace(at);
  }

  /// A parameter is an operand in the constant bank.
  void foldParameter(std::uint32_t pc) {
    const StaticInstruction& known = code_.statics[pc];
    if (known.readCount != 0 || known.operation != MemoryOperation::Load) return;
    for (unsigned k = 0; k < known.writeCount; ++k) {
      if (!writtenOnce(known.writes[k])) return;
    }
    replace(pc);
  }

  bool isCopy(std::uint32_t pc, std::string_view name) const {
    const StaticInstruction& known = code_.statics[pc];
    if (known.instructionClass != InstructionClass::Integer) return false;
    const std::string_view op = opcode(pc);
    const bool ofWords = op == "cvt.u64.u32" || op == "cvt.u32.u64" || op == "cvt.u32.u16" ||
                         op == "cvt.u16.u32" || op == "cvt.u32.u32";
    if (name == "mov") return known.readCount != 0 || isConstant(code_.instructions[pc].a);
    return ofWords || isAmong(name, {"cvta", "call"}) ||
           (known.space == MemorySpace::None && opcodeHas(op, "param"));
  }

  /// True for a row that is an immediate or in the constant bank, such as the size of the grid.
  bool isConstant(Row row) const {
    if ((row & kConstantBit) == 0) return false;
    const auto at = std::find_if(code_.constants.begin(), code_.constants.end(),
                                 [&](const ConstantRow& one) { return one.row == row; });
    if (at == code_.constants.end()) return false;
    return at->kind < ConstantRow::Kind::LaneId || at->kind > ConstantRow::Kind::LaneMaskGt;
  }

  /// A copy of a value that is written once is that value. Into a register with several values (a
  /// variable of a loop) the allocator has the value computed at once, if the old one is not read
  /// in between.
  void foldCopy(std::uint32_t pc) {
    const StaticInstruction& known = code_.statics[pc];
    const RegisterId to = known.writes[0];
    if (writtenOnce(to)) return replace(pc);
    if (known.readCount != 1) return;
    foldIntoWriter(pc, known.reads[0], to);
  }

  /// A copy with the guard of the instruction whose result it copies.
  void foldGuardedCopy(std::uint32_t pc) {
    const StaticInstruction& known = code_.statics[pc];
    if (result(pc) == kNone || known.readCount != 2 || !isCopy(pc, opcodeName(opcode(pc)))) return;
    const RegisterId from = known.reads[0];
    const PredicateOperand guard = code_.instructions[pc].guard;
    if (!writtenOnce(from) || known.writes[0] == known.reads[1]) return;
    const PredicateOperand own = code_.instructions[writer_[from]].guard;
    if (own.number == guard.number && own.flip == guard.flip)
      foldIntoWriter(pc, from, known.writes[0]);
  }

  void foldIntoWriter(std::uint32_t pc, RegisterId from, RegisterId to) {
    if (!writtenOnce(from) || found_.replaced[from] || readers_[from].size() != 1) return;
    const std::uint32_t made = writer_[from];
    if (made > pc || code_.slots[from].words != code_.slots[to].words) return;
    for (std::uint32_t between = made + 1; between < pc; ++between) {
      const StaticInstruction& one = code_.statics[between];
      const bool ends = one.instructionClass == InstructionClass::Branch;
      if (ends || names(one.reads, one.readCount, to) || names(one.writes, one.writeCount, to))
        return;
    }
    found_.free[pc] = true;
    found_.same[from] = to;
  }

  template <class Ids>
  static bool names(const Ids& ids, unsigned count, RegisterId id) {
    return std::find(ids.begin(), ids.begin() + count, id) != ids.begin() + count;
  }

  template <class Holds>
  bool allReaders(std::uint32_t pc, Holds holds) const {
    const auto& readers = readers_[code_.statics[pc].writes[0]];
    return !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](std::uint32_t at) {
      return at < code_.entryEnd && holds(at, opcodeName(opcode(at)));
    });
  }

  /// True if all readers take the operand with its sign changed.
  bool isFoldedSign(std::uint32_t pc, std::string_view name) const {
    const std::string_view type = opcodeType(opcode(pc));
    const bool ofFloat = type == "f32" || type == "f64";
    if (name == "neg" || (name == "abs" && ofFloat)) {
      return allReaders(pc, [&](std::uint32_t at, std::string_view reader) {
        if (isWideInteger(opcode(pc))) return false;
        return ofFloat
                   ? isAmong(reader, {"add", "sub", "mul", "fma", "mad", "min", "max", "setp"}) &&
                         opcodeType(opcode(at)) == type
                   : isAmong(reader, {"add", "sub"});
      });
    }
    return name == "not" && type == "b32" &&
           allReaders(pc, [](std::uint32_t, std::string_view reader) {
             return isAmong(reader, {"and", "or", "xor", "lop3"});
           });
  }

  /// True for the sum of a register and a constant that is read as an address alone.
  bool isAddressSum(std::uint32_t pc, std::string_view name) const {
    const StaticInstruction& known = code_.statics[pc];
    const bool wide = code_.slots[known.writes[0]].words == 2;
    if (name != "add" || known.readCount != 1 || wide != code_.addressBits64) return false;
    return allReaders(pc, [&](std::uint32_t at, std::string_view) {
      const StaticInstruction& access = code_.statics[at];
      if (access.instructionClass != InstructionClass::Memory) return false;
      return access.operation == MemoryOperation::Load || (wide && !isWideInteger(opcode(at)));
    });
  }

  /// Folds a product, shift or logic operation whose only reader is a sum or logic operation of the
  /// block: IMAD, LEA, FFMA, LOP3.
  void foldIntoReader(std::uint32_t pc, std::string_view name) {
    const RegisterId made = code_.statics[pc].writes[0];
    if (readers_[made].size() != 1 || !found_.sequences[pc].empty()) return;
    const std::uint32_t at = readers_[made].front();
    if (at <= pc || at >= code_.entryEnd || !found_.sequences[at].empty()) return;
    for (std::uint32_t between = pc; between < at; ++between) {
      if (code_.statics[between].instructionClass == InstructionClass::Branch) return;
    }
    const Sequence both = fused(name, opcode(pc), opcode(at));
    if (both.empty()) return;
    found_.sequences[at] = both;
    replace(pc);
  }

  static Sequence fused(std::string_view name, std::string_view first, std::string_view second) {
    const std::string_view reader = opcodeName(second), type = opcodeType(second);
    const bool sums = reader == "add" || (reader == "sub" && type == "f32");
    const bool plain = !opcodeHas(second, "cc") && !opcodeHas(second, "sat");
    if (!plain) return {};
    if (sums && name == "mul" && opcodeHas(first, "wide") && isWideInteger(second)) return "M";
    if (sums && name == "mul" && opcodeHas(first, "lo") && isAmong(type, {"u32", "s32"}))
      return "M";
    const bool words = isAmong(type, {"u32", "s32"}) && isAmong(opcodeType(first), {"u32", "s32"});
    const bool carries = opcodeHas(first, "cc") || opcodeHas(first, "sat");
    if (words && !carries && isAmong(name, {"add", "sub"}) && isAmong(reader, {"add", "sub"}))
      return "I";  // IADD3
    if (sums && name == "shl" && isAmong(type, {"u32", "s32"})) return "A";
    if (sums && name == "shl" && isWideInteger(second)) return "II";
    if (sums && name == "mul" && type == "f32" && first.size() <= 11 && second.size() <= 11 &&
        opcodeType(first) == "f32" && !opcodeHas(first, "rn") && !opcodeHas(second, "rn"))
      return "F";
    const auto logic = {"and", "or", "xor"};
    const bool both = std::find(logic.begin(), logic.end(), name) != logic.end() &&
                      std::find(logic.begin(), logic.end(), reader) != logic.end();
    return both && type == "b32" && opcodeType(first) == "b32" ? "I" : "";
  }

  /// Makes the instruction free: readers of its results read its sources.
  void replace(std::uint32_t pc) {
    const StaticInstruction& known = code_.statics[pc];
    found_.free[pc] = true;
    for (unsigned k = 0; k < known.writeCount; ++k) {
      found_.replaced[known.writes[k]] = true;
      found_.readsInstead[known.writes[k]].assign(known.reads.begin(),
                                                  known.reads.begin() + known.readCount);
    }
  }

  const KernelCode& code_;
  std::vector<unsigned> writes_;       ///< instructions that write the register
  std::vector<std::uint32_t> writer_;  ///< the last of them
  std::vector<std::vector<std::uint32_t>> readers_;
  Folding found_;
};

}  // namespace

Folding foldOperands(const KernelCode& code) {
  return FoldedOperands(code).run();
}

}  // namespace fermata::ptx
