// The array adder against / and %, its corner case, and its width and levels against synthesised
// blocks.
#include <fermata/models/indexing/ami_arithmetic.h>

#include "tests/indexing/support.h"

namespace fermata::indexing {
namespace {

/// Returns the result of the uncorrected adder, by its description: for a non-zero multiple of M,
/// up to the low bits that bypass the adder, DIV is one lower and MOD is M higher. Zero has this
/// error only if the reciprocal has -1 digits.
AmiResult allOnes(const AmiArithmetic& ami, std::uint32_t address) {
  const std::uint32_t low = address % (1U << ami.lowBits());
  const std::uint32_t x = address >> ami.lowBits();
  const std::uint32_t m = ami.modulus();
  if (ami.isPowerOfTwo() || x % ami.odd() != 0 || (x == 0 && !ami.hasNegativeRows())) {
    return {address / m, address % m};
  }
  return {address / m - 1, m + low};
}

std::string compare(const AmiArithmetic& ami, std::uint32_t address) {
  const AmiResult exact = ami.array(address, AmiCorner::Exact);
  const AmiResult raw = ami.array(address, AmiCorner::AllOnes);
  const AmiResult expected = allOnes(ami, address);
  const AmiResult said = ami.expected(address, AmiCorner::AllOnes);
  const std::uint32_t m = ami.modulus();
  if (exact.div == address / m && exact.mod == address % m && raw.div == expected.div &&
      raw.mod == expected.mod && said.div == expected.div && said.mod == expected.mod) {
    return "";
  }
  return "modulus " + std::to_string(m) + " address " + std::to_string(address) + ": exact " +
         std::to_string(exact.div) + "," + std::to_string(exact.mod) + " all ones " +
         std::to_string(raw.div) + "," + std::to_string(raw.mod);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ami_arithmetic)

// Up to 32, 64, 96 and 128.
BOOST_DATA_TEST_CASE(array_agrees_for_moduli_from, bdata::make({2U, 33U, 65U, 97U}), first) {
  for (std::uint32_t modulus = first; modulus <= (first + 31) / 32 * 32; ++modulus) {
    const AmiArithmetic ami(modulus);
    for (std::uint32_t address = 0; address < 1U << 16; ++address) {
      const std::string difference = compare(ami, address);
      BOOST_REQUIRE_MESSAGE(difference.empty(), difference);
    }
  }
}

BOOST_AUTO_TEST_CASE(array_agrees_on_seeded_32_bit_addresses_of_every_modulus) {
  std::mt19937 random(20141201);
  for (std::uint32_t modulus = 1; modulus <= 4096; ++modulus) {
    const AmiArithmetic ami(modulus);
    const unsigned samples = ami.width() > 51 ? 6 : 60;
    std::vector<std::uint32_t> addresses = {0, modulus - 1, modulus, ~0U, ~0U / modulus * modulus};
    for (unsigned i = 0; i < samples; ++i) {
      const auto address = static_cast<std::uint32_t>(random());
      addresses.push_back(address);
      addresses.push_back(address / modulus * modulus);  // the corner case
    }
    for (const std::uint32_t address : addresses) {
      const std::string difference = compare(ami, address);
      BOOST_REQUIRE_MESSAGE(difference.empty(), difference);
    }
  }
}

/// Width, ones and levels of the blocks of 31 and 33 to 63, found by building them.
struct Shape31 {
  unsigned modulus, width, ones, levels;
};
constexpr Shape31 kBlocks[] = {
    {31, 5, 1, 1},    {33, 10, 5, 2},   {34, 8, 4, 2},    {35, 12, 5, 4},  {36, 6, 3, 2},
    {37, 36, 18, 12}, {38, 18, 9, 6},   {39, 12, 4, 4},   {40, 4, 2, 2},   {41, 20, 10, 6},
    {42, 6, 2, 2},    {43, 14, 7, 4},   {44, 10, 5, 4},   {45, 12, 5, 4},  {46, 11, 4, 4},
    {47, 23, 9, 8},   {48, 2, 1, 1},    {49, 21, 10, 7},  {50, 20, 10, 6}, {51, 8, 2, 2},
    {52, 12, 6, 4},   {53, 52, 26, 18}, {54, 18, 9, 6},   {55, 20, 8, 6},  {56, 3, 1, 1},
    {57, 18, 9, 4},   {58, 28, 14, 10}, {59, 58, 29, 20}, {60, 4, 1, 1},   {61, 60, 30, 20},
    {62, 5, 1, 1},    {63, 6, 1, 1},
};

BOOST_AUTO_TEST_CASE(width_ones_and_levels_are_those_of_the_built_blocks) {
  for (const Shape31& block : kBlocks) {
    BOOST_TEST_CONTEXT("modulus " << block.modulus) {
      const AmiArithmetic ami(block.modulus);
      BOOST_TEST(ami.width() == block.width);
      BOOST_TEST(ami.ones() == block.ones);
      BOOST_TEST(ami.levels() == block.levels);
      const Cost cost = build("ami " + std::to_string(block.modulus), {32, 12288})->cost();
      BOOST_TEST(cost.width == static_cast<int>(block.width));
      BOOST_TEST(cost.levels == static_cast<int>(block.levels));
      BOOST_TEST(cost.latency == (block.width <= 24 ? 0U : 1U));
    }
  }
}

BOOST_AUTO_TEST_CASE(counts_of_the_paper_for_moduli_33_to_63) {
  unsigned two = 0;
  unsigned four = 0;
  for (const Shape31& block : kBlocks) {
    const AmiArithmetic ami(block.modulus);
    if (block.modulus < 33) continue;
    if (ami.levels() <= 2) ++two;
    if (ami.levels() <= 4 && ami.width() <= 12) ++four;
  }
  BOOST_TEST(two == 11U);   // section III.A: 11 have 2 or fewer logic levels per digit
  BOOST_TEST(four == 17U);  // "more than half have 4 or fewer and widths of 12 bits or less"
  BOOST_TEST(AmiArithmetic(255).fullAdders(32) == 24U);  // figure 2
  BOOST_TEST(AmiArithmetic(64).fullAdders(32) == 0U);
}

BOOST_AUTO_TEST_CASE(only_positive_digits_where_the_paper_s_trick_breaks) {
  const std::vector<unsigned> positive = {31, 39, 40, 42, 46, 48, 51, 56, 60, 62, 63};
  for (const Shape31& block : kBlocks) {
    const bool expected =
        std::find(positive.begin(), positive.end(), block.modulus) != positive.end();
    BOOST_TEST(AmiArithmetic(block.modulus).hasNegativeRows() == !expected,
               "modulus " << block.modulus);
  }
}

BOOST_AUTO_TEST_CASE(moduli_outside_1_to_4096_are_refused) {
  BOOST_CHECK_THROW(AmiArithmetic(0), std::invalid_argument);
  BOOST_CHECK_THROW(AmiArithmetic(4097), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::indexing
