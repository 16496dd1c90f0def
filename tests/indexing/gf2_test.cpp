// GF(2) matrices against their definitions, on seeded random matrices.
#include <fermata/models/indexing/gf2.h>
#include <fermata/models/indexing/lane_kernels.h>

#include "tests/indexing/support.h"

namespace fermata::indexing {
namespace {

using gf2::Matrix;

Matrix randomMatrix(std::mt19937& random, unsigned rows, unsigned columns) {
  Matrix matrix{columns, {}};
  for (unsigned i = 0; i < rows; ++i) {
    matrix.rows.push_back(static_cast<std::uint32_t>(random()) & gf2::columnMask(columns));
  }
  return matrix;
}

/// Returns log2 of the number of different images of all vectors.
unsigned naiveRank(const Matrix& matrix) {
  std::set<std::uint32_t> images;
  for (std::uint32_t x = 0; x <= gf2::columnMask(matrix.columns); ++x) {
    images.insert(test::bankOf(matrix.rows, x));
  }
  unsigned log = 0;
  while (std::size_t{1} << log < images.size()) ++log;
  return log;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gf2_matrices)

BOOST_AUTO_TEST_CASE(product_with_a_vector_is_the_parity_of_each_row) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 400; ++round) {
    const Matrix matrix = randomMatrix(random, round % 33, 1 + round % 32);
    const LinearMap map(matrix);
    for (unsigned i = 0; i < 50; ++i) {
      const std::uint32_t x =
          static_cast<std::uint32_t>(random()) & gf2::columnMask(matrix.columns);
      BOOST_REQUIRE_EQUAL(gf2::multiply(matrix, x), test::bankOf(matrix.rows, x));
      BOOST_REQUIRE_EQUAL(map.apply(x), test::bankOf(matrix.rows, x));
    }
  }
}

BOOST_AUTO_TEST_CASE(rank_and_null_space_count_the_images) {
  std::mt19937 random(2);
  for (unsigned round = 0; round < 300; ++round) {
    Matrix matrix = randomMatrix(random, 1 + round % 7, 1 + round % 10);
    if (round % 3 == 0) matrix.rows.push_back(matrix.rows.front());
    const unsigned rank = gf2::rank(matrix);
    BOOST_REQUIRE_EQUAL(rank, naiveRank(matrix));
    const std::vector<std::uint32_t> basis = gf2::nullSpace(matrix);
    BOOST_REQUIRE_EQUAL(basis.size(), matrix.columns - rank);
    for (const std::uint32_t vector : basis) {
      BOOST_REQUIRE_NE(vector, 0U);
      BOOST_REQUIRE_EQUAL(test::bankOf(matrix.rows, vector), 0U);
    }
    BOOST_REQUIRE_EQUAL(gf2::rank(Matrix{matrix.columns, basis}), basis.size());
    BOOST_REQUIRE_EQUAL(gf2::firstDependentRow(matrix).has_value(), rank < matrix.rows.size());
  }
}

BOOST_AUTO_TEST_CASE(first_dependent_row_is_the_first) {
  BOOST_TEST(gf2::firstDependentRow({4, {1, 2, 3, 8, 8}}).value() == 2U);
  BOOST_TEST(gf2::firstDependentRow({4, {0, 1}}).value() == 0U);
  BOOST_TEST(!gf2::firstDependentRow({4, {1, 3, 7, 15}}).has_value());
}

BOOST_AUTO_TEST_CASE(inverse_times_matrix_is_the_identity) {
  std::mt19937 random(3);
  unsigned found = 0;
  for (unsigned round = 0; round < 400; ++round) {
    const unsigned size = round % 33;
    const Matrix matrix = randomMatrix(random, size, size);
    const auto inverse = gf2::inverse(matrix);
    BOOST_REQUIRE_EQUAL(inverse.has_value(), gf2::rank(matrix) == size);
    if (!inverse) continue;
    ++found;
    BOOST_REQUIRE(gf2::multiply(*inverse, matrix).rows == gf2::identity(size).rows);
    BOOST_REQUIRE(gf2::multiply(matrix, *inverse).rows == gf2::identity(size).rows);
  }
  BOOST_TEST(found > 60U);
  BOOST_TEST(!gf2::inverse({3, {1, 2}}).has_value());
}

BOOST_AUTO_TEST_CASE(echelon_prefers_low_columns_and_is_reduced) {
  const gf2::Echelon form = gf2::echelon({6, {0b110100, 0b010100, 0b100000}});
  BOOST_TEST(form.pivotMask == 0b100100U);
  BOOST_REQUIRE_EQUAL(form.rows.size(), 2U);
  BOOST_TEST(form.rows[0] == 0b010100U);
  BOOST_TEST(form.rows[1] == 0b100000U);
}

BOOST_AUTO_TEST_CASE(sizes_that_do_not_fit_are_refused) {
  BOOST_CHECK_THROW(gf2::multiply(Matrix{3, {1}}, Matrix{3, {1, 2}}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::indexing
