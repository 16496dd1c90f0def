// End of the library and of its process.
#pragma once

#include <signal.h>

#include <string>

namespace fermata::cudart {

/// Ends the process with `code` if the model's results cannot be written. Not reported through
/// CUDA: the error is not the program's, and no code of CUDA fits. Results of launches that had
/// ended stay.
[[noreturn]] void endProgram(const std::string& why, int code);

/// While an object lives, a write of this thread beyond the limit on file sizes (ulimit -f) fails
/// with an error, instead of SIGXFSZ ending the process.
class SizeLimitHeld {
 public:
  SizeLimitHeld();
  ~SizeLimitHeld();
  SizeLimitHeld(const SizeLimitHeld&) = delete;
  SizeLimitHeld& operator=(const SizeLimitHeld&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace fermata::cudart
