#include <fermata/platforms/program/timeline/instruction_names.h>

#include <filesystem>

namespace fermata::platforms {

InstructionNames::Name InstructionNames::of(std::uint32_t program, std::uint32_t pc) {
  if (names_.size() <= program) names_.resize(program + 1);
  std::vector<Name>& ofProgram = names_[program];
  if (ofProgram.size() <= pc) ofProgram.resize(pc + 1);
  Name& name = ofProgram[pc];
  if (name.opcode != 0) return name;
  const InstructionText text = workload_->instructionText(program, pc);
  name.opcode = stream_.text(text.opcode.empty() ? "instruction" : text.opcode);
  const std::string file = std::filesystem::path(text.file).filename();
  name.source = stream_.text(file.empty() ? "pc " + std::to_string(pc)
                                          : file + ':' + std::to_string(text.line));
  return name;
}

}  // namespace fermata::platforms
