#include <fermata/stimuli/ptx/module.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/ptx/compiled.h>
#include <fermata/stimuli/ptx/device_launches.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/kernel_decoder.h>
#include <fermata/stimuli/ptx/kernel_decoding.h>
#include <fermata/stimuli/ptx/machine_code.h>
#include <fermata/stimuli/ptx/needed_capability.h>

namespace fermata::ptx {

namespace {

std::unique_ptr<KernelCode> codeOf(const ModuleData& data, std::size_t entry,
                                   MachineCode* machine) {
  std::unique_ptr<KernelCode> code = decodeKernel(*data.ast, *data.entries[entry], machine);
  code->module = &data;
  noteCapabilities(*code);
  return code;
}

}  // namespace

Kernel::Kernel(std::unique_ptr<KernelCode> code)
    : code_(std::move(code)), compiled_(std::make_shared<CompiledPlace>()), facts_(*code_) {}
Kernel::~Kernel() = default;

std::uint32_t Kernel::instructionCount() const {
  return static_cast<std::uint32_t>(code_->instructions.size());
}
std::uint32_t Kernel::instructionsBefore() const {
  std::size_t before = 0;
  for (const auto& function : code_->module->ast->functions) {
    if (function->name == name()) break;
    before += function->statements.size();
  }
  return static_cast<std::uint32_t>(before);
}
std::uint32_t Kernel::registerCount() const {
  return static_cast<std::uint32_t>(code_->slots.size());
}
const CodeText& Kernel::text(std::uint32_t pc) const {
  return code_->texts.at(pc);
}
const StaticInstruction& Kernel::staticInstruction(std::uint32_t pc) const {
  return code_->statics.at(pc);
}
const MachineCode& Kernel::machineCode() const {
  std::call_once(machineCodeMade_, [this] {
    const ModuleData& data = *code_->module;
    machineCode_ = std::make_unique<MachineCode>();
    machineCode_->code = codeOf(data, data.entryNumbers.at(name()), machineCode_.get());
  });
  return *machineCode_;
}
bool Kernel::readsClock() const {
  const auto& all = code_->instructions;
  return std::any_of(all.begin(), all.end(),
                     [](const Instruction& one) { return one.handler == &executeClock; });
}
namespace {

bool mayBeGlobalAtomic(const Instruction& i) {
  return i.operation == MemoryOperation::Atomic &&
         (i.space == MemorySpace::Global || i.space == MemorySpace::Generic);
}

}  // namespace

bool KernelCode::meetsOthers() const {
  for (std::size_t pc = 0; pc < instructions.size(); ++pc) {
    const Instruction& i = instructions[pc];
    if (mayBeGlobalAtomic(i) && !statics[pc].unread) return true;
    if (i.handler == &executeSurface) return true;
  }
  return callsLibrary || takesClusters;
}

bool KernelCode::hasGlobalAtomics() const {
  return std::any_of(instructions.begin(), instructions.end(), mayBeGlobalAtomic);
}

namespace {

const Kernel& decoded(ModuleData& data, std::size_t number) {
  std::unique_ptr<Kernel>& kernel = data.kernels[number];
  if (kernel == nullptr) kernel = std::make_unique<Kernel>(codeOf(data, number, nullptr));
  return *kernel;
}

}  // namespace

unsigned architectureOf(const Kernel& kernel) {
  const std::string& target = kernel.code().module->ast->target;
  const std::size_t digits = target.find('_') + 1;
  unsigned number = 0;
  for (std::size_t k = digits; k < target.size() && target[k] >= '0' && target[k] <= '9'; ++k)
    number = 10 * number + static_cast<unsigned>(target[k] - '0');
  return number;
}

// Entries are decoded when they are asked for, in a module that nobody sees change.
const Kernel& kernelOf(const ModuleData& module, const std::string& entry) {
  return decoded(const_cast<ModuleData&>(module), module.entryNumbers.at(entry));
}

Module::Module(std::unique_ptr<ModuleData> data) : data_(std::move(data)) {}
Module::~Module() = default;

const std::string& Module::fileName() const {
  return data_->ast->fileName;
}
unsigned Module::addressBits() const {
  return data_->ast->addressBits;
}
const std::string& Module::target() const {
  return data_->ast->target;
}

std::vector<std::string> Module::entries() const {
  std::vector<std::string> names;
  for (const Function* entry : data_->entries) names.push_back(entry->name);
  return names;
}

const Kernel& Module::kernel(std::string_view entry) const {
  const auto found = data_->entryNumbers.find(entry);
  if (found != data_->entryNumbers.end()) return decoded(*data_, found->second);
  std::string known;
  for (const Function* each : data_->entries) known += (known.empty() ? "" : ", ") + each->name;
  throw InputError({data_->ast->fileName, 0, 0},
                   fmt::format("there is no entry '{}'; expected one of: {}", entry,
                               known.empty() ? "(the file has none)" : known));
}

std::vector<std::pair<std::string, std::uint64_t>> Module::variables() const {
  std::vector<std::pair<std::string, std::uint64_t>> list;
  for (const auto& variable : data_->ast->variables) {
    if (isInDeviceMemory(*variable) && !variable->isTexture)
      list.emplace_back(variable->name, variable->bytes);
  }
  return list;
}

std::vector<std::string> Module::textures() const {
  std::vector<std::string> names;
  for (const auto& variable : data_->ast->variables) {
    if (variable->isTexture) names.push_back(variable->name);
  }
  return names;
}

std::shared_ptr<const Module> parse(std::string_view text, const std::string& fileName,
                                    Decode decode) {
  auto data = std::make_unique<ModuleData>();
  data->ast = parseSyntax(text, fileName);
  data->ast->addressTaken = addressTaken(*data->ast);
  for (const auto& function : data->ast->functions) {
    if (!function->isEntry || !function->isDefined) continue;
    data->entryNumbers.emplace(function->name, data->entries.size());
    data->entries.push_back(function.get());
  }
  data->kernels.resize(data->entries.size());
  for (std::size_t k = 0; decode == Decode::AtOnce && k < data->entries.size(); ++k)
    decoded(*data, k);
  return std::make_shared<const Module>(std::move(data));
}

std::shared_ptr<const Module> parseFile(const std::string& path, Decode decode) {
  refuseFolder(path, "a PTX file");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw InputError({path, 0, 0}, fmt::format("cannot be read: {}", std::strerror(errno)));
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad()) throw InputError({path, 0, 0}, "cannot be read");
  const std::string all = text.str();
  if (all.find('\0') != std::string::npos)
    throw InputError({path, 0, 0},
                     "is binary; expected PTX text, as nvcc --ptx and cuobjdump -ptx write it");
  return parse(all, path, decode);
}

}  // namespace fermata::ptx
