// Compiles text to code of the host, by clang-16.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include <fermata/stimuli/launch/compile_cache.h>
#include <fermata/stimuli/native/compiled_code.h>

namespace fermata::native {

class HostCompiler {
 public:
  /// Compiles and loads code. What was compiled before comes from the cache. Returns nothing if
  /// there is no compiler, or it fails: the executor then goes on alone.
  std::optional<Library> compile(const std::string& text);
  /// Ends a compilation that another thread has begun, and each later one.
  void stop();

 private:
  std::optional<std::string> made(const launch::CompileJob& job, const std::string& folder);
  bool runs(const std::vector<std::string>& words, const std::string& folder);

  launch::CompileCache cache_;
  std::atomic<bool> stopped_{false};
  std::atomic<pid_t> child_{0};
};

}  // namespace fermata::native
