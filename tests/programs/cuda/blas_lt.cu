// cuBLASLt's interface: products in both orders, what follows them, floats of 8 bits with scales,
// batches, attributes, and what is refused.
#include <cublasLt.h>
#include <cuda_fp8.h>

#include <cmath>

#include "check.h"

#define BLAS(call) GIVES(call, CUBLAS_STATUS_SUCCESS)

static const int kRows = 19, kColumns = 10, kDepth = 24;
static cublasLtHandle_t handle;

/// Small numbers, so that each type of number holds every sum.
template <class T>
static std::vector<T> numbers(int count, int seed) {
  std::vector<T> made;
  for (int i = 0; i < count; ++i) made.push_back(T(float((i * 7 + seed) % 5 - 2)));
  return made;
}

/// A product with its descriptors. a is kRows * kDepth, b kDepth * kColumns.
struct Product {
  cublasLtMatmulDesc_t what = nullptr;
  cublasLtMatrixLayout_t a = nullptr, b = nullptr, c = nullptr, d = nullptr;
  float alpha = 2, beta = 0;

  Product(cudaDataType from, cudaDataType to, cublasOperation_t ofA = CUBLAS_OP_N,
          cublasOperation_t ofB = CUBLAS_OP_N) {
    BLAS(cublasLtMatmulDescCreate(&what, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    set(CUBLASLT_MATMUL_DESC_TRANSA, ofA);
    set(CUBLASLT_MATMUL_DESC_TRANSB, ofB);
    layout(&a, from, ofA == CUBLAS_OP_N ? kRows : kDepth, ofA == CUBLAS_OP_N ? kDepth : kRows);
    layout(&b, from, ofB == CUBLAS_OP_N ? kDepth : kColumns,
           ofB == CUBLAS_OP_N ? kColumns : kDepth);
    layout(&c, to, kRows, kColumns);
    layout(&d, to, kRows, kColumns);
  }
  ~Product() {
    BLAS(cublasLtMatmulDescDestroy(what));
    for (const auto each : {a, b, c, d}) BLAS(cublasLtMatrixLayoutDestroy(each));
  }
  static void layout(cublasLtMatrixLayout_t* made, cudaDataType type, int rows, int columns) {
    BLAS(cublasLtMatrixLayoutCreate(made, type, rows, columns, rows));
  }
  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, T value) {
    BLAS(cublasLtMatmulDescSetAttribute(what, attribute, &value, sizeof(value)));
  }
  cublasStatus_t compute(const void* onA, const void* onB, void* onD) const {
    cublasLtMatmulHeuristicResult_t way;
    int count = 0;
    const cublasStatus_t status =
        cublasLtMatmulAlgoGetHeuristic(handle, what, a, b, c, d, nullptr, 1, &way, &count);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    if (count != 1 || way.workspaceSize != 0) fail("%d ways", count);
    return cublasLtMatmul(handle, what, &alpha, onA, a, onB, b, &beta, onD, c, onD, d, &way.algo,
                          nullptr, 0, nullptr);
  }
};

/// Element (row, column) of 2 * a * b of matrices that lie by columns.
template <class T>
static float productOf(const std::vector<T>& a, const std::vector<T>& b, int row, int column) {
  float sum = 0;
  for (int k = 0; k < kDepth; ++k) sum += float(a[k * kRows + row]) * float(b[column * kDepth + k]);
  return 2 * sum;
}
/// Compares each element with expected(row, column).
template <class T, class Expected>
static void expectEach(const char* name, const T* onD, Expected expected) {
  const auto got = toHost(onD, kRows * kColumns);
  for (int j = 0; j < kColumns; ++j)
    for (int i = 0; i < kRows; ++i)
      if (float(got[j * kRows + i]) != float(T(expected(i, j))))
        fail("%s: (%d, %d) is %g, expected %g", name, i, j, float(got[j * kRows + i]),
             float(T(expected(i, j))));
}
/// Compares each element with expected(row, column), to a millionth.
template <class Expected>
static void expectNear(const char* name, const float* onD, Expected expected) {
  const auto got = toHost(onD, kRows * kColumns);
  for (int j = 0; j < kColumns; ++j)
    for (int i = 0; i < kRows; ++i) {
      const double wanted = expected(i, j), found = got[j * kRows + i];
      if (!(std::fabs(found - wanted) <= 1e-6 * std::fmax(1, std::fabs(wanted))))
        fail("%s: (%d, %d) is %g, expected %g", name, i, j, found, wanted);
    }
}

struct Floats {
  std::vector<float> a = numbers<float>(kRows * kDepth, 1),
                     b = numbers<float>(kDepth * kColumns, 2);
  float *onA = toDevice(a), *onB = toDevice(b), *onD = newOnDevice<float>(kRows * kColumns);
  float at(int i, int j) const { return productOf(a, b, i, j); }
};

static void testOrders(const Floats& f) {
  Product plain(CUDA_R_32F, CUDA_R_32F);
  BLAS(plain.compute(f.onA, f.onB, f.onD));
  expectEach("by columns", f.onD, [&](int i, int j) { return f.at(i, j); });
  plain.beta = 1;
  BLAS(plain.compute(f.onA, f.onB, f.onD));
  expectEach("added", f.onD, [&](int i, int j) { return 2 * f.at(i, j); });
  // a by rows is a' by columns, which the operation exchanges again.
  Product rows(CUDA_R_32F, CUDA_R_32F, CUBLAS_OP_T);
  const int32_t byRows = CUBLASLT_ORDER_ROW;
  const int64_t lead = kRows;
  BLAS(cublasLtMatrixLayoutSetAttribute(rows.a, CUBLASLT_MATRIX_LAYOUT_ORDER, &byRows, 4));
  BLAS(cublasLtMatrixLayoutSetAttribute(rows.a, CUBLASLT_MATRIX_LAYOUT_LD, &lead, 8));
  BLAS(rows.compute(f.onA, f.onB, f.onD));
  expectEach("by rows", f.onD, [&](int i, int j) { return f.at(i, j); });
}

static float gelu(float x) {
  return 0.5f * x * (1 + std::tanh(0.79788456f * (x + 0.044715f * x * x * x)));
}

static void testWhatFollows(const Floats& f) {
  const auto bias = numbers<float>(kRows, 4);
  float* const onBias = toDevice(bias);
  float* const aux = newOnDevice<float>(kRows * kColumns);
  Product product(CUDA_R_32F, CUDA_R_32F);
  product.set(CUBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(CUBLASLT_EPILOGUE_RELU_BIAS));
  product.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, onBias);
  BLAS(product.compute(f.onA, f.onB, f.onD));
  expectEach("relu and bias", f.onD,
             [&](int i, int j) { return std::fmax(f.at(i, j) + bias[i], 0.0f); });
  product.set(CUBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(CUBLASLT_EPILOGUE_GELU_AUX_BIAS));
  product.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux);
  product.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t(kRows));
  BLAS(product.compute(f.onA, f.onB, f.onD));
  expectEach("inputs of gelu", aux, [&](int i, int j) { return f.at(i, j) + bias[i]; });
  expectNear("gelu", f.onD, [&](int i, int j) { return gelu(f.at(i, j) + bias[i]); });
  // The gradient of gelu at the inputs just kept, and its sums by rows.
  product.set(CUBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(CUBLASLT_EPILOGUE_DGELU_BGRAD));
  BLAS(product.compute(f.onA, f.onB, f.onD));
  const auto gradient = [&](int i, int j) {
    const double x = f.at(i, j) + bias[i], h = 1e-4;
    const auto of = [](double y) {
      return 0.5 * y * (1 + std::tanh(0.7978845608028654 * (y + 0.044715 * y * y * y)));
    };
    return f.at(i, j) * (of(x + h) - of(x - h)) / (2 * h);
  };
  expectNear("gradient of gelu", f.onD, gradient);
  const auto sums = toHost(onBias, kRows);
  for (int i = 0; i < kRows; ++i) {
    double sum = 0;
    for (int j = 0; j < kColumns; ++j) sum += gradient(i, j);
    EXPECT(std::fabs(sums[i] - sum) < 1e-4);
  }
  product.set(CUBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(CUBLASLT_EPILOGUE_BGRADB));
  BLAS(product.compute(f.onA, f.onB, f.onD));
  const auto columns = toHost(onBias, kColumns);
  for (int j = 0; j < kColumns; ++j) {
    float sum = 0;
    for (int k = 0; k < kDepth; ++k) sum += f.b[j * kDepth + k];
    EXPECT(columns[j] == sum);
  }
}

static void testFloats8() {
  const auto a = numbers<__nv_fp8_e4m3>(kRows * kDepth, 1);
  const auto b = numbers<__nv_fp8_e4m3>(kDepth * kColumns, 2);
  // The factors of 8 bits lie as Hopper's units want them: by depth.
  std::vector<__nv_fp8_e4m3> turned;
  for (int i = 0; i < kRows; ++i)
    for (int k = 0; k < kDepth; ++k) turned.push_back(a[k * kRows + i]);
  __nv_fp8_e4m3 *onA = toDevice(turned), *onB = toDevice(b);
  auto* const onD = newOnDevice<__nv_fp8_e4m3>(kRows * kColumns);
  float* const scales = toDevice(std::vector<float>{0.5f, 4, 0.25f, 0});
  Product product(CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUBLAS_OP_T);
  product.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scales);
  product.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scales + 1);
  product.set(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scales + 2);
  product.set(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, scales + 3);
  product.set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, int8_t(1));
  BLAS(product.compute(onA, onB, onD));
  expectEach("8 bits", onD, [&](int i, int j) { return productOf(a, b, i, j) / 2; });
  float largest = 0;
  for (int j = 0; j < kColumns; ++j)
    for (int i = 0; i < kRows; ++i)
      largest = std::fmax(largest, 2 * std::fabs(productOf(a, b, i, j)));
  EXPECT(toHost(scales + 3, 1)[0] == largest);
  // The vector beside a result of 32 bits is of bf16, unless the program says otherwise.
  const auto bias = numbers<__nv_bfloat16>(kRows, 4);
  __nv_bfloat16* const onBias = toDevice(bias);
  float* const onSum = newOnDevice<float>(kRows * kColumns);
  Product sum(CUDA_R_8F_E4M3, CUDA_R_32F, CUBLAS_OP_T);
  sum.set(CUBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(CUBLASLT_EPILOGUE_BIAS));
  sum.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, onBias);
  BLAS(sum.compute(onA, onB, onSum));
  expectEach("8 bits and bias", onSum,
             [&](int i, int j) { return productOf(a, b, i, j) + float(bias[i]); });
}

static void testBatches(const Floats& f) {
  float* const onD = newOnDevice<float>(2 * kRows * kColumns);
  Product product(CUDA_R_32F, CUDA_R_32F);
  const int32_t two = 2;
  const int64_t apart = kRows * kColumns;
  for (const auto each : {product.a, product.b, product.c, product.d})
    BLAS(cublasLtMatrixLayoutSetAttribute(each, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &two, 4));
  for (const auto each : {product.c, product.d})
    BLAS(cublasLtMatrixLayoutSetAttribute(each, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &apart,
                                          8));
  BLAS(product.compute(f.onA, f.onB, onD));
  for (int number = 0; number < 2; ++number)
    expectEach("batch", onD + number * apart, [&](int i, int j) { return f.at(i, j); });
}

static void testAttributesAndRefusals(const Floats& f) {
  Product product(CUDA_R_32F, CUDA_R_32F);
  size_t bytes = 0;
  uint64_t rows = 0;
  BLAS(
      cublasLtMatrixLayoutGetAttribute(product.a, CUBLASLT_MATRIX_LAYOUT_ROWS, nullptr, 0, &bytes));
  EXPECT(bytes == 8);
  BLAS(cublasLtMatrixLayoutGetAttribute(product.a, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, 8, nullptr));
  EXPECT(rows == kRows);
  GIVES(cublasLtMatrixLayoutSetAttribute(product.a, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, 4),
        CUBLAS_STATUS_INVALID_VALUE);
  const auto with = [&](uint32_t epilogue) {
    product.set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    return product.compute(f.onA, f.onB, f.onD);
  };
  GIVES(with(CUBLASLT_EPILOGUE_RELU_AUX), CUBLAS_STATUS_NOT_SUPPORTED);
  GIVES(with(CUBLASLT_EPILOGUE_BIAS), CUBLAS_STATUS_INVALID_VALUE);  // without a vector
  product.set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, int32_t(CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0));
  GIVES(with(CUBLASLT_EPILOGUE_DEFAULT), CUBLAS_STATUS_NOT_SUPPORTED);
  Product other(CUDA_R_32F, CUDA_R_32F, CUBLAS_OP_T);
  other.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_N);
  GIVES(other.compute(f.onA, f.onB, f.onD), CUBLAS_STATUS_INVALID_VALUE);
}

int main() {
  BLAS(cublasLtCreate(&handle));
  const Floats f;
  testOrders(f);
  testWhatFollows(f);
  testFloats8();
  testBatches(f);
  testAttributesAndRefusals(f);
  BLAS(cublasLtDestroy(handle));
  GIVES(cublasLtDestroy(handle), CUBLAS_STATUS_NOT_INITIALIZED);
  std::puts("PASS");
}
