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
  std::string_view text() const { return text_; }

  /// Its __managed__ variables.
  std::vector<ManagedVariable> managed;

 private:
  std::string own_;
  std::string_view text_;
  std::string name_;
  std::shared_ptr<const ptx::Module> module_;
};

/// A translation unit that registers its kernels and variables: one program, or a part of one that
/// `fermata cc` has linked of several.
struct Registration {
  Program* program = nullptr;
  /// Names of the unit's own symbols, with those that they have in the program.
  std::unordered_map<std::string, std::string> renamed;

  /// Returns the name in the program of what the unit registers as `name`.
  std::string nameOf(const char* name) const;
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
  /// Adds what a compiler's constructor gets as its handle.
  Registration& add(Registration registration) {
    return *registrations_.emplace_back(std::make_unique<Registration>(std::move(registration)));
  }

  /// Returns the platform that the code was compiled for (code_platform.h).
  std::string platform() const;

  AtHost<DeviceFunction> functions;
  AtHost<DeviceVariable> variables;
  AtHost<DeviceTexture> textures;

 private:
  std::vector<std::unique_ptr<Program>> programs_;
  std::vector<std::unique_ptr<Registration>> registrations_;
};

}  // namespace fermata::cudart
