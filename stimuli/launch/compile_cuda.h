// Compiles a user's CUDA file to PTX with the clang-16 on the PATH.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/launch/compile_settings.h>
#include <fermata/stimuli/ptx/module.h>

namespace fermata::launch {

/// A source that the compiler refuses.
class CompileError : public InputError {
 public:
  /// `summary`: what is wrong, in one line; `whole`: what follows it for a person; `said`: the
  /// compiler's own lines.
  CompileError(const SourceLocation& where, const std::string& summary, const std::string& whole,
               std::string said)
      : InputError(where, summary + ". " + whole), summary_(summary), said_(std::move(said)) {}

  const std::string& summary() const { return summary_; }
  const std::string& said() const { return said_; }

 private:
  std::string summary_;
  std::string said_;
};

/// Compiles `path` (.cu) with our header included first, in a temporary folder that is removed.
/// Takes what an earlier call made from the CompileCache.
/// Throws InputError at `where`, with the compiler's diagnostics, if there is no compiler or it
/// refuses the file.
std::shared_ptr<const ptx::Module> compileCuda(const std::string& path, const SourceLocation& where,
                                               const CompileSettings& settings = {});

/// Returns the module that a launch file names. A .ptx is parsed; a .cu is compiled, unless only
/// its compiled form (the same name with .ptx) exists. NAME.64.ptx is that form if the launch file
/// says 32 bits and the code is compiled for 64. Throws InputError at `where` if neither exists, or
/// at a compile setting that an already compiled PTX cannot follow.
std::shared_ptr<const ptx::Module> loadKernels(const std::string& path, const SourceLocation& where,
                                               const CompileSettings& settings = {});

}  // namespace fermata::launch
