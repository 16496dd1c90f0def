// cuBLAS's vectors, and products of a matrix with vectors.
#include <fermata/platforms/cudart/api_blas.h>
#include <fermata/platforms/cudart/blas_product.h>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace fermata::cudart;

namespace {

/// A vector in the device's memory. A negative step begins at the end, as in BLAS.
struct Strided {
  const void* at = nullptr;
  int n = 0, step = 1;
  cudaDataType type = CUDA_R_32F;
};

BlasMatrix columnOf(const Strided& vector) {
  requireBlas(vector.n >= 0, "a negative size");
  requireBlas(vector.step != 0, "a step of zero");
  return {vector.at, vector.type, 1, static_cast<std::size_t>(vector.n),
          static_cast<std::size_t>(std::abs(vector.step))};
}
std::vector<double> readVector(Session& session, const Strided& vector) {
  std::vector<double> numbers = readMatrix(session, columnOf(vector));
  if (vector.step < 0) std::reverse(numbers.begin(), numbers.end());
  return numbers;
}
void writeVector(Session& session, const Strided& vector, std::vector<double> numbers) {
  if (vector.step < 0) std::reverse(numbers.begin(), numbers.end());
  writeMatrix(session, columnOf(vector), numbers);
}

/// Returns the place of the extreme magnitude, counted from 1; 0 for no numbers.
template <class Better>
int extremeOf(const std::vector<double>& numbers, Better better) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (better(std::fabs(numbers[i]), std::fabs(numbers[best]))) best = i;
  return numbers.empty() ? 0 : static_cast<int>(best) + 1;
}

double dotOf(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}
double sumOfMagnitudes(const std::vector<double>& x) {
  double sum = 0;
  for (const double number : x) sum += std::fabs(number);
  return sum;
}

BlasMatrix matrixOf(const void* at, cudaDataType type, int rows, int columns, int lead) {
  requireBlas(rows >= 0 && columns >= 0, "a negative size");
  requireBlas(lead >= std::max(1, rows),
              "a leading dimension that is smaller than the number of rows");
  return {at, type, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
          static_cast<std::size_t>(lead)};
}
/// Returns a matrix of `rows` rows, transposed if the operation says so.
std::vector<double> operandIn(Session& session, cublasOperation_t of, const void* at,
                              cudaDataType type, int rows, int columns, int lead) {
  if (!isTransposed(of)) return readMatrix(session, matrixOf(at, type, rows, columns, lead));
  const BlasMatrix stored = matrixOf(at, type, columns, rows, lead);
  return transposed(readMatrix(session, stored), stored.rows, stored.columns);
}

/// Returns alpha * x + beta * y; a scale of zero leaves its vector out.
std::vector<double> combined(double alpha, const std::vector<double>& x, double beta,
                             const std::vector<double>& y) {
  std::vector<double> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    result[i] = (alpha != 0 ? alpha * x[i] : 0) + (beta != 0 ? beta * y[i] : 0);
  return result;
}

template <class T>
cublasStatus_t reduce(const char* name, cublasHandle_t handle, const Strided& x, T* result,
                      const std::function<double(Session&, const std::vector<double>&)>& of) {
  return blas(name, handle, [&](cublasContext& context) {
    Session& session = sessionOf(context);
    const T value = static_cast<T>(of(session, readVector(session, x)));
    putResult(context, result, &value, sizeof(value));
  });
}

}  // namespace

extern "C" {

#define FERMATA_BLAS_VECTORS(P, p, T, type)                                                      \
  cublasStatus_t cublas##P##copy_v2(cublasHandle_t handle, int n, const T* x, int xStep, T* y,   \
                                    int yStep) {                                                 \
    return blas("cublas" #P "copy", handle, [&](cublasContext& context) {                        \
      Session& session = sessionOf(context);                                                     \
      writeVector(session, {y, n, yStep, type}, readVector(session, {x, n, xStep, type}));       \
    });                                                                                          \
  }                                                                                              \
  cublasStatus_t cublas##P##swap_v2(cublasHandle_t handle, int n, T* x, int xStep, T* y,         \
                                    int yStep) {                                                 \
    return blas("cublas" #P "swap", handle, [&](cublasContext& context) {                        \
      Session& session = sessionOf(context);                                                     \
      const auto first = readVector(session, {x, n, xStep, type});                               \
      writeVector(session, {x, n, xStep, type}, readVector(session, {y, n, yStep, type}));       \
      writeVector(session, {y, n, yStep, type}, first);                                          \
    });                                                                                          \
  }                                                                                              \
  cublasStatus_t cublas##P##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x,          \
                                    int xStep) {                                                 \
    return blas("cublas" #P "scal", handle, [&](cublasContext& context) {                        \
      Session& session = sessionOf(context);                                                     \
      const double scale = scaleOf(context, type, alpha);                                        \
      auto numbers = readVector(session, {x, n, xStep, type});                                   \
      for (double& number : numbers) number *= scale;                                            \
      writeVector(session, {x, n, xStep, type}, numbers);                                        \
    });                                                                                          \
  }                                                                                              \
  cublasStatus_t cublas##P##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x,    \
                                    int xStep, T* y, int yStep) {                                \
    return blas("cublas" #P "axpy", handle, [&](cublasContext& context) {                        \
      Session& session = sessionOf(context);                                                     \
      const auto sums =                                                                          \
          combined(scaleOf(context, type, alpha), readVector(session, {x, n, xStep, type}), 1,   \
                   readVector(session, {y, n, yStep, type}));                                    \
      writeVector(session, {y, n, yStep, type}, sums);                                           \
    });                                                                                          \
  }                                                                                              \
  cublasStatus_t cublas##P##dot_v2(cublasHandle_t handle, int n, const T* x, int xStep,          \
                                   const T* y, int yStep, T* result) {                           \
    return reduce("cublas" #P "dot", handle, {x, n, xStep, type}, result,                        \
                  [&](Session& session, const std::vector<double>& numbers) {                    \
                    return dotOf(numbers, readVector(session, {y, n, yStep, type}));             \
                  });                                                                            \
  }                                                                                              \
  cublasStatus_t cublas##P##nrm2_v2(cublasHandle_t handle, int n, const T* x, int xStep,         \
                                    T* result) {                                                 \
    return reduce("cublas" #P "nrm2", handle, {x, n, xStep, type}, result,                       \
                  [](Session&, const std::vector<double>& numbers) {                             \
                    return std::sqrt(dotOf(numbers, numbers));                                   \
                  });                                                                            \
  }                                                                                              \
  cublasStatus_t cublas##P##asum_v2(cublasHandle_t handle, int n, const T* x, int xStep,         \
                                    T* result) {                                                 \
    return reduce(                                                                               \
        "cublas" #P "asum", handle, {x, n, xStep, type}, result,                                 \
        [](Session&, const std::vector<double>& numbers) { return sumOfMagnitudes(numbers); });  \
  }                                                                                              \
  cublasStatus_t cublasI##p##amax_v2(cublasHandle_t handle, int n, const T* x, int xStep,        \
                                     int* result) {                                              \
    return reduce("cublasI" #p "amax", handle, {x, n, xStep, type}, result,                      \
                  [](Session&, const std::vector<double>& numbers) {                             \
                    return extremeOf(numbers, std::greater<>());                                 \
                  });                                                                            \
  }                                                                                              \
  cublasStatus_t cublasI##p##amin_v2(cublasHandle_t handle, int n, const T* x, int xStep,        \
                                     int* result) {                                              \
    return reduce("cublasI" #p "amin", handle, {x, n, xStep, type}, result,                      \
                  [](Session&, const std::vector<double>& numbers) {                             \
                    return extremeOf(numbers, std::less<>());                                    \
                  });                                                                            \
  }                                                                                              \
  cublasStatus_t cublas##P##gemv_v2(cublasHandle_t handle, cublasOperation_t of, int rows,       \
                                    int columns, const T* alpha, const T* a, int aLead,          \
                                    const T* x, int xStep, const T* beta, T* y, int yStep) {     \
    return blas("cublas" #P "gemv", handle, [&](cublasContext& context) {                        \
      Session& session = sessionOf(context);                                                     \
      const int taken = isTransposed(of) ? rows : columns;                                       \
      const int made = isTransposed(of) ? columns : rows;                                        \
      const auto matrix = operandIn(session, of, a, type, made, taken, aLead);                   \
      const auto product =                                                                       \
          productOf(matrix, readVector(session, {x, taken, xStep, type}),                        \
                    static_cast<std::size_t>(made), 1, static_cast<std::size_t>(taken));         \
      const Strided to{y, made, yStep, type};                                                    \
      const double scale = scaleOf(context, type, beta);                                         \
      const auto old = scale != 0 ? readVector(session, to) : std::vector<double>{};             \
      writeVector(session, to, combined(scaleOf(context, type, alpha), product, scale, old));    \
    });                                                                                          \
  }                                                                                              \
  cublasStatus_t cublas##P##ger_v2(cublasHandle_t handle, int rows, int columns, const T* alpha, \
                                   const T* x, int xStep, const T* y, int yStep, T* a,           \
                                   int aLead) {                                                  \
    return blas("cublas" #P "ger", handle, [&](cublasContext& context) {                         \
      Session& session = sessionOf(context);                                                     \
      const BlasMatrix to = matrixOf(a, type, rows, columns, aLead);                             \
      const auto product =                                                                       \
          productOf(readVector(session, {x, rows, xStep, type}),                                 \
                    readVector(session, {y, columns, yStep, type}), to.rows, to.columns, 1);     \
      writeMatrix(session, to,                                                                   \
                  combined(scaleOf(context, type, alpha), product, 1, readMatrix(session, to))); \
    });                                                                                          \
  }                                                                                              \
  cublasStatus_t cublas##P##geam(cublasHandle_t handle, cublasOperation_t ofA,                   \
                                 cublasOperation_t ofB, int rows, int columns, const T* alpha,   \
                                 const T* a, int aLead, const T* beta, const T* b, int bLead,    \
                                 T* c, int cLead) {                                              \
    return blas("cublas" #P "geam", handle, [&](cublasContext& context) {                        \
      Session& session = sessionOf(context);                                                     \
      const double ofFirst = scaleOf(context, type, alpha);                                      \
      const double ofSecond = scaleOf(context, type, beta);                                      \
      const BlasMatrix to = matrixOf(c, type, rows, columns, cLead);                             \
      std::vector<double> first(to.rows*to.columns), second(to.rows*to.columns);                 \
      if (ofFirst != 0) first = operandIn(session, ofA, a, type, rows, columns, aLead);          \
      if (ofSecond != 0) second = operandIn(session, ofB, b, type, rows, columns, bLead);        \
      writeMatrix(session, to, combined(ofFirst, first, ofSecond, second));                      \
    });                                                                                          \
  }
FERMATA_BLAS_VECTORS(S, s, float, CUDA_R_32F)
FERMATA_BLAS_VECTORS(D, d, double, CUDA_R_64F)
#undef FERMATA_BLAS_VECTORS

}  // extern "C"
