#include <fermata/stimuli/ptx/block_dependences.h>

#include <string_view>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/row_packing.h>

namespace fermata::ptx {
namespace {

/// True for an instruction that no access to memory passes.
bool isMemoryWall(const StaticInstruction& one, const Instruction& i) {
  const InstructionClass kind = one.instructionClass;
  return one.fence || one.suspends || one.arrives || one.streams || i.observes ||
         kind == InstructionClass::Barrier || kind == InstructionClass::Exit ||
         kind == InstructionClass::Branch || one.copyStep != CopyStep::None ||
         one.groupsLeft != StaticInstruction::kAnyGroups || one.space == MemorySpace::Generic;
}

/// Cycles from a comparison to an instruction that it guards.
constexpr unsigned kGuardLatency = 13;

}  // namespace

HiddenRegisters::HiddenRegisters(const KernelCode& code) {
  for (std::size_t id = 0; id < code.slots.size(); ++id) {
    if (code.slots[id].row != kUnusedRow) owners[code.slots[id].row] = static_cast<RegisterId>(id);
  }
  std::vector<bool> seen(code.slots.size(), false);
  for (const auto& [pc, ids] : code.accumulators) {
    for (const RegisterId id : ids) {
      if (!seen[id]) accumulators.push_back(id);
      seen[id] = true;
    }
  }
}

Dependences::Dependences(const KernelCode& code, const MachineParts& parts,
                         const HiddenRegisters& hidden, CodeRange range)
    : code_(code), hidden_(hidden) {
  for (std::uint32_t pc = range.first; pc < range.end; ++pc) {
    const auto count = static_cast<std::uint32_t>(parts[pc].size());
    if (count == 0) nodes.push_back({{pc, 0}, nullptr, true});
    for (std::uint32_t part = 0; part < count; ++part)
      nodes.push_back({{pc, part}, &parts[pc][part], part + 1 == count});
  }
  after.resize(nodes.size());
  waits.resize(nodes.size(), 0);
  for (std::uint32_t k = 0; k < nodes.size(); ++k) add(k);
  // The last one stays last.
  const auto last = static_cast<std::uint32_t>(nodes.size() - 1);
  for (std::uint32_t k = 0; k < last; ++k) edge(k, last);
}

void Dependences::edge(std::uint32_t from, std::uint32_t to, unsigned latency, bool operand) {
  if (from == kNone || from == to) return;
  after[from].push_back({to, latency, operand});
  ++waits[to];
}

void Dependences::add(std::uint32_t k) {
  Node& node = nodes[k];
  node.walls = walls_;
  edge(wall_, k);
  if (node.machine != nullptr) addRegisters(k, *node.machine, ofMachine_);
  if (!node.computes) return;
  const StaticInstruction& one = code_.statics[node.place.pc];
  const Instruction& i = code_.instructions[node.place.pc];
  addRegisters(k, one, ofPtx_);
  addRows(k, one, i);
  addMemory(k, one, i);
  addAccumulators(k, node.place.pc);
  // Nothing passes a reading of the clock.
  if (i.handler != &executeClock) return;
  for (std::uint32_t before = wall_ == kNone ? 0 : wall_ + 1; before < k; ++before) edge(before, k);
  wall_ = k;
}

/// Orders the users of registers that an instruction has beside those of `statics`. What begins or
/// awaits products of warp groups or accesses to tensor memory uses those of all of them.
void Dependences::addAccumulators(std::uint32_t k, std::uint32_t pc) {
  const std::string_view opcode = code_.texts[pc].opcode;
  const bool all = opcode.rfind("wgmma.", 0) == 0 || opcode.rfind("tcgen05.wait", 0) == 0;
  const auto own = code_.accumulators.find(pc);
  if (!all && own == code_.accumulators.end()) return;
  for (const RegisterId id : all ? hidden_.accumulators : own->second) write(k, ofPtx_[id]);
}

void Dependences::addRegisters(std::uint32_t k, const StaticInstruction& one, Registers& all) {
  for (unsigned r = 0; r < one.readCount; ++r) read(k, all[one.reads[r]]);
  for (unsigned w = 0; w < one.writeCount; ++w) write(k, all[one.writes[w]]);
  if (one.guard == StaticInstruction::kNoGuard) return;
  write(k, all[one.guard]);
  all[one.guard].latency = kGuardLatency;
}
void Dependences::read(std::uint32_t k, Users& users) {
  edge(users.writer, k, users.latency, true);
  users.readers.push_back(k);
}
void Dependences::write(std::uint32_t k, Users& users) {
  edge(users.writer, k);
  for (const std::uint32_t reader : users.readers) edge(reader, k);
  users = {k, 0, {}};
}

/// Orders the users of rows that the instruction names without telling the scoreboard.
void Dependences::addRows(std::uint32_t k, const StaticInstruction& one, Instruction i) {
  eachRow(i, [&](Row& row) {
    if (row == 0 || row == kUnusedRow || (row & kConstantBit) != 0) return;
    const auto owner = hidden_.owners.find(row);
    if (owner == hidden_.owners.end()) return write(k, rows_[row]);
    if (!names(one, owner->second)) write(k, ofPtx_[owner->second]);
  });
}

/// Orders accesses to the same space: a store passes no other one.
void Dependences::addMemory(std::uint32_t k, const StaticInstruction& one, const Instruction& i) {
  const bool wall = isMemoryWall(one, i) || (one.tensorWork != 0 && one.space != MemorySpace::None);
  if (!wall && one.instructionClass != InstructionClass::Memory) return;
  edge(memoryWall_, k);
  if (wall) {
    for (const std::uint32_t access : sinceMemoryWall_) edge(access, k);
    sinceMemoryWall_.clear();
    accesses_.fill({});
    memoryWall_ = k;
    nodes[k].wall = true;
    ++walls_;
    return;
  }
  sinceMemoryWall_.push_back(k);
  if (one.space == MemorySpace::Constant || one.space == MemorySpace::Parameter) return;
  Accesses& accesses = accesses_[static_cast<unsigned>(one.space)];
  edge(accesses.store, k);
  if (one.operation == MemoryOperation::Load) {
    accesses.loads.push_back(k);
    return;
  }
  for (const std::uint32_t load : accesses.loads) edge(load, k);
  accesses = {k, {}};
}

}  // namespace fermata::ptx
