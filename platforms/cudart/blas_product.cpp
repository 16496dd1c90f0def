#include <fermata/platforms/cudart/blas_product.h>

#include <fermata/models/vocabulary/vector_clones.h>
#include <fermata/stimuli/ptx/half.h>

#include <algorithm>

namespace fermata::cudart {

namespace {

/// Rows and columns of a panel of `a`: 256 KiB stay in the host's L2. The columns are a multiple of
/// all steps.
constexpr std::size_t kRows = 256, kDepth = 128;
constexpr std::size_t kColumns = 4;  ///< columns of the result that a pass computes

/// Adds the product of `rows` values of `a` and four factors to four columns of the result.
FERMATA_VECTOR_CLONES
void addColumns(const double* __restrict a, const double* __restrict factors, std::size_t rows,
                double* __restrict c0, double* __restrict c1, double* __restrict c2,
                double* __restrict c3) {
  const double f0 = factors[0], f1 = factors[1], f2 = factors[2], f3 = factors[3];
  for (std::size_t i = 0; i < rows; ++i) {
    c0[i] += a[i] * f0;
    c1[i] += a[i] * f1;
    c2[i] += a[i] * f2;
    c3[i] += a[i] * f3;
  }
}

/// Adds one product to each sum, which is then rounded to a float.
FERMATA_VECTOR_CLONES
void addRounded(const double* __restrict a, const double* __restrict factors, std::size_t rows,
                double* __restrict c0, double* __restrict c1, double* __restrict c2,
                double* __restrict c3) {
  const double f0 = factors[0], f1 = factors[1], f2 = factors[2], f3 = factors[3];
  for (std::size_t i = 0; i < rows; ++i) {
    c0[i] = static_cast<double>(static_cast<float>(c0[i] + a[i] * f0));
    c1[i] = static_cast<double>(static_cast<float>(c1[i] + a[i] * f1));
    c2[i] = static_cast<double>(static_cast<float>(c2[i] + a[i] * f2));
    c3[i] = static_cast<double>(static_cast<float>(c3[i] + a[i] * f3));
  }
}

FERMATA_VECTOR_CLONES
void roundToFloat(double* column, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i)
    column[i] = static_cast<double>(static_cast<float>(column[i]));
}
void roundToHalf(double* column, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i)
    column[i] = ptx::fromHalf<ptx::F16Format>(ptx::toHalf<ptx::F16Format>(column[i]));
}

/// Adds the products of a panel of `a` (`rows` * `depth`) to four columns of the result. A panel
/// begins at a multiple of ProductSums::steps.
void addPanel(const double* a, std::size_t lead, std::size_t rows, std::size_t depth,
              const double* const* b, double* const* c, ProductSums sums) {
  using Rounded = ProductSums::Rounded;
  const auto add = sums.rounded == Rounded::ToFloat && sums.steps == 1 ? addRounded : addColumns;
  for (std::size_t p = 0; p < depth; ++p) {
    const double factors[kColumns] = {b[0][p], b[1][p], b[2][p], b[3][p]};
    add(a + p * lead, factors, rows, c[0], c[1], c[2], c[3]);
    const bool ends = (p + 1) % sums.steps == 0 || p + 1 == depth;
    if (!ends || add == addRounded || sums.rounded == Rounded::Never) continue;
    for (std::size_t x = 0; x < kColumns; ++x)
      sums.rounded == Rounded::ToFloat ? roundToFloat(c[x], rows) : roundToHalf(c[x], rows);
  }
}

}  // namespace

std::vector<double> transposed(const std::vector<double>& matrix, std::size_t rows,
                               std::size_t columns) {
  std::vector<double> result(matrix.size());
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < rows; ++i) result[i * columns + j] = matrix[j * rows + i];
  return result;
}

std::vector<double> productOf(const std::vector<double>& a, const std::vector<double>& b,
                              std::size_t m, std::size_t n, std::size_t k, ProductSums sums) {
  std::vector<double> c(m * n);
  std::vector<double> unused(kColumns * kRows), zeros(kDepth);  // of columns beyond the last
  for (std::size_t p = 0; p < k; p += kDepth) {
    const std::size_t depth = std::min(kDepth, k - p);
    for (std::size_t i = 0; i < m; i += kRows) {
      const std::size_t rows = std::min(kRows, m - i);
      for (std::size_t j = 0; j < n; j += kColumns) {
        const double* columnsOfB[kColumns];
        double* columnsOfC[kColumns];
        for (std::size_t x = 0; x < kColumns; ++x) {
          columnsOfB[x] = j + x < n ? b.data() + (j + x) * k + p : zeros.data();
          columnsOfC[x] = j + x < n ? c.data() + (j + x) * m + i : unused.data() + x * kRows;
        }
        addPanel(a.data() + p * m + i, m, rows, depth, columnsOfB, columnsOfC, sums);
      }
    }
  }
  return c;
}

}  // namespace fermata::cudart
