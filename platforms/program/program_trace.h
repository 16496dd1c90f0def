// A trace of all that a CUDA program launches, recorded without time, to be used as a workload.
#pragma once

#include <fermata/platforms/program/scratch_file.h>

#include <string>
#include <vector>

namespace fermata::platforms {

/// Runs the program when it is made. The trace is removed with it. Its name is the program's.
class ProgramTrace {
 public:
  /// `command` is the program and its arguments. Throws InputError for a program that cannot be
  /// started or launches nothing, std::runtime_error for one that fails.
  explicit ProgramTrace(const std::vector<std::string>& command);
  std::string path() const { return file_.path(); }

 private:
  ScratchFile file_;
};

}  // namespace fermata::platforms
