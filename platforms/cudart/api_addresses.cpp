// Addresses of the driver interface's functions by their names.
#include <fermata/platforms/cudart/driver.h>

#include <dlfcn.h>

#include <algorithm>
#include <string>

using namespace fermata::cudart;

namespace {

/// Another name of a function from a version of CUDA on: its arguments changed.
struct Renamed {
  const char* name;
  unsigned from;
  const char* to;
};
constexpr Renamed kRenamed[] = {{"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
                                {"cuStreamGetCtx", 12050, "cuStreamGetCtx_v2"},
                                {"cuCtxCreate", 13000, "cuCtxCreate_v4"}};

/// Returns a handle of this library, under whichever name the program loaded it.
void* ownLibrary() {
  static void* const handle = [] {
    Dl_info info = {};
    dladdr(reinterpret_cast<void*>(&ownLibrary), &info);
    return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }();
  return handle;
}

/// Returns a function of the driver interface; null: there is none of that name.
void* functionNamed(std::string name, unsigned version) {
  for (const char* const stream : {"_ptsz", "_ptds"}) {
    const std::size_t end = name.size() - std::min<std::size_t>(name.size(), 5);
    if (name.compare(end, 5, stream) == 0) name.resize(end);
  }
  if (name.compare(0, 2, "cu") != 0 || name.compare(0, 4, "cuda") == 0) return nullptr;
  for (const Renamed& one : kRenamed) {
    if (name == one.name && version >= one.from) name = one.to;
  }
  return dlsym(ownLibrary(), name.c_str());
}

/// Sets the function. Returns false if there is none of that name.
bool find(const char* symbol, void** function, unsigned version) {
  requireValue(symbol != nullptr && function != nullptr, "no name, or no place for the function");
  *function = functionNamed(symbol, version);
  return *function != nullptr;
}

}  // namespace

// The header gives this name the meaning of CUDA 12's.
#undef cuGetProcAddress

extern "C" {

CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, cuuint64_t,
                             CUdriverProcAddressQueryResult* status) {
  return driver("cuGetProcAddress", [&] {
    const bool found = find(symbol, function, static_cast<unsigned>(version));
    if (status != nullptr)
      *status = found ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    if (!found) fail(cudaErrorSymbolNotFound, "no function '{}'", symbol);
  });
}
CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}

// A name that is not found is told by `status` and is no error, as in CUDA.
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function,
                                             unsigned int version, unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  return api("cudaGetDriverEntryPoint", [&] {
    const bool found = find(symbol, function, version);
    if (status != nullptr)
      *status = found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    else if (!found)
      fail(cudaErrorSymbolNotFound, "no function '{}'", symbol);
  });
}
cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, status);
}

}  // extern "C"
