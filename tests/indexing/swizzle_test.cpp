// CuTe's swizzles and TMA's modes, against their definition on byte addresses.
#include "tests/indexing/support.h"

namespace fermata::indexing {
namespace {

std::uint32_t swizzled(std::uint32_t byte, unsigned b, unsigned m, unsigned s) {
  return byte ^ ((byte >> s) & (((1U << b) - 1) << m));
}

std::string text(unsigned b, unsigned m, unsigned s) {
  return "swizzle b=" + std::to_string(b) + " m=" + std::to_string(m) + " s=" + std::to_string(s);
}

/// Returns the banks of the words that a 16-byte access touches.
std::set<std::uint32_t> banksOf(const Indexer& indexer, std::uint32_t byte) {
  std::set<std::uint32_t> banks;
  for (std::uint32_t word = byte / 4; word < byte / 4 + 4; ++word)
    banks.insert(indexer.location(word).bank);
  return banks;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(swizzles)

BOOST_AUTO_TEST_CASE(every_swizzle_of_byte_addresses) {
  for (const Shape shape :
       {Shape{32, 12288, 4}, Shape{32, 6144, 8}, Shape{64, 16384, 4}, Shape{16, 500, 4}}) {
    const unsigned least = shape.wordBytes == 8 ? 3 : 2;
    for (unsigned b = 0; b <= 5; ++b) {
      for (unsigned m = least; m <= 9; ++m) {
        for (unsigned s = b; s <= 11; ++s) {
          const auto indexer = build(text(b, m, s), shape);
          BOOST_TEST_REQUIRE(indexer->text() == text(b, m, s));
          test::checkInjective(*indexer);
          for (std::uint32_t word = 0; word < shape.words; ++word) {
            const std::uint32_t bank =
                swizzled(word * shape.wordBytes, b, m, s) / shape.wordBytes % shape.banks;
            BOOST_TEST_REQUIRE(indexer->location(word).bank == bank);
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(modes_of_tma) {
  for (unsigned b = 1; b <= 3; ++b) {
    const std::uint32_t row = 16U << b;  // bytes
    const auto indexer = build("tma " + std::to_string(row), {32, 12288});
    BOOST_TEST(indexer->text() == "tma " + std::to_string(row));
    const auto same = build(text(b, 4, 3), {32, 12288});
    for (std::uint32_t word = 0; word < 12288; ++word)
      BOOST_TEST_REQUIRE(indexer->location(word).bank == same->location(word).bank);
    // ldmatrix reads 8 rows of a column of 16-byte chunks at once: no two of them share a bank.
    for (std::uint32_t chunk = 0; chunk < row; chunk += 16) {
      std::set<std::uint32_t> banks;
      for (std::uint32_t k = 0; k < 8; ++k) banks.merge(banksOf(*indexer, k * row + chunk));
      BOOST_TEST(banks.size() == 32U);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::indexing
