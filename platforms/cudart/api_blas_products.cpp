// cuBLAS's products of matrices: one, or many of one size.
#include <fermata/platforms/cudart/api_blas.h>

#include <algorithm>

using namespace fermata::cudart;

namespace fermata::cudart {

cudaDataType scaleTypeOf(cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return CUDA_R_16F;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return CUDA_R_32F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return CUDA_R_32I;
  }
  throw BlasError(CUBLAS_STATUS_NOT_SUPPORTED, "no such computation");
}

ProductSums sumsOf(cublasComputeType_t compute, cudaDataType factors) {
  using Rounded = ProductSums::Rounded;
  const cudaDataType scale = scaleTypeOf(compute);
  if (scale == CUDA_R_16F) return {Rounded::ToHalf, 16};
  if (scale != CUDA_R_32F) return {};
  const std::size_t steps = isFloat8(factors) ? 32 : blasSize(factors) == 2 ? 16 : 1;
  return {Rounded::ToFloat, steps};
}

}  // namespace fermata::cudart

namespace {

/// One operand of a call: a matrix, or the first of many.
struct Operand {
  const void* at = nullptr;  ///< the matrix, or an array of the device with addresses of matrices
  cudaDataType type = CUDA_R_32F;
  int lead = 0;
  long long stride = 0;  ///< elements from matrix to matrix
};

/// A call: c = alpha * a' * b' + beta * c, for each of `count` triples.
struct ProductCall {
  cublasOperation_t ofA = CUBLAS_OP_N, ofB = CUBLAS_OP_N;
  int m = 0, n = 0, k = 0;
  const void* alpha = nullptr;
  const void* beta = nullptr;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  Operand a, b, c;
  int count = 1;
  bool byAddress = false;  ///< Operand::at is an array of addresses
};

void checkCall(const ProductCall& call) {
  requireBlas(call.m >= 0 && call.n >= 0 && call.k >= 0 && call.count >= 0, "a negative size");
  for (const Operand* one : {&call.a, &call.b, &call.c})
    requireBlas(blasSize(one->type) != 0 && !isFloat8(one->type),
                "a type of numbers that products do not have here; expected 8I, 16F, 16BF, 32F, "
                "32I or 64F",
                CUBLAS_STATUS_NOT_SUPPORTED);
  const int rowsOfA = isTransposed(call.ofA) ? call.k : call.m;
  const int rowsOfB = isTransposed(call.ofB) ? call.n : call.k;
  requireBlas(call.a.lead >= std::max(1, rowsOfA) && call.b.lead >= std::max(1, rowsOfB) &&
                  call.c.lead >= std::max(1, call.m),
              "a leading dimension that is smaller than the number of rows");
}

/// Returns matrix `number` of an operand.
BlasMatrix matrixOf(Session& session, const ProductCall& call, const Operand& operand, int number,
                    int rows, int columns) {
  const void* at = operand.at;
  if (call.byAddress) {
    copy(session, &at, static_cast<const void* const*>(operand.at) + number, sizeof(at),
         cudaMemcpyDeviceToHost);
  } else {
    at = static_cast<const char*>(at) +
         operand.stride * number * static_cast<long long>(blasSize(operand.type));
  }
  return {at, operand.type, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
          static_cast<std::size_t>(operand.lead)};
}

/// Returns a matrix with the operation done on it, of `rows` rows.
std::vector<double> operandOf(Session& session, const ProductCall& call, const Operand& operand,
                              int number, cublasOperation_t of, int rows, int columns) {
  if (!isTransposed(of))
    return readMatrix(session, matrixOf(session, call, operand, number, rows, columns));
  const BlasMatrix stored = matrixOf(session, call, operand, number, columns, rows);
  return transposed(readMatrix(session, stored), stored.rows, stored.columns);
}

void multiply(const cublasContext& context, const ProductCall& call) {
  checkCall(call);
  Session& session = sessionOf(context);
  if (call.m == 0 || call.n == 0) return;
  const cudaDataType scaleType = scaleTypeOf(call.compute);
  const double alpha = scaleOf(context, scaleType, call.alpha);
  const double beta = scaleOf(context, scaleType, call.beta);
  for (int number = 0; number < call.count; ++number) {
    const BlasMatrix c = matrixOf(session, call, call.c, number, call.m, call.n);
    const auto a = operandOf(session, call, call.a, number, call.ofA, call.m, call.k);
    const auto b = operandOf(session, call, call.b, number, call.ofB, call.k, call.n);
    std::vector<double> result =
        productOf(a, b, c.rows, c.columns, static_cast<std::size_t>(call.k),
                  sumsOf(call.compute, call.a.type));
    for (double& x : result) x *= alpha;
    if (beta != 0) {
      const auto old = readMatrix(session, c);
      for (std::size_t i = 0; i < result.size(); ++i) result[i] += beta * old[i];
    }
    writeMatrix(session, c, result);
  }
}

/// Sizes and operations of a call.
struct Shape {
  cublasOperation_t ofA, ofB;
  int m, n, k;
};
/// Matrices whose addresses lie in arrays of the device, or whose first ones are given.
struct Many {
  int count = 1;
  bool byAddress = false;
};

cublasStatus_t multiply(const char* name, cublasHandle_t handle, const Shape& shape,
                        cublasComputeType_t compute, const void* alpha, const Operand& a,
                        const Operand& b, const void* beta, const Operand& c, Many many = {}) {
  return blas(name, handle, [&](cublasContext& context) {
    multiply(context, {shape.ofA, shape.ofB, shape.m, shape.n, shape.k, alpha, beta, compute, a, b,
                       c, many.count, many.byAddress});
  });
}

}  // namespace

extern "C" {

#define FERMATA_BLAS_PRODUCTS(P, suffix, T, type, compute)                                         \
  cublasStatus_t cublas##P##gemm##suffix(cublasHandle_t handle, cublasOperation_t ofA,             \
                                         cublasOperation_t ofB, int m, int n, int k,               \
                                         const T* alpha, const T* a, int aLead, const T* b,        \
                                         int bLead, const T* beta, T* c, int cLead) {              \
    return multiply("cublas" #P "gemm", handle, {ofA, ofB, m, n, k}, compute, alpha,               \
                    {a, type, aLead}, {b, type, bLead}, beta, {c, type, cLead});                   \
  }                                                                                                \
  cublasStatus_t cublas##P##gemmStridedBatched(                                                    \
      cublasHandle_t handle, cublasOperation_t ofA, cublasOperation_t ofB, int m, int n, int k,    \
      const T* alpha, const T* a, int aLead, long long aStride, const T* b, int bLead,             \
      long long bStride, const T* beta, T* c, int cLead, long long cStride, int count) {           \
    return multiply("cublas" #P "gemmStridedBatched", handle, {ofA, ofB, m, n, k}, compute, alpha, \
                    {a, type, aLead, aStride}, {b, type, bLead, bStride}, beta,                    \
                    {c, type, cLead, cStride}, {count});                                           \
  }                                                                                                \
  cublasStatus_t cublas##P##gemmBatched(                                                           \
      cublasHandle_t handle, cublasOperation_t ofA, cublasOperation_t ofB, int m, int n, int k,    \
      const T* alpha, const T* const* a, int aLead, const T* const* b, int bLead, const T* beta,   \
      T* const* c, int cLead, int count) {                                                         \
    return multiply("cublas" #P "gemmBatched", handle, {ofA, ofB, m, n, k}, compute, alpha,        \
                    {a, type, aLead}, {b, type, bLead}, beta, {c, type, cLead}, {count, true});    \
  }
FERMATA_BLAS_PRODUCTS(S, _v2, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
FERMATA_BLAS_PRODUCTS(D, _v2, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
FERMATA_BLAS_PRODUCTS(H, , __half, CUDA_R_16F, CUBLAS_COMPUTE_16F)
#undef FERMATA_BLAS_PRODUCTS

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t ofA, cublasOperation_t ofB,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType aType, int aLead, const void* b, cudaDataType bType,
                            int bLead, const void* beta, void* c, cudaDataType cType, int cLead,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply("cublasGemmEx", handle, {ofA, ofB, m, n, k}, compute, alpha, {a, aType, aLead},
                  {b, bType, bLead}, beta, {c, cType, cLead});
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t ofA,
                                          cublasOperation_t ofB, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType aType,
                                          int aLead, long long aStride, const void* b,
                                          cudaDataType bType, int bLead, long long bStride,
                                          const void* beta, void* c, cudaDataType cType, int cLead,
                                          long long cStride, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t) {
  return multiply("cublasGemmStridedBatchedEx", handle, {ofA, ofB, m, n, k}, compute, alpha,
                  {a, aType, aLead, aStride}, {b, bType, bLead, bStride}, beta,
                  {c, cType, cLead, cStride}, {count});
}
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t ofA,
                                   cublasOperation_t ofB, int m, int n, int k, const void* alpha,
                                   const void* const* a, cudaDataType aType, int aLead,
                                   const void* const* b, cudaDataType bType, int bLead,
                                   const void* beta, void* const* c, cudaDataType cType, int cLead,
                                   int count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply("cublasGemmBatchedEx", handle, {ofA, ofB, m, n, k}, compute, alpha,
                  {a, aType, aLead}, {b, bType, bLead}, beta, {c, cType, cLead}, {count, true});
}
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t ofA, cublasOperation_t ofB,
                             int m, int n, int k, const float* alpha, const void* a,
                             cudaDataType aType, int aLead, const void* b, cudaDataType bType,
                             int bLead, const float* beta, void* c, cudaDataType cType, int cLead) {
  return multiply("cublasSgemmEx", handle, {ofA, ofB, m, n, k}, CUBLAS_COMPUTE_32F, alpha,
                  {a, aType, aLead}, {b, bType, bLead}, beta, {c, cType, cLead});
}

}  // extern "C"
