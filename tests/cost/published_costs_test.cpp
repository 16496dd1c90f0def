// Properties of the published cost table, whatever tool made it, and prices computed from it.
#include <fermata/models/indexing/ami_arithmetic.h>
#include <fermata/models/indexing/indexer.h>
#include <fermata/platforms/program/cost/mapping_costs.h>

#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::platforms;

namespace {

std::string amiSetting(unsigned modulus, const std::string& form) {
  return "modulus=" + std::to_string(modulus) + " form=" + form + " corner=exact";
}

const BlockCost& rowOf(const std::string& block, const std::string& setting,
                       const std::string& gives, unsigned addressBits) {
  for (const BlockCost& row : CostTable::ours().rows()) {
    if (row.block == block && row.setting == setting && row.gives == gives &&
        row.addressBits == addressBits) {
      return row;
    }
  }
  BOOST_FAIL("no row " << block << " " << setting << " " << gives << " " << addressBits);
  throw 0;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double sumA = 0, sumB = 0, sumAA = 0, sumBB = 0, sumAB = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sumA += a[i];
    sumB += b[i];
    sumAA += a[i] * a[i];
    sumBB += b[i] * b[i];
    sumAB += a[i] * b[i];
  }
  const auto n = static_cast<double>(a.size());
  return (n * sumAB - sumA * sumB) /
         std::sqrt((n * sumAA - sumA * sumA) * (n * sumBB - sumB * sumB));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(published_costs)

BOOST_AUTO_TEST_CASE(every_modulus_is_there_in_each_form) {
  for (unsigned modulus = 31; modulus < 64; ++modulus) {
    if (modulus == 32) continue;
    for (const char* form : {"fast", "array"}) {
      for (const unsigned bits : {14U, 32U}) {
        BOOST_TEST_CONTEXT("modulus " << modulus << ", " << form << ", " << bits << " bits") {
          const BlockCost& both = rowOf("ami", amiSetting(modulus, form), "bank and row", bits);
          const BlockCost& bank = rowOf("ami", amiSetting(modulus, form), "bank", bits);
          BOOST_TEST(bank.gates > 0);
          // Where the array is nearly the whole block, chance in abc may make the smaller block
          // larger.
          BOOST_TEST(bank.gates < 1.1 * both.gates);
          BOOST_TEST(both.registers == 0);
        }
      }
    }
  }
}

// Figure 3 of Diamond et al. plots address bits x digits as the area of the array.
BOOST_AUTO_TEST_CASE(the_area_of_the_array_follows_figure_3) {
  std::vector<double> axis;
  std::vector<double> area;
  for (unsigned modulus = 33; modulus < 64; ++modulus) {
    axis.push_back(32.0 * indexing::AmiArithmetic(modulus).levels());
    area.push_back(rowOf("ami", amiSetting(modulus, "array"), "bank and row", 32).gates);
  }
  BOOST_TEST(correlation(axis, area) > 0.9);
}

// The price covers bank and row, in the narrowest blocks that have the memory's address bits.
BOOST_AUTO_TEST_CASE(a_price_is_of_bank_and_row) {
  const auto price = [](const std::string& text, std::uint32_t words = 12288) {
    return priceOf(CostTable::ours(), text, {32, words}).gates.value_or(-1);
  };
  for (const unsigned bits : {14U, 32U}) {
    const std::uint32_t words = bits == 14 ? 12288 : 65536;
    const double row = rowOf("row-select", "banks=32", "row", bits).gates;
    BOOST_TEST(price("perm k=2", words) == rowOf("perm", "banks=32", "bank", bits).gates + row);
    BOOST_TEST(price("xor k1=0 k2=5 mask=7", words) ==
               rowOf("xor", "banks=32", "bank", bits).gates + row);
    BOOST_TEST(price("ami 33", words) ==
               rowOf("ami", amiSetting(33, "fast"), "bank and row", bits).gates);
    BOOST_TEST(price("ami 33 form=array", words) ==
               rowOf("ami", amiSetting(33, "array"), "bank and row", bits).gates);
    // The row of seznec is a selection of address bits: it has no gates.
    BOOST_TEST(price("seznec 33", words) ==
               rowOf("ami", amiSetting(33, "fast"), "bank", bits).gates);
  }
  BOOST_TEST(price("mod 32") == 0);
  BOOST_TEST(price("swizzle b=3 m=4 s=3") == price("tma 128"));
  const MappingPrice none = priceOf(CostTable::ours(), "ami 19", {32, 12288});
  BOOST_TEST(!none.gates);
  BOOST_TEST(none.why.find("no block of this modulus") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
