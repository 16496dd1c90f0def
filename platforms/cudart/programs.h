// The PTX that a CUDA program brings along, and what its host code calls the kernels and variables
// of it: what the compiler's constructors register before main, and modules of the driver
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

/// Text that is parsed when something of it is first used: most of what a large program registers
/// never is.
class Program {
 public:
  /// `text` outlives it unless it is a copy of its own.
  Program(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}
  static std::unique_ptr<Program> copyOf(std::string text, std::string name);

  /// Throws InputError, every time.
  const ptx::Module& module();

  /// Those of its __managed__ variables.
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
  /// Stays: the executor knows what it has loaded of it.
  Program& add(std::unique_ptr<Program> program);
  void registerFunction(const void* host, DeviceFunction function);
  void registerVariable(const void* host, DeviceVariable variable);

  void registerTexture(const void* host, DeviceTexture texture);

  /// Null: the host address is of none.
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
