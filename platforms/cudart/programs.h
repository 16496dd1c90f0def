// PTX that a CUDA program brings along, and the host addresses of its kernels and variables. PTX is
// registered by the compiler's constructors before main, or loaded as a module of the driver
// interface.
#pragma once

#include <fermata/stimuli/ptx/module.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fermata::cudart {

/// A variable whose memory is the host's.
struct ManagedVariable {
  void* host = nullptr;
  std::string name;
};

/// PTX text, parsed at its first use: a large program uses little of what it registers.
class Program {
 public:
  /// `text` must outlive the program; copyOf() makes a program with a copy.
  Program(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}
  static std::unique_ptr<Program> copyOf(std::string text, std::string name);

  /// Returns the parsed text. Throws InputError, on every call, if the text is wrong.
  const ptx::Module& module();

  /// Its __managed__ variables.
  std::vector<ManagedVariable> managed;

 private:
  std::string own_;
  std::string_view text_;
  std::string name_;
  std::shared_ptr<const ptx::Module> module_;
};

struct DeviceFunction {
  Program* program = nullptr;
  std::string entry;
};

struct DeviceVariable {
  Program* program = nullptr;
  std::string name;
  std::size_t bytes = 0;
  bool constant = false;
};

struct DeviceTexture {
  Program* program = nullptr;
  std::string name;
  bool normalisedReads = false;
};

class Programs {
 public:
  /// Adds a program, which is never removed: the executor keeps references to it.
  Program& add(std::unique_ptr<Program> program);
  void registerFunction(const void* host, DeviceFunction function);
  void registerVariable(const void* host, DeviceVariable variable);

  void registerTexture(const void* host, DeviceTexture texture);

  /// Return the object at a host address, or null.
  const DeviceFunction* function(const void* host) const;
  const DeviceVariable* variable(const void* host) const;
  const DeviceTexture* texture(const void* host) const;

 private:
  std::vector<std::unique_ptr<Program>> programs_;
  std::unordered_map<const void*, DeviceFunction> functions_;
  std::unordered_map<const void*, DeviceVariable> variables_;
  std::unordered_map<const void*, DeviceTexture> textures_;
};

}  // namespace fermata::cudart
