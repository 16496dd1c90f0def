// Tables of prices that come with the model.
#include <fermata/models/indexing/families.h>
#include <fermata/platforms/energy/platform_prices.h>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/parameters.h>
#include "tests/energy/table_of.h"
#include "tests/support/checked_simulation.h"

using namespace fermata;
using namespace fermata::test;
using namespace fermata::platforms;

namespace {

Energy priceOf(const EnergyPrices& prices, EnergyAction action) {
  return prices.actions[static_cast<unsigned>(action)].value();
}

Power leakageOf(const EnergyPrices& prices, const std::string& component) {
  for (const EnergyPrices::Standing& one : prices.standing) {
    if (one.component == component) return one.leakage;
  }
  return {};
}

/// True for energy of a memory in the place of DRAM: no table can know it.
bool isForeign(const EnergyActionText& text) {
  return text.action.rfind("foreign_", 0) == 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shipped_tables)

BOOST_AUTO_TEST_CASE(there_are_two_and_each_says_where_its_prices_come_from) {
  const auto tables = listPriceTables();
  BOOST_TEST_REQUIRE(tables.size() == 2U);
  BOOST_TEST(tables[0].name == "ami-32nm");
  BOOST_TEST(tables[1].name == "fermi-40nm");
  for (const PriceTable& table : tables) {
    BOOST_TEST(table.description.size() > 20U);
    BOOST_TEST(table.lawSource.size() > 10U);
    BOOST_TEST(table.others.empty());
    for (const Price& price : table.prices) {
      BOOST_TEST_CONTEXT(table.name << " " << price.component << "." << price.action) {
        BOOST_TEST(price.source.size() >= 5U);  // "wires"
        BOOST_TEST(price.node == (table.name == "ami-32nm" ? 32.0 : 40.0));
        BOOST_TEST(price.amounts[0] <= price.amounts[1]);
        BOOST_TEST(price.amounts[1] <= price.amounts[2]);
        if (price.bytes || price.unit->kind == PriceUnit::Kind::EnergyOfWire) continue;
        for (const double amount : price.amounts)  // for any mapping
          BOOST_TEST((amount == 0 || amount * price.unit->scale >= 0.5));
      }
    }
  }
}

// Every action that the model counts has a price, on every platform and for every mapping.
BOOST_AUTO_TEST_CASE(every_action_and_family_has_a_price) {
  for (const PriceTable& table : listPriceTables()) {
    std::set<std::string> indexed;
    std::set<std::string> named;
    for (const Price& price : table.prices) {
      if (price.component == "indexer") indexed.insert(price.family);
      named.insert(price.component + "." + price.action);
    }
    for (const indexing::Family& family : indexing::families())
      BOOST_TEST(indexed.count(family.name) == 1U, table.name << " lacks " << family.name);
    for (unsigned i = 0; i < kEnergyActions; ++i) {
      const EnergyActionText& text = describe(static_cast<EnergyAction>(i));
      if (text.component == "l1_indexer") continue;  // uses the indexer's prices
      const std::string name = std::string(text.component) + "." + std::string(text.action);
      BOOST_TEST(named.count(name) == (isForeign(text) ? 0U : 1U), table.name << ": " << name);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_platform_has_prices) {
  BOOST_TEST(listPlatforms().size() >= 10U);
  for (const PriceTable& table : listPriceTables()) {
    for (const PlatformEntry& entry : listPlatforms()) {
      for (const char* gating : {"true", "false"}) {
        BOOST_TEST_CONTEXT(table.name << " on " << entry.name << ", gating " << gating) {
          Configuration configuration = openPlatform(entry.name);
          configuration.apply(std::string("power.clock_gating=") + gating);
          configuration.check();
          const EnergyPrices prices = pricesOf(table, configuration.parameters());
          for (unsigned i = 0; i < kEnergyActions; ++i) {
            const auto& price = prices.actions[i];
            if (isForeign(describe(static_cast<EnergyAction>(i)))) continue;
            BOOST_TEST_REQUIRE(price.has_value(), describe(static_cast<EnergyAction>(i)).action);
            BOOST_TEST(price->low <= price->nominal);
            BOOST_TEST(price->nominal <= price->high);
          }
          BOOST_TEST(leakageOf(prices, "scratchpad").low > 0U);
          BOOST_TEST(leakageOf(prices, "register_file").low > 0U);
          bool clocked = false;
          for (const auto& one : prices.standing) clocked = clocked || one.clock.nominal != 0;
          BOOST_TEST(clocked == (std::string(gating) == "false"));
        }
      }
    }
  }
}

// Computed by hand: a bank of 1.5 KB takes sqrt(1.5 / 4) of the energy of one of 4 KB; a pitch of
// 32 bits is 32 x 32 x 0.625 um of wire.
BOOST_AUTO_TEST_CASE(prices_of_gtx480_are_these) {
  const PriceTable table = openPriceTable("fermi-40nm");
  const EnergyPrices flat = pricesOf(table, platform("gtx480").parameters());
  BOOST_TEST((priceOf(flat, EnergyAction::ScratchpadRead) == Energy{980, 1408, 4287}));
  BOOST_TEST((priceOf(flat, EnergyAction::ScratchpadWrite) == Energy{857, 1721, 5205}));
  BOOST_TEST((priceOf(flat, EnergyAction::Wire) == Energy{10, 77, 438}));
  BOOST_TEST((priceOf(flat, EnergyAction::Index) == Energy{0, 0, 0}));
  BOOST_TEST((priceOf(flat, EnergyAction::Issue) == Energy{3600, 57000, 70000}));
  BOOST_TEST((priceOf(flat, EnergyAction::RegisterRead) == Energy{29000, 77000, 224000}));
  BOOST_TEST((priceOf(flat, EnergyAction::Address) == Energy{86, 100, 210}));
  BOOST_TEST(same(leakageOf(flat, "scratchpad"), {12000000, 43200000, 106800000}));
  BOOST_TEST(same(leakageOf(flat, "register_file"), {32000000, 115000000, 285000000}));
  BOOST_TEST(same(leakageOf(flat, "agu"), {21440, 76800, 188800}));
  BOOST_TEST(same(leakageOf(flat, "l1"), {}));
  // 64 KB in 32 banks; 12 slices of 64 KB
  const EnergyPrices caches = pricesOf(table, platform("gtx480-caches").parameters());
  BOOST_TEST((priceOf(caches, EnergyAction::ScratchpadRead) == Energy{1131, 1626, 4950}));
  BOOST_TEST((priceOf(caches, EnergyAction::L1Read) == Energy{1131, 1626, 4950}));
  BOOST_TEST((priceOf(caches, EnergyAction::L2Read) == Energy{55154, 100409, 217789}));
  BOOST_TEST(same(leakageOf(caches, "l1"), {4000000, 14400000, 35600000}));
  BOOST_TEST(same(leakageOf(caches, "l2"), {192000000, 690000000, 1710000000}));
  const EnergyPrices wide = pricesOf(table, platform("k20").parameters());
  BOOST_TEST((priceOf(wide, EnergyAction::Wire) == Energy{38, 310, 1751}));
  // two SMs have everything twice except the L2
  const EnergyPrices two = pricesOf(table, platform("fermi-chip", {"chip.sms=2"}).parameters());
  BOOST_TEST(same(leakageOf(two, "register_file"), {64000000, 230000000, 570000000}));
  BOOST_TEST(leakageOf(two, "scratchpad").nominal == 57600000U);
}

// The AMI paper gives 222 fJ for its worst DIV/MOD.
BOOST_AUTO_TEST_CASE(an_ami_index_at_32_nm_is_the_paper_s) {
  const EnergyPrices prices =
      pricesOf(openPriceTable("ami-32nm"), platform("fermi-ami", {"ami=62/48"}).parameters());
  BOOST_TEST(priceOf(prices, EnergyAction::Index).nominal == 222U);
  BOOST_TEST(priceOf(prices, EnergyAction::L1Index).nominal == 222U);
}

BOOST_AUTO_TEST_SUITE_END()
