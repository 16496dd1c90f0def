#include <fermata/stimuli/ptx/module_memory.h>

#include <algorithm>
#include <cstring>

namespace fermata::ptx {

unsigned elementBytes(Texture::Element element) {
  constexpr unsigned kBytes[] = {1, 1, 2, 2, 4, 4, 4, 2};  // order of Texture::Element
  return kBytes[static_cast<std::size_t>(element)];
}

void ModuleMemory::place(const ModuleData& module, const std::string& name, void* data) {
  const Variable& variable = variableNamed(module, name, false);
  if (loaded_.count(&module) != 0)
    refuse("'{}' lies somewhere already: its module is loaded", name);
  places_[&variable] = data;
}

std::uint64_t ModuleMemory::allocate(const Variable& variable) {
  const bool constant = variable.space == VariableSpace::Constant;
  const std::string name = (constant ? ".const " : "") + variable.name;
  const auto place = places_.find(&variable);
  if (place == places_.end()) return machine_.memory->allocate(variable.bytes, name);
  const auto address = reinterpret_cast<std::uint64_t>(place->second);
  machine_.memory->adopt(address, variable.bytes, place->second, name);
  return address;
}

void ModuleMemory::load(const ModuleData& module) {
  if (loaded_.count(&module) != 0) return;
  for (const auto& variable : module.ast->variables) {
    if (!isInDeviceMemory(*variable)) continue;
    if (variable->isTexture) {
      addresses_[variable.get()] = kFirstTexture + machine_.textures.size();
      machine_.textures.emplace_back();
      continue;
    }
    if (variable->isExtern) {
      throw InputError(
          {module.ast->fileName, variable->at.line, variable->at.column},
          fmt::format("'{}' is .extern; expected its definition in the same file", variable->name));
    }
    addresses_[variable.get()] = allocate(*variable);
  }
  const std::uint64_t functionBase = kFirstFunction + functions_ * kFunctionStride;
  functions_ += module.ast->functions.size();
  if (kFirstFunction + functions_ * kFunctionStride > kSharedWindow)
    refuse("the modules have more functions than there are addresses for");
  for (const auto& variable : module.ast->variables) {
    if (isInDeviceMemory(*variable) && !variable->isTexture) initialise(*variable, functionBase);
  }
  loaded_.emplace(&module, functionBase);
}

void ModuleMemory::initialise(const Variable& variable, std::uint64_t functionBase) {
  const std::uint64_t address = addresses_.at(&variable);
  if (!variable.initialiser.empty())
    machine_.memory->write(address, variable.initialiser.data(), variable.initialiser.size());
  for (const Relocation& relocation : variable.relocations) {
    const std::uint64_t target = relocation.function != nullptr
                                     ? functionBase + relocation.function->number * kFunctionStride
                                     : addresses_.at(relocation.target);
    const std::uint64_t value =
        (target + static_cast<std::uint64_t>(relocation.addend)) >> relocation.shift;
    machine_.memory->write(address + relocation.at, &value, relocation.bytes);
  }
  machine_.memory->markInitialised(address, variable.bytes);
}

const Variable& ModuleMemory::variableNamed(const ModuleData& module, const std::string& name,
                                            bool texture) const {
  std::string known;
  for (const auto& variable : module.ast->variables) {
    if (!isInDeviceMemory(*variable) || variable->isTexture != texture) continue;
    if (variable->name == name) return *variable;
    known += (known.empty() ? "" : ", ") + variable->name;
  }
  throw InputError(
      {module.ast->fileName, 0, 0},
      fmt::format("there is no {}{}'; expected one of: {}", texture ? ".texref '" : "variable '",
                  name, known.empty() ? "(the file has none)" : known));
}

void ModuleMemory::checkTexture(const Texture& texture) const {
  if (texture.width == 0 || texture.height == 0 || texture.depth == 0)
    refuse("a texture of width, height or depth 0");
  if (texture.channels != 1 && texture.channels != 2 && texture.channels != 4) {
    refuse("a texture of {} channels; expected 1, 2 or 4", texture.channels);
  }
  if (texture.layers != 0 && texture.depth != 1)
    refuse("a layered texture of depth {}; expected 1", texture.depth);
  if (texture.cube &&
      (texture.layers == 0 || texture.layers % 6 != 0 || texture.width != texture.height))
    refuse("a cube of {} faces of {} x {} texels; expected a multiple of 6 squares", texture.layers,
           texture.width, texture.height);
  const unsigned bytes = elementBytes(texture.element);
  const bool integer = texture.element < Texture::Element::F32;
  if (texture.normalisedReads && (!integer || bytes == 4))
    refuse("normalised reads of a texture; expected elements of 8- or 16-bit integers");
  if (texture.linear && integer && !texture.normalisedReads)
    refuse("a linear filter of integers; expected floating point or normalised reads");
  checkArray("texture", texture.address, std::uint64_t{texture.width} * texture.channels * bytes,
             texture.rowBytes, texture.height, texture.sliceBytes,
             std::max(texture.depth, texture.layers));
}

void ModuleMemory::checkSurface(const Surface& surface) const {
  if (surface.widthBytes == 0 || surface.height == 0 || surface.depth == 0)
    refuse("a surface of width, height or depth 0");
  checkArray("surface", surface.address, surface.widthBytes, surface.rowBytes, surface.height,
             surface.sliceBytes, surface.depth);
}

void ModuleMemory::checkArray(const std::string& what, std::uint64_t address,
                              std::uint64_t widthBytes, std::uint64_t rowBytes, std::uint64_t rows,
                              std::uint64_t sliceBytes, std::uint64_t slices) const {
  if (rowBytes != 0 && rowBytes < widthBytes)
    refuse("a {} whose rows are shorter than its width", what);
  const std::uint64_t pitch = rowBytes != 0 ? rowBytes : widthBytes;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 48;  // larger products might overflow
  const bool sane = rows <= kMost / pitch && slices <= kMost / (rows * pitch);
  if (sane && sliceBytes != 0 && sliceBytes < pitch * (rows - 1) + widthBytes)
    refuse("a {} whose slices are shorter than their rows", what);
  const std::uint64_t slice = sliceBytes != 0 ? sliceBytes : rows * pitch;
  const bool fits = sane && slices - 1 <= kMost / slice;
  const std::uint64_t bytes =
      fits ? slice * (slices - 1) + pitch * (rows - 1) + widthBytes : ~std::uint64_t{0};
  if (machine_.memory->find(address, bytes) == nullptr) {
    refuse("a {} of {} bytes at {:#x} is not within one allocation; {}", what, bytes, address,
           machine_.memory->describe(address));
  }
}

}  // namespace fermata::ptx
