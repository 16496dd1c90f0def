#include <fermata/platforms/program/bound/operand_sources.h>

#include <algorithm>

namespace fermata::platforms {

namespace {

OperandSource madeBy(const StaticInstruction& writer) {
  if (writer.instructionClass != InstructionClass::Memory) return OperandSource::Arithmetic;
  switch (writer.space) {
    case MemorySpace::Shared:
      return OperandSource::Scratchpad;
    case MemorySpace::Global:
    case MemorySpace::Local:
    case MemorySpace::Texture:
    case MemorySpace::Generic:  // a kernel that knows its space says so
      return OperandSource::Global;
    case MemorySpace::None:
    case MemorySpace::Constant:
    case MemorySpace::Parameter:
      break;
  }
  return OperandSource::Arithmetic;
}

}  // namespace

void OperandSources::gridStarted(const Grid& grid, Cycle) {
  if (programs_.size() <= grid.program) programs_.resize(grid.program + 1);
  if (programs_[grid.program].size() < grid.instructionCount)
    programs_[grid.program].resize(grid.instructionCount);
}

void OperandSources::join(Probe& one) {
  auto& other = static_cast<OperandSources&>(one);
  for (std::size_t program = 0; program < other.programs_.size(); ++program) {
    const std::vector<Seen>& seen = other.programs_[program];
    for (std::size_t pc = 0; pc < seen.size(); ++pc) {
      if (Seen& own = programs_[program][pc]; !own.issued) own = seen[pc];
    }
  }
  other.reset();
}

void OperandSources::issued(const IssueEvent& event) {
  Seen& seen = programs_[event.grid.program][event.instruction.pc];
  if (!seen.issued) seen = {true, event.instruction};
}

OperandSources::Writers OperandSources::writersOf(const std::vector<Seen>& all) {
  Writers writers;
  for (std::uint32_t pc = 0; pc < all.size(); ++pc) {
    if (!all[pc].issued) continue;
    const StaticInstruction& one = all[pc].instruction;
    for (unsigned i = 0; i < one.writeCount; ++i) {
      const RegisterId id = one.writes[i];
      if (writers.size() <= id) writers.resize(id + std::size_t{1});
      if (writers[id].empty() || writers[id].back() != pc) writers[id].push_back(pc);
    }
  }
  return writers;
}

OperandSource OperandSources::sourceOf(const std::vector<Seen>& all, const Writers& writers,
                                       std::uint32_t pc) {
  const StaticInstruction& reader = all[pc].instruction;
  const bool test = reader.suspends && reader.instructionClass == InstructionClass::Memory;
  if (test || reader.groupsLeft != StaticInstruction::kAnyGroups)
    return OperandSource::Global;  // copies
  OperandSource farthest = OperandSource::Arithmetic;
  for (unsigned i = 0; i < reader.readCount; ++i) {
    const RegisterId id = reader.reads[i];
    if (id >= writers.size() || writers[id].empty()) continue;
    const std::vector<std::uint32_t>& of = writers[id];
    const auto behind = std::lower_bound(of.begin(), of.end(), pc);
    const std::uint32_t writer = behind == of.begin() ? of.back() : *(behind - 1);
    farthest = std::max(farthest, madeBy(all[writer].instruction));
  }
  return farthest;
}

}  // namespace fermata::platforms
