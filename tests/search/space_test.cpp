// Table 1, with all digits where they are exact, and small spaces counted one by one.
#include <fermata/models/indexing/gf2.h>
#include <fermata/models/search/bit_vector_search.h>
#include <fermata/models/search/space.h>

#include "tests/support/test.h"

namespace fermata::search {

BOOST_AUTO_TEST_SUITE(hash_space)

BOOST_AUTO_TEST_CASE(table_1) {
  const std::vector<SpaceSize> sizes = spaceSizes(14, 5);
  BOOST_REQUIRE_EQUAL(sizes.size(), 7U);
  const char* const classes[] = {"all",        "xor-based",      "unique xor-based",
                                 "bit-vector", "bit-vector xor", "bitwise permutation",
                                 "bitwise xor"};
  for (std::size_t i = 0; i < 7; ++i) BOOST_TEST(sizes[i].hashClass == classes[i]);
  BOOST_TEST(sizes[0].exact == "");
  BOOST_TEST(std::isinf(sizes[0].count));
  // 2^81920 = 2.38e24660; the table truncates it to 2.3e24660.
  BOOST_TEST(std::floor(std::pow(10, sizes[0].log10 - 24659)) == 23);

  BOOST_TEST(sizes[1].exact == "1180591620717411303424");
  BOOST_TEST(sizes[1].count == std::ldexp(1.0, 70));
  // (2^14-1)(2^13-1)(2^12-1)(2^11-1)(2^10-1) / ((2^5-1)(2^4-1)(2^3-1)(2^2-1)(2-1)) = 1.2e14.
  BOOST_TEST(sizes[2].exact == "117843461817939");
  BOOST_TEST(sizes[3].exact == "10");
  BOOST_TEST(sizes[4].exact == "4480");
  BOOST_TEST(sizes[5].exact == "2002");
  BOOST_TEST(sizes[6].exact == "96560646");
  for (std::size_t i = 1; i < 7; ++i) {
    BOOST_TEST(sizes[i].log10 == std::log10(sizes[i].count), tt::tolerance(1e-12));
    BOOST_TEST(sizes[i].count == std::stod(sizes[i].exact), tt::tolerance(1e-15));
  }
}

BOOST_AUTO_TEST_CASE(unique_functions_are_the_spans_of_independent_rows) {
  for (unsigned n = 1; n <= 4; ++n) {
    for (unsigned m = 1; m <= n && m <= 3; ++m) {
      std::set<std::vector<std::uint32_t>> spans;
      for (std::uint32_t all = 0; all < 1U << (n * m); ++all) {
        indexing::gf2::Matrix matrix{n, {}};
        for (unsigned i = 0; i < m; ++i) matrix.rows.push_back(all >> (i * n) & ((1U << n) - 1));
        const indexing::gf2::Echelon form = indexing::gf2::echelon(matrix);
        if (form.rows.size() == m) spans.insert(form.rows);
      }
      const std::vector<SpaceSize> sizes = spaceSizes(n, m);
      BOOST_TEST(sizes[2].exact == std::to_string(spans.size()));
      BOOST_TEST(sizes[1].exact == std::to_string(1U << (n * m)));
      BOOST_TEST(sizes[4].exact == std::to_string(everyBitVectorXor(n, m).size()));
    }
  }
}

BOOST_AUTO_TEST_CASE(spaces_too_large_for_their_digits_still_have_a_size) {
  const std::vector<SpaceSize> sizes = spaceSizes(32, 16);
  BOOST_TEST(sizes[1].exact.empty());
  BOOST_TEST(sizes[1].count == std::ldexp(1.0, 512));
  BOOST_TEST(sizes[2].exact.empty());
  // N(n, m) is 2^(m(n-m)) times a factor between 1 and 3.47.
  BOOST_TEST(sizes[2].count > std::ldexp(1.0, 256));
  BOOST_TEST(sizes[2].count < std::ldexp(3.47, 256));
  BOOST_TEST(sizes[5].exact == "601080390");  // 32 over 16
  BOOST_TEST(spaceSizes(32, 32)[2].exact == "1");
  BOOST_TEST(spaceSizes(32, 1)[2].exact == "4294967295");
  BOOST_TEST(spaceSizes(3, 1)[0].exact == "256");
  BOOST_TEST(spaceSizes(7, 1)[0].count == std::ldexp(1.0, 128));
  BOOST_TEST(spaceSizes(1, 1)[6].exact == "1");
  BOOST_TEST(spaceSizes(2, 2)[6].exact == "3");
  BOOST_TEST(spaceSizes(8, 5)[1].exact == spaceSizes(10, 4)[1].exact);
}

BOOST_AUTO_TEST_CASE(impossible_sizes_are_refused) {
  BOOST_CHECK_THROW(spaceSizes(14, 0), std::invalid_argument);
  BOOST_CHECK_THROW(spaceSizes(4, 5), std::invalid_argument);
  BOOST_CHECK_THROW(spaceSizes(33, 5), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
