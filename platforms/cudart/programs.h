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

/// Objects of a program by their addresses on the host.
template <class T>
class AtHost {
 public:
  void add(const void* host, T object) { objects_[host] = std::move(object); }
  /// Returns the object, or null.
  const T* find(const void* host) const {
    const auto found = objects_.find(host);
    return found == objects_.end() ? nullptr : &found->second;
  }

 private:
  std::unordered_map<const void*, T> objects_;
};

class Programs {
 public:
  /// Adds a program, which is never removed: the executor keeps references to it.
  Program& add(std::unique_ptr<Program> program) {
    return *programs_.emplace_back(std::move(program));
  }

  AtHost<DeviceFunction> functions;
  AtHost<DeviceVariable> variables;
  AtHost<DeviceTexture> textures;

 private:
  std::vector<std::unique_ptr<Program>> programs_;
};

}  // namespace fermata::cudart
