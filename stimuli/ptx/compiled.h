// Kernels that run as code of the host, where no time is simulated. This library only calls such
// code; stimuli/native makes it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace fermata {
struct WarpInstruction;
}

namespace fermata::ptx {

class Kernel;
struct Machine;
struct Warp;

/// Code of the host for one kernel. Several threads may run it.
class CompiledKernel {
 public:
  virtual ~CompiledKernel() = default;
  /// Executes up to `most` instructions of the warp, as the executor would, and returns how many.
  /// It stops early at an instruction that only the executor can do.
  virtual unsigned run(Warp& warp, unsigned most) const = 0;
};

/// Code of a kernel, and facts for its compiler.
struct CompiledPlace {
  std::atomic<const CompiledKernel*> code{nullptr};  ///< null: there is none, or none yet
  std::atomic<std::uint64_t> executed{0};            ///< instructions so far, about
  std::atomic<bool> asked{false};
  std::unique_ptr<const CompiledKernel> owned;
};

/// Makes code of the host for kernels.
class KernelCompiler {
 public:
  virtual ~KernelCompiler() = default;
  /// Called when a launch begins.
  virtual void launched(const Kernel& kernel) = 0;
  /// Counts instructions of a kernel that has no code. Several threads may call.
  virtual void executed(const Kernel& kernel, unsigned instructions) = 0;
};

/// Executes the next instruction of a warp as PTX says.
void stepOnce(Machine& machine, Warp& warp, WarpInstruction& out);

}  // namespace fermata::ptx
