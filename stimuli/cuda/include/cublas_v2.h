// cuBLAS's interface in C, which libfermata_cudart.so exports, too: vectors, gemv, ger and the
// products of matrices. CUDA's own reference describes each function. Matrices lie by columns.
#pragma once
#define CUBLAS_V2_H_  // programs test whether it was included

#include "cuda_runtime_api.h"
#include "library_types.h"
#include "parts/blas_types.h"

#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value);
size_t cublasGetCudartVersion(void);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode);
// Kept, without an effect.
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count);

// Copies between the host and the device of elements of `size` bytes.
cublasStatus_t cublasSetVector(int n, int size, const void* from, int fromStep, void* to,
                               int toStep);
cublasStatus_t cublasGetVector(int n, int size, const void* from, int fromStep, void* to,
                               int toStep);
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void* from, int fromLead,
                               void* to, int toLead);
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void* from, int fromLead,
                               void* to, int toLead);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void* from, int fromStep, void* to,
                                    int toStep, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void* from, int fromStep, void* to,
                                    int toStep, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void* from, int fromLead,
                                    void* to, int toLead, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void* from, int fromLead,
                                    void* to, int toLead, cudaStream_t stream);

#define FERMATA_BLAS_VECTORS(P, p, T)                                                              \
  cublasStatus_t cublas##P##copy_v2(cublasHandle_t, int n, const T* x, int xStep, T* y,            \
                                    int yStep);                                                    \
  cublasStatus_t cublas##P##swap_v2(cublasHandle_t, int n, T* x, int xStep, T* y, int yStep);      \
  cublasStatus_t cublas##P##scal_v2(cublasHandle_t, int n, const T* alpha, T* x, int xStep);       \
  cublasStatus_t cublas##P##axpy_v2(cublasHandle_t, int n, const T* alpha, const T* x, int xStep,  \
                                    T* y, int yStep);                                              \
  cublasStatus_t cublas##P##dot_v2(cublasHandle_t, int n, const T* x, int xStep, const T* y,       \
                                   int yStep, T* result);                                          \
  cublasStatus_t cublas##P##nrm2_v2(cublasHandle_t, int n, const T* x, int xStep, T* result);      \
  cublasStatus_t cublas##P##asum_v2(cublasHandle_t, int n, const T* x, int xStep, T* result);      \
  cublasStatus_t cublasI##p##amax_v2(cublasHandle_t, int n, const T* x, int xStep, int* result);   \
  cublasStatus_t cublasI##p##amin_v2(cublasHandle_t, int n, const T* x, int xStep, int* result);   \
  cublasStatus_t cublas##P##gemv_v2(cublasHandle_t, cublasOperation_t, int rows, int columns,      \
                                    const T* alpha, const T* a, int aLead, const T* x, int xStep,  \
                                    const T* beta, T* y, int yStep);                               \
  cublasStatus_t cublas##P##ger_v2(cublasHandle_t, int rows, int columns, const T* alpha,          \
                                   const T* x, int xStep, const T* y, int yStep, T* a, int aLead); \
  cublasStatus_t cublas##P##geam(cublasHandle_t, cublasOperation_t ofA, cublasOperation_t ofB,     \
                                 int rows, int columns, const T* alpha, const T* a, int aLead,     \
                                 const T* beta, const T* b, int bLead, T* c, int cLead);
FERMATA_BLAS_VECTORS(S, s, float)
FERMATA_BLAS_VECTORS(D, d, double)
#undef FERMATA_BLAS_VECTORS

#define FERMATA_BLAS_PRODUCTS(P, suffix, T)                                                      \
  cublasStatus_t cublas##P##gemm##suffix(cublasHandle_t, cublasOperation_t ofA,                  \
                                         cublasOperation_t ofB, int m, int n, int k,             \
                                         const T* alpha, const T* a, int aLead, const T* b,      \
                                         int bLead, const T* beta, T* c, int cLead);             \
  cublasStatus_t cublas##P##gemmStridedBatched(                                                  \
      cublasHandle_t, cublasOperation_t ofA, cublasOperation_t ofB, int m, int n, int k,         \
      const T* alpha, const T* a, int aLead, long long aStride, const T* b, int bLead,           \
      long long bStride, const T* beta, T* c, int cLead, long long cStride, int count);          \
  cublasStatus_t cublas##P##gemmBatched(                                                         \
      cublasHandle_t, cublasOperation_t ofA, cublasOperation_t ofB, int m, int n, int k,         \
      const T* alpha, const T* const* a, int aLead, const T* const* b, int bLead, const T* beta, \
      T* const* c, int cLead, int count);
FERMATA_BLAS_PRODUCTS(S, _v2, float)
FERMATA_BLAS_PRODUCTS(D, _v2, double)
#ifdef __cplusplus
FERMATA_BLAS_PRODUCTS(H, , __half)
#endif
#undef FERMATA_BLAS_PRODUCTS

/// The scales have the type of `compute`: half, float, double or int.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t ofA, cublasOperation_t ofB,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType aType, int aLead, const void* b, cudaDataType bType,
                            int bLead, const void* beta, void* c, cudaDataType cType, int cLead,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t ofA,
                                          cublasOperation_t ofB, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType aType,
                                          int aLead, long long aStride, const void* b,
                                          cudaDataType bType, int bLead, long long bStride,
                                          const void* beta, void* c, cudaDataType cType, int cLead,
                                          long long cStride, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t ofA,
                                   cublasOperation_t ofB, int m, int n, int k, const void* alpha,
                                   const void* const* a, cudaDataType aType, int aLead,
                                   const void* const* b, cudaDataType bType, int bLead,
                                   const void* beta, void* const* c, cudaDataType cType, int cLead,
                                   int count, cublasComputeType_t compute,
                                   cublasGemmAlgo_t algorithm);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t ofA, cublasOperation_t ofB,
                             int m, int n, int k, const float* alpha, const void* a,
                             cudaDataType aType, int aLead, const void* b, cudaDataType bType,
                             int bLead, const float* beta, void* c, cudaDataType cType, int cLead);

#ifdef __cplusplus
}
#include "parts/blas_overloads.h"
#endif

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasSswap cublasSswap_v2
#define cublasDswap cublasDswap_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIdamax cublasIdamax_v2
#define cublasIsamin cublasIsamin_v2
#define cublasIdamin cublasIdamin_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSger cublasSger_v2
#define cublasDger cublasDger_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
