// What the driver interface shares: its handles, and its answers, which have the runtime's numbers.
#pragma once

#include <fermata/platforms/cudart/session.h>
#include <fermata/stimuli/cuda/include/cuda.h>

#include <map>
#include <memory>
#include <string>

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

inline CUresult result(cudaError_t error) {
  return static_cast<CUresult>(static_cast<int>(error));
}
template <class Body>
CUresult driver(const char* name, Body body) {
  return result(api(name, body));
}
inline CUresult refusedByDriver(const char* name, const char* why = "") {
  return result(refused(name, why));
}
inline void* pointer(CUdeviceptr address) {
  return reinterpret_cast<void*>(address);
}

}  // namespace fermata::cudart
