#include <fermata/platforms/cudart/programs.h>

namespace fermata::cudart {

std::unique_ptr<Program> Program::copyOf(std::string text, std::string name) {
  auto program = std::make_unique<Program>(std::string_view(), std::move(name));
  program->own_ = std::move(text);
  program->text_ = program->own_;
  return program;
}

const ptx::Module& Program::module() {
  if (module_ == nullptr) module_ = ptx::parse(text_, name_, ptx::Decode::WhenAsked);
  return *module_;
}

Program& Programs::add(std::unique_ptr<Program> program) {
  programs_.push_back(std::move(program));
  return *programs_.back();
}

void Programs::registerFunction(const void* host, DeviceFunction function) {
  functions_[host] = std::move(function);
}

void Programs::registerVariable(const void* host, DeviceVariable variable) {
  variables_[host] = std::move(variable);
}

void Programs::registerTexture(const void* host, DeviceTexture texture) {
  textures_[host] = std::move(texture);
}

const DeviceFunction* Programs::function(const void* host) const {
  const auto found = functions_.find(host);
  return found == functions_.end() ? nullptr : &found->second;
}

const DeviceVariable* Programs::variable(const void* host) const {
  const auto found = variables_.find(host);
  return found == variables_.end() ? nullptr : &found->second;
}

const DeviceTexture* Programs::texture(const void* host) const {
  const auto found = textures_.find(host);
  return found == textures_.end() ? nullptr : &found->second;
}

}  // namespace fermata::cudart
