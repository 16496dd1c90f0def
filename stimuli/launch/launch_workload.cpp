#include <fermata/stimuli/launch/launch_workload.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include <fermata/stimuli/cuda/references.h>
#include <fermata/stimuli/launch/arguments.h>
#include <fermata/stimuli/launch/compile_cuda.h>
#include <fermata/stimuli/launch/dump_file.h>
#include <fermata/stimuli/launch/entry_names.h>
#include <fermata/stimuli/launch/fill.h>
#include <fermata/stimuli/launch/npy.h>
#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/software_hash/rewrite.h>

namespace fermata::launch {
namespace {

namespace fs = std::filesystem;

/// Returns the texture's element for a type of 32 bits or fewer.
ptx::Texture::Element textureElement(ElementType type) {
  using Element = ptx::Texture::Element;
  static const std::map<ElementType, Element> kElements = {
      {ElementType::U8, Element::U8},   {ElementType::S8, Element::S8},
      {ElementType::U16, Element::U16}, {ElementType::S16, Element::S16},
      {ElementType::U32, Element::U32}, {ElementType::S32, Element::S32},
      {ElementType::F16, Element::F16}, {ElementType::F32, Element::F32}};
  return kElements.at(type);
}

bool isComputed(const PlannedBuffer& buffer) {
  return buffer.fill.kind == Fill::Kind::Reference;
}

/// Gives a buffer without a stated shape that of the array which fills it.
void takeShape(PlannedBuffer& buffer, const Scope& scope, const std::string& folder) {
  if (!buffer.shape.empty() || buffer.fill.kind != Fill::Kind::File) return;
  const std::string file = buffer.fill.file.in(scope);
  if (!isNpyPath(file)) return;
  const Shape shape = readNpyHeader((fs::path(folder) / file).string(), buffer.fill.where).shape;
  if (elementsOf(shape, buffer.fill.where) == buffer.count) buffer.shape = shape;
}

void requireReference(const std::string& name, const SourceLocation& where) {
  if (cuda::findReference(name) != nullptr) return;
  refuse(where, "no host reference '{}'; expected one of {}", name,
         fmt::join(cuda::referenceNames(), ", "));
}

}  // namespace

LaunchWorkload::LaunchWorkload(LaunchDescription description,
                               const std::map<std::string, std::string>& parameters,
                               WorkloadOptions options)
    : ExecutorWorkload(options.code),
      description_(std::move(description)),
      options_(std::move(options)),
      plan_(planLaunches(description_, parameters)),
      memory_(options_.checkUninitialised, ptx::Reach::Arena, options_.bufferGap) {
  plan_.compile.forMachineCode = options_.code == MachineLevel::Sass;
  const std::string kernel = (fs::path(description_.folder) / plan_.kernelFile).string();
  module_ = loadKernels(kernel, plan_.kernelWhere, plan_.compile);
  findEntries();
  if (options_.softwareHash) hashKernels();
  for (const Dump& dump : plan_.dumps) checkDumpFile(dump.file.in(plan_.scope), dump.where);
  for (const Check& check : plan_.checks) {
    if (!check.reference.empty()) requireReference(check.reference, check.where);
  }
  for (const PlannedBuffer& buffer : plan_.buffers) {
    if (isComputed(buffer)) requireReference(buffer.fill.reference, buffer.fill.where);
  }
  const std::vector<std::string> names = module_->textures();
  for (const PlannedTexture& texture : plan_.textures) {
    if (std::find(names.begin(), names.end(), texture.name) != names.end()) continue;
    refuse(texture.where, "the kernels have no texture '{}'; expected {}{}", texture.name,
           names.empty() ? "none" : "one of ", fmt::join(names, ", "));
  }
  loadBuffers();
  prepareLaunches();
}

LaunchWorkload::~LaunchWorkload() = default;

void LaunchWorkload::findEntries() {
  std::map<std::string, std::string> symbols;  // by name: launches are many
  for (PlannedLaunch& launch : plan_.launches) {
    std::string& symbol = symbols[launch.entry];
    if (symbol.empty()) {
      symbol = findEntry(module_->entries(), launch.entry, module_->fileName(), launch.entryWhere);
    }
    launch.symbol = symbol;
  }
}

void LaunchWorkload::hashKernels() {
  using namespace software_hash;
  const SoftwareHash hash(*options_.softwareHash);
  module_ =
      ptx::parse(rewrite(*module_, *options_.softwareHash, Lines::Kept).text, module_->fileName());
  for (PlannedLaunch& launch : plan_.launches) {
    const ptx::Kernel& kernel = module_->kernel(launch.symbol);
    if (!kernel.usesDynamicShared()) continue;
    const std::uint64_t fixed = kernel.staticSharedBytes();
    const std::uint64_t bytes = hash.windowBytes(fixed + launch.dynamicSharedBytes) - fixed;
    launch.dynamicSharedBytes = static_cast<std::uint32_t>(bytes);
  }
}

void LaunchWorkload::loadBuffers() {
  const bool keeps = std::any_of(plan_.checks.begin(), plan_.checks.end(),
                                 [](const Check& check) { return !check.reference.empty(); }) ||
                     std::any_of(plan_.buffers.begin(), plan_.buffers.end(), isComputed);
  for (PlannedBuffer& buffer : plan_.buffers) {
    takeShape(buffer, plan_.scope, description_.folder);
    auto bytes = isComputed(buffer)
                     ? computed(buffer.fill.reference, referenceInput(), buffer, buffer.fill.where)
                     : fillBuffer(buffer, plan_.scope, description_.folder);
    if (buffer.symbol.empty()) {
      addresses_.push_back(memory_.allocate(bytes.size(), buffer.name));
      std::uint8_t* to = memory_.host(addresses_.back());
      if (buffer.fill.kind != Fill::Kind::None) {
        std::copy(bytes.begin(), bytes.end(), to);
        memory_.markInitialised(addresses_.back(), bytes.size());
      }
    } else {
      const auto variables = module_->variables();
      const auto found = std::find_if(variables.begin(), variables.end(), [&](const auto& entry) {
        return entry.first == buffer.symbol;
      });
      if (found == variables.end() || found->second != buffer.bytes()) {
        refuse(buffer.where,
               "the kernels have no variable '{}' of {} bytes; expected the name and the size of a "
               "__constant__ or __device__ variable",
               buffer.symbol, buffer.bytes());
      }
      addresses_.push_back(0);  // set once the module is loaded
    }
    if (keeps || !buffer.symbol.empty()) filled_[buffer.name] = std::move(bytes);
  }
}

void LaunchWorkload::prepareLaunches() {
  for (const PlannedLaunch& launch : plan_.launches) {
    const ptx::Kernel& kernel = module_->kernel(launch.symbol);
    std::string name = launch.entry;
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    addProgram(kernel, name);
    layOutArguments(launch, *module_, kernel, addresses_);
  }
}

void LaunchWorkload::ensureExecutor() {
  if (executor_ != nullptr) return;
  ptx::ExecutorOptions options;
  options.code = options_.code;
  options.carryData = carriesData_;
  options.checkUninitialised = options_.checkUninitialised;
  options.allowStrayReads = options_.allowStrayReads;
  options.instructionBudget = options_.instructionBudget;
  options.capability = options_.capability;
  options.print = options_.print;
  ownExecutor_ = std::make_unique<ptx::Executor>(warpSlots_, memory_, options);
  executor_ = ownExecutor_.get();
  executor_->setModel(model_);
  executor_->load(*module_);
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
    const PlannedBuffer& buffer = plan_.buffers[i];
    if (buffer.symbol.empty()) continue;
    addresses_[i] = executor_->symbolAddress(*module_, buffer.symbol);
    if (buffer.fill.kind == Fill::Kind::None) continue;
    const auto& bytes = filled_.at(buffer.name);
    memory_.write(addresses_[i], bytes.data(), bytes.size());
  }
  bindTextures();
}

void LaunchWorkload::bindTextures() {
  for (const PlannedTexture& planned : plan_.textures) {
    ptx::Texture texture;
    texture.address = addresses_[planned.buffer];
    texture.width = planned.width;
    texture.height = planned.height;
    texture.depth = planned.depth;
    texture.channels = planned.channels;
    texture.normalisedCoordinates = planned.normalised;
    texture.element = textureElement(plan_.buffers[planned.buffer].type);
    executor_->bindTexture(*module_, planned.name, texture);
  }
}

ptx::Launch LaunchWorkload::launchOf(std::size_t index) const {
  const PlannedLaunch& planned = plan_.launches[index];
  ptx::Launch launch;
  launch.kernel = &module_->kernel(planned.symbol);
  launch.grid = {planned.grid[0], planned.grid[1], planned.grid[2]};
  launch.block = {planned.block[0], planned.block[1], planned.block[2]};
  launch.dynamicSharedBytes = planned.dynamicSharedBytes;
  launch.carveout = planned.carveout;
  if (planned.cluster)
    launch.cluster = ptx::Dim3{(*planned.cluster)[0], (*planned.cluster)[1], (*planned.cluster)[2]};
  launch.parameters = layOutArguments(planned, *module_, *launch.kernel, addresses_);
  try {
    ptx::checkCluster(launch);
  } catch (const InputError& error) {
    refuse(planned.where, "{}", error.what());
  }
  return launch;
}

void LaunchWorkload::setModel(const ModelState* model) {
  model_ = model;
  if (executor_ != nullptr) executor_->setModel(model);
}

std::uint64_t LaunchWorkload::totalCtas() const {
  std::uint64_t all = 0;
  for (const PlannedLaunch& launch : plan_.launches)
    all += std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  return all;
}

const Grid* LaunchWorkload::nextGrid() {
  ensureExecutor();
  if (nextLaunch_ == plan_.launches.size()) return nullptr;
  const ptx::Launch launch = launchOf(nextLaunch_);
  const PlannedLaunch& planned = plan_.launches[nextLaunch_++];
  grid_ = gridOf(planned, launch);
  begun_ = false;
  return &grid_;
}

Grid LaunchWorkload::gridOf(const PlannedLaunch& planned, const ptx::Launch& launch) const {
  Grid grid = programGrid(launch);
  grid.where = planned.where.file;
  if (planned.where.line != 0) grid.where += ":" + std::to_string(planned.where.line);
  grid.registersPerThread = planned.registersPerThread.value_or(grid.registersPerThread);
  return grid;
}

Workload* LaunchWorkload::sideBySide(unsigned warpSlots) {
  const auto& planned = plan_.launches;
  const bool oneStream = std::all_of(planned.begin(), planned.end(), [&](const PlannedLaunch& one) {
    return one.stream == planned[0].stream;
  });
  if (oneStream || options_.allowStrayReads) return nullptr;
  warpSlots_ = warpSlots;
  ensureExecutor();
  std::vector<SetMember> members;
  std::map<std::uint32_t, unsigned> last;  // by stream
  for (unsigned number = 0; number < planned.size(); ++number) {
    const ptx::Launch launch = launchOf(number);
    SetMember member{launch, gridOf(planned[number], launch), planned[number].priority};
    const auto [before, isFirst] = last.emplace(planned[number].stream, number);
    if (!isFirst) member.after.push_back(std::exchange(before->second, number));
    members.push_back(std::move(member));
  }
  sideBySide_ =
      std::make_unique<LaunchSet>(*executor_, std::move(members), LaunchSet::Programs::Kernels);
  sideBySide_->setMemory([this] { return deviceMemory(); });
  return sideBySide_.get();
}

std::vector<DeviceBytes> LaunchWorkload::deviceMemory() const {
  std::vector<DeviceBytes> ranges;
  for (const auto& [base, allocation] : memory_.allocations())
    ranges.push_back({base, allocation.bytes, allocation.data.get(), false});
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
    if (plan_.buffers[i].fill.kind == Fill::Kind::None) continue;
    for (DeviceBytes& range : ranges) range.copied |= range.address == addresses_[i];
  }
  return ranges;
}

// Not in nextGrid(), whose caller may refuse a grid that does not fit.
void LaunchWorkload::beginLaunch() {
  if (begun_) return;
  executor_->begin(launchOf(nextLaunch_ - 1));
  giveClusters(grid_);
  begun_ = true;
}

bool LaunchWorkload::runApart(unsigned multiprocessors, unsigned slots) {
  beginLaunch();
  return ExecutorWorkload::runApart(multiprocessors, slots);
}

void LaunchWorkload::startCta(std::uint64_t /*cta*/, unsigned firstSlot) {
  beginLaunch();
  startNext(firstSlot);
}

std::uint64_t LaunchWorkload::runFunctionally() {
  ensureExecutor();
  std::uint64_t instructions = 0;
  for (; nextLaunch_ < plan_.launches.size(); ++nextLaunch_) {
    ptx::runFunctionally(*executor_, launchOf(nextLaunch_));
    instructions += executor_->instructionsExecuted();
  }
  return instructions;
}

std::vector<std::uint8_t> LaunchWorkload::expected(const Check& check,
                                                   const cuda::ReferenceInput& input) const {
  const PlannedBuffer& buffer = plan_.buffers[plan_.buffer(check.buffer)];
  if (check.reference.empty()) {
    return readElements(description_.folder, check.file.in(plan_.scope), buffer, check.where);
  }
  return computed(check.reference, input, buffer, check.where);
}

cuda::ReferenceInput LaunchWorkload::referenceInput() const {
  cuda::ReferenceInput input;
  for (const Parameter& parameter : description_.parameters) {
    if (!parameter.isWord) input.parameters[parameter.name] = plan_.scope.at(parameter.name);
  }
  for (const auto& image : plan_.images) {
    for (const auto& [name, value] : image->sizes()) input.parameters[name] = value;
  }
  input.buffers.insert(filled_.begin(), filled_.end());
  return input;
}

std::vector<std::uint8_t> LaunchWorkload::computed(const std::string& reference,
                                                   const cuda::ReferenceInput& input,
                                                   const PlannedBuffer& buffer,
                                                   const SourceLocation& where) {
  std::vector<std::uint8_t> bytes;
  try {
    bytes = cuda::findReference(reference)(input);
  } catch (const InputError& error) {
    refuse(where, "reference '{}' does not suit: {}", reference, error.what());
  }
  if (bytes.size() != buffer.bytes()) {
    refuse(where, "reference '{}' gives {} bytes; expected the {} bytes of buffer '{}'", reference,
           bytes.size(), buffer.bytes(), buffer.name);
  }
  return bytes;
}

std::size_t LaunchWorkload::checkResults() const {
  const cuda::ReferenceInput input = referenceInput();
  for (const Check& check : plan_.checks) {
    const std::size_t index = plan_.buffer(check.buffer);
    compareBuffer(check, plan_.buffers[index], memory_.host(addresses_[index]),
                  expected(check, input));
  }
  return plan_.checks.size();
}

void LaunchWorkload::openDumps(files::OutputSet& outputs, const std::string& folder) {
  for (const Dump& dump : plan_.dumps) {
    const std::string file = dump.file.in(plan_.scope);
    dumpFiles_.push_back(
        {&openDump(outputs, folder, file, dump.where), dump.buffer, isNpyPath(file)});
  }
}

void LaunchWorkload::dump() {
  for (const DumpFile& dump : dumpFiles_) {
    const std::vector<std::uint8_t> bytes = contents(dump.buffer);
    if (dump.numpy) {
      const PlannedBuffer& buffer = plan_.buffers[plan_.buffer(dump.buffer)];
      dump.file->write(
          npyHeader(buffer.type, buffer.shape.empty() ? Shape{buffer.count} : buffer.shape));
    }
    dump.file->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
}

std::map<std::string, std::string> LaunchWorkload::parameters() const {
  std::map<std::string, std::string> values;
  for (const Parameter& parameter : description_.parameters) {
    const auto chosen = plan_.chosen.find(parameter.name);
    if (!parameter.isWord) {
      values[parameter.name] = std::to_string(plan_.scope.at(parameter.name));
    } else {
      values[parameter.name] =
          chosen == plan_.chosen.end() ? parameter.defaultWord : chosen->second;
    }
  }
  return values;
}

std::vector<std::uint8_t> LaunchWorkload::contents(const std::string& buffer) const {
  const std::size_t index = plan_.buffer(buffer);
  if (index == plan_.buffers.size())
    refuse({description_.path, 0, 0}, "no buffer '{}'; expected a [buffers.NAME] of the file",
           buffer);
  std::vector<std::uint8_t> bytes(plan_.buffers[index].bytes());
  memory_.read(addresses_[index], bytes.data(), bytes.size());
  return bytes;
}

}  // namespace fermata::launch
