// Functions that the compiler's own code calls: it registers a program's modules before main, and
// passes the configuration in <<<>>> before a launch. No program calls these itself.
#pragma once

#include "../driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// `fatCubin`: {0x466243b1, 1, address of the PTX without an end mark, null}.
void** __cudaRegisterFatBinary(void* fatCubin);
void __cudaRegisterFatBinaryEnd(void** handle);
/// Ours: registers the kernels and variables of one unit of a linked program. `renamed` pairs names
/// of the unit with those in the program, to a null pointer; `globals` makes the calls below.
void __cudaRegisterUnit(void** handle, const char* const* renamed, void (*globals)(void**));
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* hostFunction, char* deviceFunction,
                            const char* deviceName, int threadLimit, struct uint3* tid,
                            struct uint3* bid, struct dim3* bDim, struct dim3* gDim, int* warpSize);
void __cudaRegisterVar(void** handle, char* hostVariable, char* deviceAddress,
                       const char* deviceName, int isExtern, size_t size, int isConstant,
                       int isGlobal);
/// `pointer` is the host variable that receives the memory's address, `initial` its first bytes.
void __cudaRegisterManagedVar(void** handle, void** pointer, void* initial, const char* deviceName,
                              size_t size, unsigned int align);
void __cudaRegisterTexture(void** handle, const struct textureReference* hostVariable,
                           const void** deviceAddress, const char* deviceName, int dimensions,
                           int normalized, int isExtern);
void __cudaRegisterSurface(void** handle, const struct surfaceReference* hostVariable,
                           const void** deviceAddress, const char* deviceName, int dimensions,
                           int isExtern);
unsigned int __cudaPushCallConfiguration(struct dim3 gridDim, struct dim3 blockDim,
                                         size_t sharedMem FERMATA_DEFAULT(0),
                                         struct CUstream_st* stream FERMATA_DEFAULT(0));
cudaError_t __cudaPopCallConfiguration(struct dim3* gridDim, struct dim3* blockDim,
                                       size_t* sharedMem, void* stream);

#ifdef __cplusplus
}
#endif
