// Types of the runtime interface.
#pragma once
#define __DRIVER_TYPES_H__  // programs test whether it was included

#include <limits.h>
#include <stddef.h>

#include "host_defines.h"
#include "parts/attribute_types.h"
#include "parts/device_properties.h"
#include "parts/flags.h"
#include "parts/graph_types.h"
#include "parts/memory_types.h"
#include "parts/pool_types.h"
#include "parts/texture_api_types.h"
#include "vector_types.h"

enum cudaError {
  cudaSuccess = 0,
#define FERMATA_ERROR(name, driver_name, number, text) cudaError##name = number,
#define FERMATA_RUNTIME_ERROR(name, number, text) cudaError##name = number,
#define FERMATA_DRIVER_ERROR(driver_name, number)
#include "parts/error_list.inl"
};
typedef enum cudaError cudaError_t;
enum cudaDeviceAttr {
#define FERMATA_ATTRIBUTE(name, driver_name, number) cudaDevAttr##name = number,
#include "parts/attribute_list.inl"
};
typedef enum cudaDeviceAttr cudaDeviceAttr;

typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUfunc_st* cudaFunction_t;
typedef struct CUmemPoolHandle_st* cudaMemPool_t;
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

typedef void(CUDART_CB* cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status,
                                              void* userData);
typedef void(CUDART_CB* cudaHostFn_t)(void* userData);

enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2,  // CUDA's spelling
};
typedef enum cudaDriverEntryPointQueryResult cudaDriverEntryPointQueryResult;
#define cudaEnableDefault 0
#define cudaEnableLegacyStream 1
#define cudaEnablePerThreadDefaultStream 2
enum cudaComputeMode {
  cudaComputeModeDefault = 0,
  cudaComputeModeExclusive = 1,
  cudaComputeModeProhibited = 2,
  cudaComputeModeExclusiveProcess = 3,
};
enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3,
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2,
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100,
};
enum cudaLimit {
  cudaLimitStackSize = 0,
  cudaLimitPrintfFifoSize = 1,
  cudaLimitMallocHeapSize = 2,
  cudaLimitDevRuntimeSyncDepth = 3,
  cudaLimitDevRuntimePendingLaunchCount = 4,
  cudaLimitMaxL2FetchGranularity = 5,
  cudaLimitPersistingL2CacheSize = 6,
};
enum cudaDeviceP2PAttr {
  cudaDevP2PAttrPerformanceRank = 1,
  cudaDevP2PAttrAccessSupported = 2,
  cudaDevP2PAttrNativeAtomicSupported = 3,
  cudaDevP2PAttrCudaArrayAccessSupported = 4,
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
  cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
};
enum cudaOutputMode { cudaKeyValuePair = 0, cudaCSV = 1 };

/// Resources that a kernel needs: cudaFuncGetAttributes.
struct cudaFuncAttributes {
  size_t sharedSizeBytes;  ///< static shared memory of a block
  size_t constSizeBytes;
  size_t localSizeBytes;  ///< bytes per thread
  int maxThreadsPerBlock;
  int numRegs;
  int ptxVersion;     ///< 70 is 7.0
  int binaryVersion;  ///< 70 is sm_70
  int cacheModeCA;
  int maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
  int clusterDimMustBeSet;
  int requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;  ///< 0: not stated
  int clusterSchedulingPolicyPreference;
  int nonPortableClusterSizeAllowed;
};

struct cudaLaunchParams {
  void* func;
  struct dim3 gridDim;
  struct dim3 blockDim;
  void** args;
  size_t sharedMem;
  cudaStream_t stream;
};

/// A launch with attributes: cudaLaunchKernelExC.
typedef struct cudaLaunchConfig_st {
  struct dim3 gridDim;
  struct dim3 blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned int numAttrs;
} cudaLaunchConfig_t;

typedef struct cudaIpcEventHandle_st {
  char reserved[64];
} cudaIpcEventHandle_t;
typedef struct cudaIpcMemHandle_st {
  char reserved[64];
} cudaIpcMemHandle_t;

#ifndef __cplusplus
typedef enum cudaFuncCache cudaFuncCache;
typedef enum cudaSharedMemConfig cudaSharedMemConfig;
typedef enum cudaLimit cudaLimit;
typedef struct cudaFuncAttributes cudaFuncAttributes;
#endif
