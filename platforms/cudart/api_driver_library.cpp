// The driver interface's libraries, which are modules here, and its parts of a device, which
// nothing makes.
#include <fermata/platforms/cudart/driver.h>

#include <map>

using namespace fermata::cudart;

namespace {

CUmodule moduleOf(CUlibrary library) { return reinterpret_cast<CUmodule>(library); }
CUfunction functionOfKernel(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

std::map<CUkernel, CUlibrary>& libraries() {
  static std::map<CUkernel, CUlibrary> all;
  return all;
}

CUlibrary libraryOf(CUkernel kernel) {
  const auto found = libraries().find(kernel);
  require(found != libraries().end(), cudaErrorInvalidResourceHandle, "not a kernel of a library");
  return found->second;
}

CUresult refusePart(const char* name) {
  return result(refused(name, "parts of a device (green contexts) are not modelled"));
}

}  // namespace

extern "C" {

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option*, void**,
                           unsigned int, CUlibraryOption*, void**, unsigned int) {
  return cuModuleLoadData(reinterpret_cast<CUmodule*>(library), code);
}
CUresult cuLibraryUnload(CUlibrary library) {
  const CUresult code = cuModuleUnload(moduleOf(library));
  if (code != CUDA_SUCCESS) return code;
  for (auto one = libraries().begin(); one != libraries().end();)
    one = one->second == library ? libraries().erase(one) : std::next(one);
  return code;
}
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  const CUresult code =
      cuModuleGetFunction(reinterpret_cast<CUfunction*>(kernel), moduleOf(library), name);
  if (code == CUDA_SUCCESS) libraries()[*kernel] = library;
  return code;
}
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *module = moduleOf(library);
  return CUDA_SUCCESS;
}
CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                            const char* name) {
  return cuModuleGetGlobal(pointer, bytes, moduleOf(library), name);
}
CUresult cuLibraryGetManaged(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                             const char* name) {
  return cuModuleGetGlobal(pointer, bytes, moduleOf(library), name);
}
CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return driver("cuKernelGetFunction", [&] {
    requireValue(function != nullptr, "no place for the function");
    (void)libraryOf(kernel);
    *function = functionOfKernel(kernel);
  });
}
CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
  return driver("cuKernelGetLibrary", [&] {
    requireValue(library != nullptr, "no place for the library");
    *library = libraryOf(kernel);
  });
}
CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return driver("cuKernelGetName", [&] {
    requireValue(name != nullptr, "no place for the name");
    (void)libraryOf(kernel);
    *name = functionOfKernel(kernel)->function.entry.c_str();
  });
}
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice) {
  return cuFuncGetAttribute(value, attribute, functionOfKernel(kernel));
}
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice) {
  return cuFuncSetAttribute(functionOfKernel(kernel), attribute, value);
}
CUresult cuFuncLoad(CUfunction) { return CUDA_SUCCESS; }

CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return result(cudaStreamGetPriority(stream, priority));
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *id = reinterpret_cast<unsigned long long>(stream);
  return CUDA_SUCCESS;
}
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       const CUkernelNodeAttrValue* value) {
  return result(
      cudaGraphKernelNodeSetAttribute(node, static_cast<cudaKernelNodeAttrID>(attribute),
                                      reinterpret_cast<const cudaKernelNodeAttrValue*>(value)));
}

CUresult cuGreenCtxCreate(CUgreenCtx*, CUdevResourceDesc, CUdevice, unsigned int) {
  return refusePart("cuGreenCtxCreate");
}
CUresult cuGreenCtxDestroy(CUgreenCtx) { return refusePart("cuGreenCtxDestroy"); }
CUresult cuCtxFromGreenCtx(CUcontext*, CUgreenCtx) { return refusePart("cuCtxFromGreenCtx"); }

}  // extern "C"
