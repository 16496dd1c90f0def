// The uniform datapath (compute capability 7.5 and later): registers that a warp has once. ptxas
// 13.0 uses it for integers only, and only where all lanes go together. An instruction of the
// lanes names at most one uniform register, immediate or constant:
//
//   mov.u32 %r1, %ctaid.x;  add.s32 %r2, %r1, %r9;      r1 uniform: IADD3 R2, R9, UR1
//   mov.u32 %r1, %ctaid.x;  mad.lo.s32 %r2, %r1, 7, %r9;  r1 is not: 7 takes the place
#include <algorithm>
#include <unordered_map>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/machine_registers.h>

namespace fermata::ptx {
namespace {

class UniformRegisters {
 public:
  UniformRegisters(const KernelCode& code, const Folding& folding, RegisterUses& uses)
      : code_(code),
        folding_(folding),
        uses_(uses),
        vector_(code.slots.size(), false),
        writers_(code.slots.size()),
        readers_(code.slots.size()),
        apart_(code.statics.size() + 1, false) {
    for (const ConstantRow& row : code.constants) constants_[row.row] = &row;
    for (std::uint32_t pc = 0; pc < uses.statics.size(); ++pc) {
      const StaticInstruction& one = uses.statics[pc];
      for (unsigned k = 0; k < one.writeCount; ++k) writers_[one.writes[k]].push_back(pc);
      for (unsigned k = 0; k < one.readCount; ++k) readers_[one.reads[k]].push_back(pc);
    }
  }

  void run() {
    for (std::uint32_t pc = 0; pc < uses_.statics.size(); ++pc) {
      if (!mayBeUniform(pc)) writesVary(pc);
    }
    for (const auto& [pc, ids] : code_.accumulators) {
      for (const RegisterId id : ids) vary(id);
    }
    while (!open_.empty()) {
      const RegisterId id = take();
      for (const std::uint32_t pc : readers_[id]) readsVary(pc);
    }
    checkReaders();
    for (std::size_t id = 0; id < vector_.size(); ++id) {
      if (!vector_[id] && !writers_[id].empty()) uses_.slots[id].words = 0;
    }
  }

 private:
  std::string_view opcode(std::uint32_t pc) const { return code_.texts[pc].opcode; }

  RegisterId take() {
    const RegisterId id = open_.back();
    open_.pop_back();
    return id;
  }
  void vary(RegisterId id) {
    if (vector_[id]) return;
    vector_[id] = true;
    open_.push_back(id);
  }
  void writesVary(std::uint32_t pc) {
    const StaticInstruction& one = uses_.statics[pc];
    for (unsigned k = 0; k < one.writeCount; ++k) vary(one.writes[k]);
  }

  /// Notes that the lanes of a warp read different values at the PC. A branch parts them up to
  /// where its paths meet, or in the loop that it closes.
  void readsVary(std::uint32_t pc) {
    writesVary(pc);
    const Instruction& i = code_.instructions[pc];
    if (pc >= code_.entryEnd || !isBranch(i) || apart_[pc]) return;
    const std::uint32_t meet = std::min(i.branch.reconverge, code_.entryEnd);
    const std::uint32_t first = std::min(pc, i.branch.target);
    for (std::uint32_t at = first; at < std::max(meet, pc + 1); ++at) {
      if (apart_[at]) continue;
      apart_[at] = true;
      writesVary(at);
    }
  }

  bool mayBeUniform(std::uint32_t pc) const {
    const StaticInstruction& one = uses_.statics[pc];
    if (pc >= code_.entryEnd) return false;
    if (one.space == MemorySpace::Parameter || one.space == MemorySpace::Constant) return true;
    if (one.space != MemorySpace::None) return false;
    const std::string_view name = opcodeName(opcode(pc)), type = opcodeType(opcode(pc));
    if (name == "mov") return one.readCount != 0 || isUniform(code_.instructions[pc].a);
    if (!isAmong(type, {"u32", "s32", "b32", "u64", "s64", "b64", "pred"})) return false;
    if (name == "mul") return !opcodeHas(opcode(pc), "hi");
    return isAmong(name, {"add", "sub", "mad", "and", "or", "xor", "not", "neg", "shl", "shr",
                          "setp", "selp", "cvt", "cvta"});
  }

  bool isUniform(Row row) const {
    if ((row & kConstantBit) != 0) {
      const auto found = constants_.find(row);
      return found != constants_.end() && (found->second->kind < ConstantRow::Kind::LaneId ||
                                           found->second->kind > ConstantRow::Kind::LaneMaskGt);
    }
    for (unsigned one = static_cast<unsigned>(WarpRow::CtaidX); one < kWarpRows; ++one) {
      if (row == code_.warpRows[one]) return one != static_cast<unsigned>(WarpRow::WarpId);
    }
    return false;
  }

  /// Takes back registers that a reader cannot name. Their writers become instructions of lanes.
  void checkReaders() {
    for (std::size_t id = 0; id < vector_.size(); ++id)
      open_.push_back(static_cast<RegisterId>(id));
    std::reverse(open_.begin(), open_.end());
    while (!open_.empty()) {
      const RegisterId id = take();
      if (vector_[id] || uses_.slots[id].words == 0) continue;
      const auto& readers = readers_[id];
      if (std::all_of(readers.begin(), readers.end(),
                      [this](std::uint32_t pc) { return canName(pc); }))
        continue;
      vector_[id] = true;
      for (const std::uint32_t pc : writers_[id]) {
        const StaticInstruction& one = uses_.statics[pc];
        open_.insert(open_.end(), one.reads.begin(), one.reads.begin() + one.readCount);
      }
    }
  }

  /// True if the instruction is itself uniform or reads one uniform register beside others.
  bool canName(std::uint32_t pc) const {
    const StaticInstruction& one = uses_.statics[pc];
    if (one.writeCount != 0 && uses_.slots[one.writes[0]].words != 0 && !vector_[one.writes[0]])
      return true;
    if (one.space != MemorySpace::None || one.instructionClass == InstructionClass::Branch)
      return false;
    unsigned uniform = 0, others = 0;
    for (unsigned k = 0; k < one.readCount; ++k) {
      if (uses_.slots[one.reads[k]].words != 0) ++(vector_[one.reads[k]] ? others : uniform);
    }
    const bool moves = isAmong(opcodeName(opcode(pc)), {"mov", "cvt", "setp"});
    return uniform == 1 && (others != 0 || moves) && constantsOf(pc, 0) == 0;
  }

  /// Counts the immediates and constants of an instruction and of those that it takes in.
  unsigned constantsOf(std::uint32_t pc, unsigned depth) const {
    constexpr unsigned kDeepest = 4;
    const Instruction& i = code_.instructions[pc];
    const StaticInstruction& one = code_.statics[pc];
    if (one.space == MemorySpace::Parameter) return 1;
    unsigned count = 0;
    for (const Row row : {i.a, i.b, i.c}) count += isConstant(row) ? 1 : 0;
    for (unsigned k = 0; k < one.readCount && depth < kDeepest; ++k) {
      const RegisterId id = one.reads[k];
      if (folding_.replaced[id] && folding_.writer[id] < pc)
        count += constantsOf(folding_.writer[id], depth + 1);
    }
    return count;
  }

  /// True for a constant other than 0, which is a register of its own (RZ).
  bool isConstant(Row row) const {
    if ((row & kConstantBit) == 0) return false;
    const auto found = constants_.find(row);
    return found == constants_.end() || found->second->kind != ConstantRow::Kind::Value ||
           found->second->value != 0;
  }

  const KernelCode& code_;
  const Folding& folding_;
  RegisterUses& uses_;
  std::unordered_map<Row, const ConstantRow*> constants_;
  std::vector<bool> vector_;  ///< by RegisterId: differs between lanes, or must not be uniform
  std::vector<std::vector<std::uint32_t>> writers_, readers_;  ///< PCs, by RegisterId
  std::vector<bool> apart_;  ///< by PC: lanes of a warp may have parted
  std::vector<RegisterId> open_;
};

}  // namespace

void freeUniformRegisters(const KernelCode& code, const Folding& folding, RegisterUses& uses) {
  UniformRegisters(code, folding, uses).run();
}

}  // namespace fermata::ptx
