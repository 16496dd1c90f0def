// How the library and the process that it is in end.
#pragma once

#include <signal.h>

#include <string>

namespace fermata::cudart {

/// Ends the process with `code`: what the model must write cannot be written. That is no error of
/// the program's, and no code of CUDA's says it. Results of launches that had ended stay.
[[noreturn]] void endProgram(const std::string& why, int code);

/// While it lives, a file of this thread that meets the limit on sizes (ulimit -f) is an error of
/// the write, and no SIGXFSZ that would end the process.
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
