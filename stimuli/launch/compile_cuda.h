// A user's CUDA file to PTX, by the clang-16 on the PATH.
#pragma once

#include <memory>
#include <string>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/launch/compile_settings.h>
#include <fermata/stimuli/ptx/module.h>

namespace fermata::launch {

/// Compiles `path` (.cu) with our header before it, in a temporary folder that is removed.
/// InputError at `where`, with the compiler's diagnostics, when there is no compiler or it refuses
/// the file.
std::shared_ptr<const ptx::Module> compileCuda(const std::string& path, const SourceLocation& where,
                                               const CompileSettings& settings = {});

/// The module that a launch file names: a .ptx is parsed; a .cu is compiled, unless only its
/// compiled form (the same name with .ptx) is there. InputError at `where` otherwise, or where a
/// setting stands that PTX cannot follow any more.
std::shared_ptr<const ptx::Module> loadKernels(const std::string& path, const SourceLocation& where,
                                               const CompileSettings& settings = {});

}  // namespace fermata::launch
