// What the published table must hold, whatever tool made it, and who repeats its figures.
#include <fermata/models/indexing/ami_arithmetic.h>
#include <fermata/models/indexing/indexer.h>
#include <fermata/platforms/program/cost/cost_table.h>

#include <boost/test/unit_test.hpp>
#include <cmath>

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
          BOOST_TEST(bank.gates < 1.1 * both.gates);  // where the array is all, abc's luck decides
          BOOST_TEST(both.registers == 0);
        }
      }
    }
  }
}

// Figure 3 of Diamond et al. draws address bits x digits as the area of the array.
BOOST_AUTO_TEST_CASE(the_area_of_the_array_follows_figure_3) {
  std::vector<double> axis;
  std::vector<double> area;
  for (unsigned modulus = 33; modulus < 64; ++modulus) {
    axis.push_back(32.0 * indexing::AmiArithmetic(modulus).levels());
    area.push_back(rowOf("ami", amiSetting(modulus, "array"), "bank and row", 32).gates);
  }
  BOOST_TEST(correlation(axis, area) > 0.9);
}

// The models state some of these figures, for those who have no table.
BOOST_AUTO_TEST_CASE(mappings_state_the_figures_of_the_table) {
  const auto stated = [](const std::string& text) {
    return indexing::build(text, {32, 12288})->cost().gates;
  };
  const auto gates = [](const BlockCost& row) { return std::round(row.gates); };
  BOOST_TEST(stated("perm k=2") == gates(rowOf("perm", "banks=32", "bank", 14)));
  BOOST_TEST(stated("xor k1=0 k2=5 mask=7") == gates(rowOf("xor", "banks=32", "bank", 14)));
  BOOST_TEST(stated("bits 3,4,0,1,2") == gates(rowOf("bits", "banks=32", "bank", 14)));
  BOOST_TEST(stated("pairs 3,4,0^5,1^6,2^7") == gates(rowOf("pairs", "banks=32", "bank", 14)));
  for (const unsigned modulus : {33U, 62U}) {
    BOOST_TEST(stated("ami " + std::to_string(modulus)) ==
               gates(rowOf("ami", amiSetting(modulus, "array"), "bank and row", 32)));
  }
  for (const unsigned modulus : {33U, 34U, 37U, 48U, 53U, 59U, 61U, 62U, 63U}) {
    BOOST_TEST(stated("seznec " + std::to_string(modulus)) ==
               gates(rowOf("ami", amiSetting(modulus, "fast"), "bank", 32)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
