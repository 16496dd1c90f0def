// The variables of loaded modules: where they lie in device memory, and the textures.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

/// Bytes of one channel of a texel.
unsigned elementBytes(Texture::Element element);

class ModuleMemory {
 public:
  explicit ModuleMemory(Machine& machine) : machine_(machine) {}

  /// Lets a variable of a module that is not loaded lie in the host's `data`, at its address there.
  void place(const ModuleData& module, const std::string& name, void* data);
  /// Allocates and initialises what the module declares; nothing when it was done before.
  void load(const ModuleData& module);
  /// Address of a variable of a loaded module; of a .texref: its handle.
  std::uint64_t addressOf(const Variable& variable) const { return addresses_.at(&variable); }
  /// Address of function 0 of a loaded module; the others follow at kFunctionStride.
  std::uint64_t functionBase(const ModuleData& module) const { return loaded_.at(&module); }
  /// InputError when there is none of this name.
  const Variable& variableNamed(const ModuleData& module, const std::string& name,
                                bool texture) const;
  /// Checks that the array is in device memory, and that it can be read so.
  void checkTexture(const Texture& texture) const;
  void checkSurface(const Surface& surface) const;

 private:
  void checkArray(const std::string& what, std::uint64_t address, std::uint64_t widthBytes,
                  std::uint64_t rowBytes, std::uint64_t rows, std::uint64_t sliceBytes,
                  std::uint64_t slices) const;
  std::uint64_t allocate(const Variable& variable);
  void initialise(const Variable& variable, std::uint64_t functionBase);

  Machine& machine_;
  std::unordered_map<const ModuleData*, std::uint64_t> loaded_;  ///< and its functionBase
  std::uint64_t functions_ = 0;                                  ///< of all modules
  std::unordered_map<const Variable*, std::uint64_t> addresses_;
  std::unordered_map<const Variable*, void*> places_;  ///< of those that the host has
};

}  // namespace fermata::ptx
