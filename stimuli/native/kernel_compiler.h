// Compiles kernels to code of the host while they run.
#pragma once

#include <memory>
#include <string_view>

#include <fermata/stimuli/ptx/compiled.h>

namespace fermata::native {

enum class When {
  Never,
  Hot,  ///< beside the execution, once a kernel has executed many instructions
  Now,  ///< before a kernel's first launch
};

/// Returns a compiler, or null if it is never to compile.
std::unique_ptr<ptx::KernelCompiler> makeKernelCompiler(When when);

}  // namespace fermata::native
