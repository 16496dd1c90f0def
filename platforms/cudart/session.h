// The one device of a program, and the state that the interface keeps between calls.
#pragma once

#include <fermata/platforms/cudart/api_error.h>
#include <fermata/platforms/cudart/device_heap.h>
#include <fermata/platforms/cudart/launcher.h>
#include <fermata/platforms/cudart/programs.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>

namespace fermata::cudart {

/// Made by the first call that needs the device. Never destroyed: static objects of a program call
/// the interface at exit.
class Session {
 public:
  Session();

  Launcher launcher;
  DeviceHeap heap{launcher.memory(), std::uint64_t{launcher.platform().memoryMib} << 20};

  /// Runs a kernel. Throws ApiError; after a fault of a kernel every call throws (CUDA: the context
  /// is lost).
  void launch(const DeviceFunction& function, ptx::Dim3 grid, ptx::Dim3 block,
              std::size_t sharedBytes, void** arguments, bool cooperative,
              std::optional<ptx::Dim3> cluster = {});
  /// Returns how many CTAs of `threads` threads with `dynamicShared` bytes an SM holds at once.
  unsigned residentCtas(const ptx::Kernel& kernel, int threads, std::size_t dynamicShared);
  /// Runs a kernel, given a block of parameters as the kernel sees it.
  void launch(const DeviceFunction& function, ptx::Dim3 grid, ptx::Dim3 block,
              std::size_t sharedBytes, std::vector<std::uint8_t> parameters, bool cooperative,
              std::optional<ptx::Dim3> cluster = {});
  /// Throws ApiError unless launch() would accept the kernel so.
  void requireLaunchable(const DeviceFunction& function, ptx::Dim3 grid, ptx::Dim3 block,
                         std::size_t sharedBytes, std::vector<std::uint8_t> parameters,
                         bool cooperative, std::optional<ptx::Dim3> cluster = {});
  /// Returns the launch. Throws ApiError unless the platform can run it.
  LaunchRequest request(const DeviceFunction& function, ptx::Dim3 grid, ptx::Dim3 block,
                        std::size_t sharedBytes, std::vector<std::uint8_t> parameters,
                        bool cooperative, std::optional<ptx::Dim3> cluster);
  /// Runs works that have waited. Returns the simulated seconds at which each was over.
  std::vector<double> run(std::vector<WaitingWork> works);
  /// True if kernels may see a variable that the host has, too.
  bool hasManagedVariables() const { return !placed_.empty(); }
  /// Returns the kernel. Throws ApiError if the PTX cannot be used or has no such entry.
  const ptx::Kernel& kernel(const DeviceFunction& function);
  /// Makes the __managed__ variables of a program, with their first values.
  void place(Program& program);
  /// Returns the device address of a registered variable; the first use makes the variable. Throws
  /// ApiError.
  std::uint64_t address(const DeviceVariable& variable);
  /// Returns the share of shared memory that the program asked for; -1: none (Grid::carveout).
  int carveout(const ptx::Kernel& kernel) const;
  /// Throws ApiError unless it is -1 or 0 to 100 percent.
  void setCarveout(const ptx::Kernel& kernel, int percent);
  /// Clusters of 9 to 16 CTAs, which not each GPU with clusters has: a kernel must allow them.
  bool allowsLargeClusters(const ptx::Kernel& kernel) const;
  void allowLargeClusters(const ptx::Kernel& kernel, bool allows);
  cudaError_t lost() const { return lost_; }
  /// Resets the device as at program start. If a timed kernel failed, the model keeps its state and
  /// nothing can be launched.
  void reset();
  /// Throws the error of the kernel that failed, if one did.
  void requireSound() const;
  /// Completes the tables; called at the program's end.
  void finish();

 private:
  void run(const LaunchRequest& request);
  template <class Run>
  void guarded(Run call);
  void checkCluster(const ptx::Launch& launch) const;
  /// Returns the error code of a launch that a kernel makes, and says why it is refused.
  int checkLaunchOfKernel(ptx::Launch& launch);
  void checkLaunch(const ptx::Kernel& kernel, const ptx::Launch& launch, bool cooperative);

  std::vector<Program*> placed_;  ///< programs with __managed__ variables
  std::unordered_map<const ptx::Kernel*, int> carveouts_;
  std::unordered_set<const ptx::Kernel*> withLargeClusters_;
  cudaError_t lost_ = cudaSuccess;
  bool finished_ = false;
};

/// State that exists without the device: registered code and the last error of each thread.
Programs& programs();
cudaError_t& lastError();
/// Returns the error of the kernel that failed, which stays until the program ends.
cudaError_t lostError();
std::recursive_mutex& apiMutex();
/// True in a process forked from one that used the device: every call is refused there, as in CUDA,
/// since a thread that the child lacks may hold the lock.
bool isForked();
/// Returns the session. Throws ApiError (cudaErrorInitializationError) if the settings are wrong.
Session& session();
/// Completes the tables if there was a session; called at the program's end.
void finishSession();
/// Returns the session. Throws the error of the kernel that failed, if one did.
Session& soundSession();

/// Returns the block of parameters, as the kernel sees it, of the addresses of its arguments.
/// Throws ApiError.
std::vector<std::uint8_t> parametersOf(const ptx::Kernel& kernel, void** arguments);

/// Returns the limit of a block's shared memory, static plus dynamic, in bytes.
unsigned mostSharedBytes();

/// Throws ApiError unless the bytes lie in one block of managed memory.
void requireManaged(const void* pointer, std::size_t bytes);

cudaFuncAttributes attributesOf(const ptx::Kernel& kernel);
/// Sets a cudaFuncAttribute of a kernel, or the driver's of the same number. Throws ApiError.
void setAttribute(const ptx::Kernel& kernel, int attribute, int value);
/// Turns a cudaFuncCache, or the driver's of the same number, into a wish for a carve-out. Throws
/// ApiError.
void setCacheConfig(const ptx::Kernel& kernel, int config);

/// Reports the exception thrown in call `name` on standard error and returns its code. Ends the
/// program if the model cannot write its results. Call within a catch (...).
cudaError_t answerOf(const char* name);
/// Returns the error that every call in a forked process gets.
cudaError_t answerOfForked(const char* name);

/// True while launches wait (waiting.h).
bool& launchesWait();
/// True if launches may go on waiting while the call of this name is made.
bool keepsWaiting(const char* name);
void runWaiting();

/// Runs a call under the lock, when what waits and what it may see has run. An exception becomes a
/// code, which is also the thread's last error. `body` returns nothing or a code.
template <class Body>
cudaError_t api(const char* name, Body body) {
  if (isForked()) return lastError() = answerOfForked(name);
  const std::lock_guard<std::recursive_mutex> lock(apiMutex());
  cudaError_t code = cudaSuccess;
  try {
    if (launchesWait() && !keepsWaiting(name)) runWaiting();
    if constexpr (std::is_void_v<decltype(body())>)
      body();
    else
      code = body();
  } catch (...) {
    code = answerOf(name);
  }
  if (code != cudaSuccess && code != cudaErrorNotReady) lastError() = code;
  return code;
}

/// Returns the error of a call that the model does not support. Its first use says so.
cudaError_t refused(const char* name, const char* why = "");

}  // namespace fermata::cudart
