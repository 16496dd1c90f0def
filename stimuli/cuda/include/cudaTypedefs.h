// Types of functions of the driver interface, for programs that ask for their addresses
// (cudaGetDriverEntryPoint): those of tensor maps.
#pragma once

#include "cuda.h"

typedef CUresult (*PFN_cuTensorMapEncodeTiled_v12000)(
    CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
    const cuuint64_t* dims, const cuuint64_t* strides, const cuuint32_t* box,
    const cuuint32_t* elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);
typedef CUresult (*PFN_cuTensorMapEncodeIm2col_v12000)(
    CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
    const cuuint64_t* dims, const cuuint64_t* strides, const int* lower, const int* upper,
    cuuint32_t channels, cuuint32_t pixels, const cuuint32_t* elementStrides,
    CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
    CUtensorMapFloatOOBfill fill);
typedef CUresult (*PFN_cuTensorMapReplaceAddress_v12000)(CUtensorMap* map, void* address);
typedef CUresult (*PFN_cuGetProcAddress_v12000)(const char* symbol, void** function, int version,
                                                cuuint64_t flags,
                                                CUdriverProcAddressQueryResult* status);

#define PFN_cuTensorMapEncodeTiled PFN_cuTensorMapEncodeTiled_v12000
#define PFN_cuTensorMapEncodeIm2col PFN_cuTensorMapEncodeIm2col_v12000
#define PFN_cuTensorMapReplaceAddress PFN_cuTensorMapReplaceAddress_v12000
#define PFN_cuGetProcAddress PFN_cuGetProcAddress_v12000
