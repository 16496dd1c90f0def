// Common parts of the driver interface: its handles, and its results, which have the runtime's
// numbers.
#pragma once

#include <fermata/platforms/cudart/streams.h>
#include <fermata/stimuli/cuda/include/cuda.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

struct CUfunc_st {
  fermata::cudart::DeviceFunction function;
};
struct CUmod_st {
  fermata::cudart::Program* program = nullptr;
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions = {};
};
struct CUctx_st {
  unsigned flags = 0;
};

namespace fermata::cudart {

inline CUresult result(cudaError_t error) { return static_cast<CUresult>(static_cast<int>(error)); }
/// Runs a driver call. Leaves the runtime's last error alone: a driver call returns its own.
template <class Body>
CUresult driver(const char* name, Body body) {
  const cudaError_t last = lastError();
  const CUresult answer = result(api(name, body));
  lastError() = last;
  return answer;
}
inline CUresult refusedByDriver(const char* name, const char* why = "") {
  const cudaError_t last = lastError();
  const CUresult answer = result(refused(name, why));
  lastError() = last;
  return answer;
}
/// Returns the function if the handle is a CUfunction, otherwise null.
const DeviceFunction* driverFunction(const void* handle);
/// Returns the block of parameters, as the kernel sees it, of cuLaunchKernel's `extra`. Throws
/// ApiError.
std::vector<std::uint8_t> blockOf(void** extra);
inline void requireDevice(CUdevice device) {
  require(device == 0, cudaErrorInvalidDevice, "there is one device, number 0");
}
inline void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace fermata::cudart
