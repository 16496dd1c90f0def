// Launches that kernels make (dynamic parallelism). A kernel asks for a buffer, writes the
// parameters of the child into it and hands it over; the child waits until its parent has ended.
//
//     parent begins, asks for A, B (tail launch) and C, ends; A and all that it launches; C; B
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fermata/stimuli/ptx/executor.h>

namespace fermata::ptx {

class DeviceLaunches {
 public:
  /// Returns the error code of a launch, 0 if it may begin, and says why not.
  using Check = std::function<int(Launch& launch)>;

  explicit DeviceLaunches(Check check) : check_(std::move(check)) {}

  /// Makes a buffer for the parameters of a launch. Returns its address; 0: the launch is refused.
  std::uint64_t open(DeviceMemory& memory, Launch launch, std::uint64_t thread);
  /// Queues the launch whose parameters are in a buffer of open(). Returns an error code.
  int close(DeviceMemory& memory, std::uint64_t buffer, std::uint64_t stream, std::uint64_t thread);
  /// Returns the last error of a thread, and forgets it if `takes`.
  int lastError(std::uint64_t thread, bool takes);

  /// Launches of one grid, each in the order in which they were made.
  struct Queue {
    std::vector<Launch> children;
    std::vector<Launch> tails;  ///< begin when the grid and its children have ended
  };
  /// Returns what the grid that has ended has launched, and forgets it.
  Queue take(DeviceMemory& memory);

 private:
  Check check_;
  std::map<std::uint64_t, Launch> open_;  ///< by the address of the buffer
  Queue queue_;
  std::map<std::uint64_t, int> errors_;  ///< by thread
};

/// Returns 80 for a kernel of a module for sm_80.
unsigned architectureOf(const Kernel& kernel);
/// Returns the kernel of an entry. Throws InputError if it has a form that is not supported.
const Kernel& kernelOf(const ModuleData& module, const std::string& entry);

}  // namespace fermata::ptx
