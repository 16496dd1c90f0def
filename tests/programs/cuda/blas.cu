// cuBLAS's interface: products of all types and operations against sums of the host, batches,
// vectors, scales on the device, and what is refused.
#include <cublas_v2.h>

#include <cmath>

#include "check.h"

#define BLAS(call) GIVES(call, CUBLAS_STATUS_SUCCESS)

static const int kRows = 33, kColumns = 18, kDepth = 40, kPad = 3;

/// Small integers, so that each type of number holds every sum.
template <class T>
static std::vector<T> numbers(size_t count, int seed) {
  std::vector<T> made;
  for (size_t i = 0; i < count; ++i) made.push_back(T(float(int(i * 7 + seed) % 5 - 2)));
  return made;
}
/// Element (i, j) of a matrix of `lead` rows that an operation may exchange with (j, i).
template <class T>
static float at(const std::vector<T>& matrix, cublasOperation_t of, int i, int j, int lead) {
  return float(of == CUBLAS_OP_N ? matrix[j * lead + i] : matrix[i * lead + j]);
}

template <class From, class To, class Scale>
static void testProduct(cublasHandle_t handle, const char* name, cudaDataType from, cudaDataType to,
                        cublasComputeType_t compute) {
  for (const auto ofA : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (const auto ofB : {CUBLAS_OP_N, CUBLAS_OP_C}) {
      const int aLead = (ofA == CUBLAS_OP_N ? kRows : kDepth) + kPad;
      const int bLead = (ofB == CUBLAS_OP_N ? kDepth : kColumns) + kPad;
      const int cLead = kRows + kPad;
      const auto a = numbers<From>(aLead * 48, 1), b = numbers<From>(bLead * 48, 2);
      const auto c = numbers<To>(cLead * kColumns, 3);
      const Scale alpha = Scale(2.0f), beta = Scale(3.0f);
      From *onA = toDevice(a), *onB = toDevice(b);
      To* onC = toDevice(c);
      BLAS(cublasGemmEx(handle, ofA, ofB, kRows, kColumns, kDepth, &alpha, onA, from, aLead, onB,
                        from, bLead, &beta, onC, to, cLead, compute, CUBLAS_GEMM_DEFAULT));
      const auto got = toHost(onC, c.size());
      for (int j = 0; j < kColumns; ++j)
        for (int i = 0; i < cLead; ++i) {
          float sum = 0;
          for (int k = 0; k < kDepth && i < kRows; ++k)
            sum += at(a, ofA, i, k, aLead) * at(b, ofB, k, j, bLead);
          const float old = float(c[j * cLead + i]);
          const float expected = i < kRows ? float(To(2 * sum + 3 * old)) : old;
          if (float(got[j * cLead + i]) != expected)
            fail("%s: (%d, %d) is %g, expected %g", name, i, j, float(got[j * cLead + i]),
                 expected);
        }
      for (void* each : {(void*)onA, (void*)onB, (void*)onC}) CHECK(cudaFree(each));
    }
}

/// Sums of 16-bit numbers are rounded to floats after 16 products, sums of floats after each.
static void testRounding(cublasHandle_t handle) {
  const float one = 1, zero = 0;
  const int depth = 18;
  std::vector<__half> halves(depth, __half(1.0f));
  std::vector<__half> factors(depth, __half(0.0f));
  factors[0] = __half(4096.0f);  // 4096 * 4096 = 2^24, where a float has no odd numbers
  halves[0] = __half(4096.0f);
  factors[1] = factors[2] = factors[17] = __half(1.0f);  // one more than 2^24 + 2: a tie
  std::vector<float> floats, floatFactors;
  for (int i = 0; i < depth; ++i) {
    floats.push_back(float(halves[i]));
    floatFactors.push_back(float(factors[i]));
  }
  float* const c = newOnDevice<float>(2);
  BLAS(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, depth, &one, toDevice(halves),
                    CUDA_R_16F, depth, toDevice(factors), CUDA_R_16F, depth, &zero, c, CUDA_R_32F,
                    1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  BLAS(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, depth, &one, toDevice(floats), depth,
                   toDevice(floatFactors), depth, &zero, c + 1, 1));
  expectSame("rounding", toHost(c, 2), {16777220.0f, 16777216.0f});
}

static void testBatches(cublasHandle_t handle) {
  const int n = 8, count = 3;
  const auto a = numbers<float>(n * n * count, 4), b = numbers<float>(n * n * count, 5);
  float *onA = toDevice(a), *onB = toDevice(b), *first = newOnDevice<float>(n * n * count),
        *second = newOnDevice<float>(n * n * count), *each = newOnDevice<float>(n * n * count);
  const float one = 1, zero = 0;
  BLAS(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, onA, n, n * n,
                                 onB, n, n * n, &zero, first, n, n * n, count));
  std::vector<const float*> ofA, ofB;
  std::vector<float*> ofC;
  for (int i = 0; i < count; ++i) {
    ofA.push_back(onA + i * n * n);
    ofB.push_back(onB + i * n * n);
    ofC.push_back(second + i * n * n);
    BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, ofA[i], n, ofB[i], n, &zero,
                     each + i * n * n, n));
  }
  BLAS(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, toDevice(ofA), n,
                          toDevice(ofB), n, &zero, toDevice(ofC), n, count));
  const auto expected = toHost(each, n * n * count);
  expectSame("strided batch", toHost(first, n * n * count), expected);
  expectSame("batch", toHost(second, n * n * count), expected);
}

static void testVectors(cublasHandle_t handle) {
  const std::vector<float> x = {3, -4, 0, 12}, y = {1, 2, 3, 4};
  float *onX = toDevice(x), *onY = toDevice(y), *result = newOnDevice<float>(1);
  float norm = 0, sum = 0, two = 2, zero = 0, one = 1;
  int largest = 0, smallest = 0;
  BLAS(cublasSnrm2(handle, 4, onX, 1, &norm));
  BLAS(cublasSasum(handle, 4, onX, 1, &sum));
  BLAS(cublasIsamax(handle, 4, onX, 1, &largest));
  BLAS(cublasIsamin(handle, 2, onX, 2, &smallest));
  EXPECT(norm == 13 && sum == 19 && largest == 4 && smallest == 2);
  BLAS(cublasSaxpy(handle, 4, &two, onX, 1, onY, -1));
  expectSame("axpy", toHost(onY, 4), {25, 2, -5, 10});
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  BLAS(cublasSdot(handle, 4, onX, 1, onX, -1, result));
  expectSame("dot", toHost(result, 1), {72});
  BLAS(cublasSscal(handle, 4, result, onX, 1));
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  expectSame("scal", toHost(onX, 4), {216, -288, 0, 864});
  // Two rows of two columns: 25 -5, 2 10.
  float* const v = toDevice(std::vector<float>{1, 10});
  float* const to = newOnDevice<float>(2);
  BLAS(cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &one, onY, 2, v, 1, &zero, to, 1));
  expectSame("gemv", toHost(to, 2), {-25, 102});
  BLAS(cublasSgemv(handle, CUBLAS_OP_T, 2, 2, &one, onY, 2, v, 1, &one, to, 1));
  expectSame("gemv of the transposed", toHost(to, 2), {20, 197});
  BLAS(cublasSger(handle, 2, 2, &two, v, 1, v, 1, onY, 2));
  expectSame("ger", toHost(onY, 4), {27, 22, 15, 210});
  float* const c = newOnDevice<float>(4);
  BLAS(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, &one, onY, 2, &two, onY, 2, c, 2));
  expectSame("geam", toHost(c, 4), {81, 59, 52, 630});
}

static void testRefusals(cublasHandle_t handle) {
  float* const c = newOnDevice<float>(16);
  const float one = 1;
  const auto product = [&](cublasHandle_t with, int m, int lead, float* to) {
    return cublasSgemm(with, CUBLAS_OP_N, CUBLAS_OP_N, m, 4, 4, &one, c, lead, c, 4, &one, to, 4);
  };
  GIVES(product(nullptr, 4, 4, c), CUBLAS_STATUS_NOT_INITIALIZED);
  GIVES(product(handle, -1, 4, c), CUBLAS_STATUS_INVALID_VALUE);
  GIVES(product(handle, 4, 3, c), CUBLAS_STATUS_INVALID_VALUE);
  GIVES(product(handle, 4, 4, c + 4), CUBLAS_STATUS_EXECUTION_FAILED);  // past the end
  GIVES(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, c, CUDA_R_8F_E4M3, 4, c,
                     CUDA_R_8F_E4M3, 4, &one, c, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F,
                     CUBLAS_GEMM_DEFAULT),
        CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(cudaGetLastError());  // cuBLAS's errors are its own
}

int main() {
  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  testProduct<float, float, float>(handle, "f32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  testProduct<double, double, double>(handle, "f64", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  testProduct<__half, __half, __half>(handle, "f16", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  testProduct<__half, float, float>(handle, "f16 to f32", CUDA_R_16F, CUDA_R_32F,
                                    CUBLAS_COMPUTE_32F);
  testProduct<__nv_bfloat16, __nv_bfloat16, float>(handle, "bf16", CUDA_R_16BF, CUDA_R_16BF,
                                                   CUBLAS_COMPUTE_32F);
  testProduct<signed char, int, int>(handle, "s8", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
  testRounding(handle);
  testBatches(handle);
  testVectors(handle);
  testRefusals(handle);
  BLAS(cublasDestroy(handle));
  GIVES(cublasDestroy(handle), CUBLAS_STATUS_NOT_INITIALIZED);
  std::puts("PASS");
}
