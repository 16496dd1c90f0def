// Keeps what the compiler made, so that no command compiles the same file twice.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fermata::launch {

/// A call of the compiler that makes one file.
struct CompileJob {
  std::vector<std::string> words;  ///< command, without the words that name its outputs
  std::filesystem::path source;    ///< one of the words
  bool anyFolder = false;  ///< the result does not depend on the folder that holds the source
};

/// Files in a folder, one per source and command: FERMATA_CACHE if it is set ("off": no cache),
/// otherwise fermata in XDG_CACHE_HOME or ~/.cache. An entry holds hashes of all files that the
/// compiler read. It is used only if compiler, command and files are equal, and if no new file
/// stands before one of them in the order of include folders. A source that asks for time or date
/// is not kept, nor one with __has_include, except in headers below /usr: a package that is
/// installed later and that such a header asks for is not seen. Processes share the folder. A
/// folder that cannot be written only costs the time of compiling.
class CompileCache {
 public:
  static constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20;

  /// Takes the folder from the environment.
  CompileCache();
  /// Takes a folder; empty: no cache. `mostBytes`: older entries go when there are more.
  explicit CompileCache(std::filesystem::path folder, std::uintmax_t mostBytes = kMostBytes);

  bool isOn() const { return !folder_.empty(); }
  /// Returns the output of an earlier call, if there is one.
  std::optional<std::string> find(const CompileJob& job) const noexcept;
  /// Keeps an output. `dependencies`: the file of the compiler's -MD.
  void keep(const CompileJob& job, const std::string& output,
            const std::filesystem::path& dependencies) const noexcept;

 private:
  void shrink() const;

  std::filesystem::path folder_;
  std::uintmax_t mostBytes_;
};

}  // namespace fermata::launch
