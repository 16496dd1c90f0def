// The one device of a program, with what the interface keeps of it between calls.
#pragma once

#include <fermata/platforms/cudart/api_error.h>
#include <fermata/platforms/cudart/device_heap.h>
#include <fermata/platforms/cudart/launcher.h>
#include <fermata/platforms/cudart/programs.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <unordered_map>

namespace fermata::cudart {

/// Made by the first call that needs the device. Never destroyed: static objects of a program call
/// the interface when it ends.
class Session {
 public:
  Session();

  Launcher launcher;
  DeviceHeap heap{launcher.memory()};

  /// Runs a kernel. Throws ApiError; after a fault of a kernel every call does (CUDA: the context
  /// is lost).
  void launch(const DeviceFunction& function, ptx::Dim3 grid, ptx::Dim3 block,
              std::size_t sharedBytes, void** arguments, bool cooperative);
  /// CTAs of `threads` threads with `dynamicShared` bytes that a multiprocessor holds at once.
  unsigned residentCtas(const ptx::Kernel& kernel, int threads, std::size_t dynamicShared);
  /// The same with a block of parameters as the kernel sees it.
  void launch(const DeviceFunction& function, ptx::Dim3 grid, ptx::Dim3 block,
              std::size_t sharedBytes, std::vector<std::uint8_t> parameters, bool cooperative);
  /// Throws ApiError where the PTX cannot be used or has no such entry.
  const ptx::Kernel& kernel(const DeviceFunction& function);
  /// Makes the __managed__ variables of a program, with their first values.
  void place(Program& program);
  /// Of a variable that was registered; what was never asked for is made now. Throws ApiError.
  std::uint64_t address(const DeviceVariable& variable);
  cudaError_t lost() const { return lost_; }
  /// As if the program had just begun; but where a kernel failed that was timed, the model stays
  /// as it was and nothing can be launched.
  void reset();
  /// Throws the error of the kernel that failed, if one did.
  void requireSound() const;
  /// Tables appear. At the program's end.
  void finish();

 private:
  void run(const LaunchRequest& request);
  void checkLaunch(const ptx::Kernel& kernel, const ptx::Launch& launch, bool cooperative);

  std::vector<Program*> placed_;  ///< that have __managed__ variables
  cudaError_t lost_ = cudaSuccess;
  bool finished_ = false;
};

/// What is there before the device: registered code and the last error of each thread.
Programs& programs();
cudaError_t& lastError();
/// Of the kernel that failed: no call takes it back.
cudaError_t lostError();
std::recursive_mutex& apiMutex();
/// True in a process that was forked from one that used the device: every call is refused there, as
/// CUDA refuses it. The lock may be held by a thread that the process has not.
bool isForked();
/// Throws ApiError (cudaErrorInitializationError) where the settings are wrong.
Session& session();
/// Tables appear, if there was a session. At the program's end.
void finishSession();
/// The same where a kernel has not failed.
Session& soundSession();

/// Of shared memory, static and dynamic, that a block can have.
unsigned mostSharedBytes();

/// Of a kernel: a cudaFuncAttribute, or the driver's of the same number. Throws ApiError.
void setAttribute(const ptx::Kernel& kernel, int attribute, int value);

/// What was thrown in a call named `name`: tells standard error, returns its code. Ends the program
/// where the model cannot write its results. Within a catch (...).
cudaError_t answerOf(const char* name);
/// The answer of every call in a forked process.
cudaError_t answerOfForked(const char* name);

/// A call: under the lock, exceptions become codes, which are the thread's last error too. `body`
/// returns nothing or a code.
template <class Body>
cudaError_t api(const char* name, Body body) {
  if (isForked()) return lastError() = answerOfForked(name);
  const std::lock_guard<std::recursive_mutex> lock(apiMutex());
  cudaError_t code = cudaSuccess;
  try {
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

/// A call that the model has nothing for.
cudaError_t refused(const char* name, const char* why = "");

}  // namespace fermata::cudart
