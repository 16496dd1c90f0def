// Variables of loaded modules: their addresses in device memory, and the textures.
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

  /// Makes a variable lie in the host's `data`, at its address there. Throws InputError if the
  /// module is loaded already.
  void place(const ModuleData& module, const std::string& name, void* data);
  /// Allocates and initialises the module's variables, once.
  void load(const ModuleData& module);
  /// Returns the address of a variable of a loaded module, or the handle of a .texref.
  std::uint64_t addressOf(const Variable& variable) const { return addresses_.at(&variable); }
  /// Returns the address of function 0 of a loaded module; the others follow at kFunctionStride.
  std::uint64_t functionBase(const ModuleData& module) const { return loaded_.at(&module); }
  /// Returns the variable or .texref of this name. Throws InputError if there is none.
  const Variable& variableNamed(const ModuleData& module, const std::string& name,
                                bool texture) const;
  /// Throws InputError if the array is not in device memory, or cannot be read as described.
  void checkTexture(const Texture& texture) const;
  void checkSurface(const Surface& surface) const;

 private:
  void checkArray(const std::string& what, std::uint64_t address, std::uint64_t widthBytes,
                  std::uint64_t rowBytes, std::uint64_t rows, std::uint64_t sliceBytes,
                  std::uint64_t slices) const;
  std::uint64_t allocate(const Variable& variable);
  void initialise(const Variable& variable, std::uint64_t functionBase);

  Machine& machine_;
  std::unordered_map<const ModuleData*, std::uint64_t> loaded_;  ///< with its functionBase
  std::uint64_t functions_ = 0;                                  ///< functions of all modules
  std::unordered_map<const Variable*, std::uint64_t> addresses_;
  std::unordered_map<const Variable*, void*> places_;  ///< variables that the host holds
};

}  // namespace fermata::ptx
