#include <fermata/platforms/program/timeline/instruction_names.h>

#include <filesystem>

namespace fermata::platforms {

InstructionNames::Name InstructionNames::of(std::uint32_t program, std::uint32_t pc) {
  if (names_.size() <= program) names_.resize(program + 1);
  std::vector<Name>& ofProgram = names_[program];
  if (ofProgram.size() <= pc) ofProgram.resize(pc + 1);
  Name& name = ofProgram[pc];
  if (name.opcode != 0) return name;
  InstructionText text = workload_->instructionText(program, pc);
  name.opcode = stream_.text(text.opcode.empty() ? "instruction" : text.opcode);
  text.file = std::filesystem::path(text.file).filename();
  const std::string place = text.place();
  name.source = stream_.text(place.empty() ? "pc " + std::to_string(pc) : place);
  return name;
}

}  // namespace fermata::platforms
