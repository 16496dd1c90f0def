// The calls of cuBLAS's interface: handles and errors.
#pragma once

#include <fermata/platforms/cudart/blas_matrix.h>
#include <fermata/platforms/cudart/blas_product.h>
#include <fermata/platforms/cudart/streams.h>
#include <fermata/stimuli/cuda/include/cublas_v2.h>

#include <vector>

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  int processors = 0;  ///< as cublasSetSmCountTarget says
};

namespace fermata::cudart {

/// Ends a call with a status of cuBLAS.
struct BlasError : ApiError {
  BlasError(cublasStatus_t status_, const char* text)
      : ApiError(cudaErrorInvalidValue, text), status(status_) {}
  cublasStatus_t status;
};
inline void requireBlas(bool holds, const char* text,
                        cublasStatus_t status = CUBLAS_STATUS_INVALID_VALUE) {
  if (!holds) throw BlasError(status, text);
}

/// True if an operation exchanges rows and columns. Throws BlasError if it is none.
inline bool isTransposed(cublasOperation_t of) {
  requireBlas(of == CUBLAS_OP_N || of == CUBLAS_OP_T || of == CUBLAS_OP_C,
              "no operation on a matrix; expected CUBLAS_OP_N, T or C");
  return of != CUBLAS_OP_N;
}

/// True if a program made the handle and has not destroyed it.
bool isBlasHandle(cublasHandle_t handle);

/// Runs a call. `otherwise` is the status of an error of the runtime, whose last error stays.
template <class Body>
cublasStatus_t blas(const char* name, Body body,
                    cublasStatus_t otherwise = CUBLAS_STATUS_EXECUTION_FAILED) {
  cublasStatus_t status = otherwise;
  const cudaError_t last = lastError();
  const cudaError_t code = api(name, [&] {
    try {
      body();
    } catch (const BlasError& error) {
      status = error.status;
      throw;
    }
  });
  lastError() = last;
  return code == cudaSuccess ? CUBLAS_STATUS_SUCCESS : status;
}
/// Runs a call with a handle.
template <class Body>
cublasStatus_t blas(const char* name, cublasHandle_t handle, Body body) {
  return blas(name, [&] {
    requireBlas(isBlasHandle(handle), "not a handle", CUBLAS_STATUS_NOT_INITIALIZED);
    body(*handle);
  });
}

/// Returns the session. Throws if the handle's stream is gone or is being captured.
Session& sessionOf(const cublasContext& context);
/// Returns a scale, which lies on the host or the device.
double scaleOf(const cublasContext& context, cudaDataType type, const void* scale);
/// Returns the type of the scales. Throws BlasError for a computation that there is not.
cudaDataType scaleTypeOf(cublasComputeType_t compute);
/// Returns how the products of such factors are summed: as by the model's tensor units for numbers
/// of 16 and 8 bits, as by multiply-adds of floats for floats.
ProductSums sumsOf(cublasComputeType_t compute, cudaDataType factors);
/// Writes a result of one number where the program wants it.
void putResult(const cublasContext& context, void* to, const void* result, std::size_t bytes);

}  // namespace fermata::cudart
