// Parts of the driver interface that the model does not support: launches in the form of CUDA 3,
// arrays and texture references. The runtime interface has arrays and texture objects.
#include <fermata/platforms/cudart/driver.h>

using fermata::cudart::refusedByDriver;

extern "C" {

CUresult cuModuleGetTexRef(CUtexref*, CUmodule, const char*) {
  return refusedByDriver("cuModuleGetTexRef");
}
CUresult cuModuleGetSurfRef(CUsurfref*, CUmodule, const char*) {
  return refusedByDriver("cuModuleGetSurfRef");
}
CUresult cuFuncSetBlockShape(CUfunction, int, int, int) {
  return refusedByDriver("cuFuncSetBlockShape", "expected cuLaunchKernel");
}
CUresult cuFuncSetSharedSize(CUfunction, unsigned int) {
  return refusedByDriver("cuFuncSetSharedSize", "expected cuLaunchKernel");
}
CUresult cuParamSetSize(CUfunction, unsigned int) {
  return refusedByDriver("cuParamSetSize", "expected cuLaunchKernel");
}
CUresult cuParamSeti(CUfunction, int, unsigned int) {
  return refusedByDriver("cuParamSeti", "expected cuLaunchKernel");
}
CUresult cuParamSetf(CUfunction, int, float) {
  return refusedByDriver("cuParamSetf", "expected cuLaunchKernel");
}
CUresult cuParamSetv(CUfunction, int, void*, unsigned int) {
  return refusedByDriver("cuParamSetv", "expected cuLaunchKernel");
}
CUresult cuLaunch(CUfunction) {
  return refusedByDriver("cuLaunch", "expected cuLaunchKernel");
}
CUresult cuLaunchGrid(CUfunction, int, int) {
  return refusedByDriver("cuLaunchGrid", "expected cuLaunchKernel");
}
CUresult cuOccupancyMaxPotentialBlockSize(int*, int*, CUfunction, CUoccupancyB2DSize, size_t, int) {
  return refusedByDriver("cuOccupancyMaxPotentialBlockSize");
}
CUresult cuArrayCreate(CUarray*, const CUDA_ARRAY_DESCRIPTOR*) {
  return refusedByDriver("cuArrayCreate");
}
CUresult cuArrayDestroy(CUarray) {
  return refusedByDriver("cuArrayDestroy");
}
CUresult cuMemcpyHtoA(CUarray, size_t, const void*, size_t) {
  return refusedByDriver("cuMemcpyHtoA");
}
CUresult cuMemcpyAtoH(void*, CUarray, size_t, size_t) {
  return refusedByDriver("cuMemcpyAtoH");
}
CUresult cuTexRefSetArray(CUtexref, CUarray, unsigned int) {
  return refusedByDriver("cuTexRefSetArray");
}
CUresult cuTexRefSetAddress(size_t*, CUtexref, CUdeviceptr, size_t) {
  return refusedByDriver("cuTexRefSetAddress");
}
CUresult cuTexRefSetFormat(CUtexref, CUarray_format, int) {
  return refusedByDriver("cuTexRefSetFormat");
}
CUresult cuTexRefSetAddressMode(CUtexref, int, CUaddress_mode) {
  return refusedByDriver("cuTexRefSetAddressMode");
}
CUresult cuTexRefSetFilterMode(CUtexref, CUfilter_mode) {
  return refusedByDriver("cuTexRefSetFilterMode");
}
CUresult cuTexRefSetFlags(CUtexref, unsigned int) {
  return refusedByDriver("cuTexRefSetFlags");
}
CUresult cuParamSetTexRef(CUfunction, int, CUtexref) {
  return refusedByDriver("cuParamSetTexRef", "expected cuLaunchKernel");
}

}  // extern "C"
