// cuBLASLt's product of matrices and what follows it.
#include <fermata/platforms/cudart/api_blas_lt.h>

#include <algorithm>
#include <cmath>

using namespace fermata::cudart;

namespace {

using Numbers = std::vector<double>;

/// Parts of an epilogue, which are bits of its number.
enum Part : std::uint32_t {
  kNothing = 1,
  kRelu = 2,
  kBias = 4,
  kBiasGradient = 16,
  kGelu = 32,
  kGeluGradient = 64,
  kAux = 128,
  kGradientOfA = 256,
  kGradientOfB = 512,
};
constexpr std::uint32_t kKnown[] = {kNothing,
                                    kRelu,
                                    kBias,
                                    kRelu | kBias,
                                    kGelu,
                                    kGelu | kBias,
                                    kGelu | kAux,
                                    kGradientOfA,
                                    kGradientOfB,
                                    kGelu | kAux | kBias,
                                    kGeluGradient | kAux,
                                    kGeluGradient | kAux | kBiasGradient};

std::size_t rowsOf(const LtLayout& layout, std::int32_t operation) {
  return isTransposed(static_cast<cublasOperation_t>(operation)) ? layout.columns : layout.rows;
}
std::size_t columnsOf(const LtLayout& layout, std::int32_t operation) {
  return isTransposed(static_cast<cublasOperation_t>(operation)) ? layout.rows : layout.columns;
}
cudaDataType typeOf(const LtLayout& layout) { return static_cast<cudaDataType>(layout.type); }

void checkLayout(const LtLayout& layout) {
  requireBlas(blasSize(typeOf(layout)) != 0,
              "a type of numbers that products do not have here; expected 8I, 8F_E4M3, 8F_E5M2, "
              "16F, 16BF, 32F, 32I or 64F",
              CUBLAS_STATUS_NOT_SUPPORTED);
  const bool byRows = layout.order == CUBLASLT_ORDER_ROW;
  requireBlas(byRows || layout.order == CUBLASLT_ORDER_COL,
              "an order of numbers that is not known here; expected COL or ROW",
              CUBLAS_STATUS_NOT_SUPPORTED);
  const std::uint64_t least = std::max<std::uint64_t>(1, byRows ? layout.columns : layout.rows);
  requireBlas(layout.lead >= 0 && static_cast<std::uint64_t>(layout.lead) >= least,
              "a leading dimension that is too small");
  requireBlas(layout.count >= 0, "a negative number of matrices");
}

/// A matrix of a batch as it lies by columns: one by rows has rows and columns exchanged.
BlasMatrix storedOf(const LtLayout& layout, const void* at, int number) {
  const bool byRows = layout.order == CUBLASLT_ORDER_ROW;
  const auto size = static_cast<std::int64_t>(blasSize(typeOf(layout)));
  return {static_cast<const char*>(at) + layout.stride * number * size, typeOf(layout),
          byRows ? layout.columns : layout.rows, byRows ? layout.rows : layout.columns,
          static_cast<std::size_t>(layout.lead)};
}

/// Returns a matrix with the operation done on it, column after column.
Numbers readOperand(Session& session, const LtLayout& layout, const void* at, int number,
                    std::int32_t operation) {
  const BlasMatrix stored = storedOf(layout, at, number);
  Numbers numbers = readMatrix(session, stored);
  const bool exchange = isTransposed(static_cast<cublasOperation_t>(operation)) !=
                        (layout.order == CUBLASLT_ORDER_ROW);
  return exchange ? transposed(numbers, stored.rows, stored.columns) : numbers;
}
void writeResult(Session& session, const LtLayout& layout, void* at, int number,
                 const Numbers& numbers) {
  const BlasMatrix stored = storedOf(layout, at, number);
  writeMatrix(session, stored,
              layout.order == CUBLASLT_ORDER_ROW ? transposed(numbers, stored.columns, stored.rows)
                                                 : numbers);
}

/// A call: what it is about, and where its numbers are.
struct Call {
  Session& session;
  const LtProduct& product;
  const LtLayout &a, &b, &c, &d;
  double alpha, beta;
  const void *atA, *atB, *atC;
  void* atD;

  bool has(std::uint32_t part) const { return (product.epilogue & part) != 0; }
  std::size_t rows() const { return d.rows; }
  std::size_t columns() const { return d.columns; }
  cudaDataType auxType() const {
    return product.auxType < 0 ? typeOf(d) : static_cast<cudaDataType>(product.auxType);
  }
  /// Without a word of the program the result's type, but where products have none such
  /// (cuBLAS's documentation, cublasLtMatmul, the tables of types).
  cudaDataType biasType() const {
    if (product.biasType >= 0) return static_cast<cudaDataType>(product.biasType);
    if (isFloat8(typeOf(a)) && (typeOf(d) == CUDA_R_32F || isFloat8(typeOf(d))))
      return typeOf(c) == CUDA_R_16F ? CUDA_R_16F : CUDA_R_16BF;
    const bool ofIntegers = product.compute == CUBLAS_COMPUTE_32I && typeOf(c) == CUDA_R_8I;
    return ofIntegers ? static_cast<cudaDataType>(product.scale) : typeOf(d);
  }
  /// The scale of a matrix, which lies on the device.
  double scale(int operand) const {
    const void* const at = product.scales[operand];
    return at == nullptr ? 1 : readMatrix(session, {at, CUDA_R_32F, 1, 1, 1})[0];
  }
};

/// A number for each row or column, beside matrix `number`.
BlasMatrix vectorOf(const Call& call, int number, std::size_t count) {
  const cudaDataType type = call.biasType();
  const auto size = static_cast<std::int64_t>(blasSize(type));
  return {static_cast<const char*>(call.product.bias) + call.product.biasStride * number * size,
          type, count, 1, count};
}
/// The inputs of GELU, beside matrix `number`.
BlasMatrix auxOf(const Call& call, int number) {
  const cudaDataType type = call.auxType();
  const auto size = static_cast<std::int64_t>(blasSize(type));
  return {static_cast<const char*>(call.product.aux) + call.product.auxStride * number * size, type,
          call.rows(), call.columns(), static_cast<std::size_t>(call.product.auxLead)};
}

/// GELU by the tangent, and its derivative (cuBLAS's documentation, cublasLtEpilogue_t).
constexpr double kRoot = 0.7978845608028654;  ///< of 2 / pi
constexpr double kCube = 0.044715;
double gelu(double x) { return x / 2 * (1 + std::tanh(kRoot * (x + kCube * x * x * x))); }
double geluGradient(double x) {
  const double tangent = std::tanh(kRoot * (x + kCube * x * x * x));
  return (1 + tangent) / 2 + x / 2 * (1 - tangent * tangent) * kRoot * (1 + 3 * kCube * x * x);
}

/// Sums each row of a matrix.
Numbers sumsOfRows(const Numbers& matrix, std::size_t rows) {
  Numbers sums(rows);
  for (std::size_t i = 0; i < matrix.size(); ++i) sums[i % rows] += matrix[i];
  return sums;
}
Numbers sumsOfColumns(const Numbers& matrix, std::size_t rows) {
  Numbers sums(rows == 0 ? 0 : matrix.size() / rows);
  for (std::size_t i = 0; i < matrix.size(); ++i) sums[i / rows] += matrix[i];
  return sums;
}

/// Does what follows a product to matrix `number`.
void follow(const Call& call, int number, Numbers& result) {
  if (call.has(kBias)) {
    const Numbers bias = readMatrix(call.session, vectorOf(call, number, call.rows()));
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += bias[i % call.rows()];
  }
  if (call.has(kGelu) && call.has(kAux)) writeMatrix(call.session, auxOf(call, number), result);
  if (call.has(kRelu))
    for (double& x : result) x = std::fmax(x, 0);
  if (call.has(kGelu)) std::transform(result.begin(), result.end(), result.begin(), gelu);
  if (call.has(kGeluGradient)) {
    const Numbers inputs = readMatrix(call.session, auxOf(call, number));
    for (std::size_t i = 0; i < result.size(); ++i) result[i] *= geluGradient(inputs[i]);
  }
  if (call.has(kBiasGradient))
    writeMatrix(call.session, vectorOf(call, number, call.rows()), sumsOfRows(result, call.rows()));
}

void putLargest(const Call& call, const Numbers& result) {
  double largest = 0;
  for (const double x : result) largest = std::fmax(largest, std::fabs(x));
  writeMatrix(call.session, {call.product.largest, CUDA_R_32F, 1, 1, 1}, {largest});
}

void multiply(const Call& call, int number) {
  const LtProduct& product = call.product;
  const Numbers a = readOperand(call.session, call.a, call.atA, number, product.ofA);
  const Numbers b = readOperand(call.session, call.b, call.atB, number, product.ofB);
  const std::size_t depth = columnsOf(call.a, product.ofA);
  Numbers result =
      productOf(a, b, call.rows(), call.columns(), depth,
                sumsOf(static_cast<cublasComputeType_t>(product.compute), typeOf(call.a)));
  const double alpha = call.alpha * call.scale(0) * call.scale(1);
  for (double& x : result) x *= alpha;
  if (call.beta != 0) {
    const Numbers old = readOperand(call.session, call.c, call.atC, number, CUBLAS_OP_N);
    const double beta = call.beta * call.scale(2);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += beta * old[i];
  }
  follow(call, number, result);
  if (call.has(kGradientOfA))
    writeMatrix(call.session, vectorOf(call, number, call.rows()), sumsOfRows(a, call.rows()));
  if (call.has(kGradientOfB))
    writeMatrix(call.session, vectorOf(call, number, call.columns()), sumsOfColumns(b, depth));
  if (product.largest != nullptr) putLargest(call, result);
  if (const double scale = call.scale(3); scale != 1)
    for (double& x : result) x *= scale;
  writeResult(call.session, call.d, call.atD, number, result);
}

}  // namespace

void fermata::cudart::checkProduct(const LtProduct& product, const LtLayout& a, const LtLayout& b,
                                   const LtLayout& c, const LtLayout& d) {
  (void)scaleTypeOf(static_cast<cublasComputeType_t>(product.compute));
  requireBlas(blasSize(static_cast<cudaDataType>(product.scale)) != 0, "no type of scales");
  for (const LtLayout* one : {&a, &b, &c, &d}) checkLayout(*one);
  requireBlas(product.pointers == CUBLASLT_POINTER_MODE_HOST ||
                  product.pointers == CUBLASLT_POINTER_MODE_DEVICE,
              "scales by rows; expected one on the host or on the device",
              CUBLAS_STATUS_NOT_SUPPORTED);
  requireBlas(std::find(std::begin(kKnown), std::end(kKnown), product.epilogue) != std::end(kKnown),
              "an epilogue that is not known here; expected one without a mask of RELU",
              CUBLAS_STATUS_NOT_SUPPORTED);
  for (const std::int32_t mode : product.scaleModes)
    requireBlas(mode == CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F,
                "scales of blocks; expected one for the matrix", CUBLAS_STATUS_NOT_SUPPORTED);
  requireBlas(product.fill == CUBLAS_FILL_MODE_FULL && product.ofC == CUBLAS_OP_N,
              "a triangle, or a c with rows and columns exchanged", CUBLAS_STATUS_NOT_SUPPORTED);
  requireBlas(rowsOf(a, product.ofA) == d.rows && columnsOf(b, product.ofB) == d.columns &&
                  columnsOf(a, product.ofA) == rowsOf(b, product.ofB) && c.rows == d.rows &&
                  c.columns == d.columns,
              "sizes of matrices that do not fit each other");
  requireBlas(a.count == d.count && b.count == d.count && c.count == d.count,
              "batches of different numbers of matrices");
  const bool usesVector =
      (product.epilogue & (kBias | kBiasGradient | kGradientOfA | kGradientOfB)) != 0;
  requireBlas(product.bias != nullptr || !usesVector, "an epilogue without its vector");
  requireBlas((product.epilogue & kAux) == 0 ||
                  (product.aux != nullptr && product.auxLead >= static_cast<std::int64_t>(d.rows)),
              "an epilogue without its matrix");
}

extern "C" cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                         const void* alpha, const void* a,
                                         cublasLtMatrixLayout_t ofA, const void* b,
                                         cublasLtMatrixLayout_t ofB, const void* beta,
                                         const void* c, cublasLtMatrixLayout_t ofC, void* d,
                                         cublasLtMatrixLayout_t ofD, const cublasLtMatmulAlgo_t*,
                                         void*, size_t, cudaStream_t stream) {
  return blas("cublasLtMatmul", [&] {
    requireLtHandle(handle);
    const auto& held = heldBy<LtProduct>(product);
    const auto &layoutA = heldBy<LtLayout>(ofA), &layoutB = heldBy<LtLayout>(ofB),
               &layoutC = heldBy<LtLayout>(ofC), &layoutD = heldBy<LtLayout>(ofD);
    checkProduct(held, layoutA, layoutB, layoutC, layoutD);
    cublasContext context;
    context.stream = stream;
    context.pointers = static_cast<cublasPointerMode_t>(held.pointers);
    const auto scaleType = static_cast<cudaDataType>(held.scale);
    Session& session = sessionOf(context);
    const Call call{session,
                    held,
                    layoutA,
                    layoutB,
                    layoutC,
                    layoutD,
                    scaleOf(context, scaleType, alpha),
                    scaleOf(context, scaleType, beta),
                    a,
                    b,
                    c,
                    d};
    if (layoutD.rows == 0 || layoutD.columns == 0) return;
    for (int number = 0; number < layoutD.count; ++number) multiply(call, number);
  });
}
