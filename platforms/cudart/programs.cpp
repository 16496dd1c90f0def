#include <fermata/platforms/cudart/programs.h>

#include <fermata/platforms/program/code_platform.h>
#include <fermata/stimuli/ptx/linker.h>

namespace fermata::cudart {

std::unique_ptr<Program> Program::copyOf(std::string text, std::string name) {
  auto program = std::make_unique<Program>(std::string_view(), std::move(name));
  program->own_ = std::move(text);
  program->text_ = program->own_;
  return program;
}

std::string Registration::nameOf(const char* name) const {
  const auto found = renamed.find(std::string(ptx::baseName(name)));
  return found == renamed.end() ? name : found->second;
}

const ptx::Module& Program::module() {
  if (module_ == nullptr) module_ = ptx::parse(text_, name_, ptx::Decode::WhenAsked);
  return *module_;
}

std::string Programs::platform() const {
  platforms::CodePlatform code;
  for (const auto& program : programs_) code.add(program->text());
  return code.name();
}

}  // namespace fermata::cudart
