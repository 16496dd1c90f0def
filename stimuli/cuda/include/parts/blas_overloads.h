// cuBLAS's products as of CUDA 10, whose type of computation is a type of numbers.
#pragma once

namespace fermata_cuda {
inline cublasComputeType_t computeOf(cudaDataType type) {
  if (type == CUDA_R_16F) return CUBLAS_COMPUTE_16F;
  if (type == CUDA_R_64F) return CUBLAS_COMPUTE_64F;
  return type == CUDA_R_32I ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F;
}
}  // namespace fermata_cuda

inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t ofA,
                                   cublasOperation_t ofB, int m, int n, int k, const void* alpha,
                                   const void* a, cudaDataType aType, int aLead, const void* b,
                                   cudaDataType bType, int bLead, const void* beta, void* c,
                                   cudaDataType cType, int cLead, cudaDataType compute,
                                   cublasGemmAlgo_t algorithm) {
  return cublasGemmEx(handle, ofA, ofB, m, n, k, alpha, a, aType, aLead, b, bType, bLead, beta, c,
                      cType, cLead, fermata_cuda::computeOf(compute), algorithm);
}
inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t ofA, cublasOperation_t ofB, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType aType, int aLead, long long aStride,
    const void* b, cudaDataType bType, int bLead, long long bStride, const void* beta, void* c,
    cudaDataType cType, int cLead, long long cStride, int count, cudaDataType compute,
    cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, ofA, ofB, m, n, k, alpha, a, aType, aLead, aStride, b,
                                    bType, bLead, bStride, beta, c, cType, cLead, cStride, count,
                                    fermata_cuda::computeOf(compute), algorithm);
}
inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t ofA,
                                          cublasOperation_t ofB, int m, int n, int k,
                                          const void* alpha, const void* const* a,
                                          cudaDataType aType, int aLead, const void* const* b,
                                          cudaDataType bType, int bLead, const void* beta,
                                          void* const* c, cudaDataType cType, int cLead, int count,
                                          cudaDataType compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmBatchedEx(handle, ofA, ofB, m, n, k, alpha, a, aType, aLead, b, bType, bLead,
                             beta, c, cType, cLead, count, fermata_cuda::computeOf(compute),
                             algorithm);
}
