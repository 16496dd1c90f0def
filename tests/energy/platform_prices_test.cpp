// Prices applied to a platform, computed by hand: banks, wires, families and instances.
#include <fermata/models/power/energy_account.h>
#include <fermata/models/vocabulary/error.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/energy/platform_prices.h>

#include "tests/energy/price_text.h"
#include "tests/energy/table_of.h"
#include "tests/support/checked_simulation.h"
#include "tests/support/refusals.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

PlatformParameters parameters(const std::string& name, const Sets& sets = {}) {
  return platform(name, sets).parameters();
}

std::optional<Energy> of(const EnergyPrices& prices, EnergyAction action) {
  return prices.actions[static_cast<unsigned>(action)];
}

Energy priceOf(const PriceTable& table, const PlatformParameters& platform, EnergyAction action) {
  return of(pricesOf(table, platform), action).value();
}

/// Returns leakage and clock of a component; sums several entries.
EnergyPrices::Standing standingOf(const EnergyPrices& prices, const std::string& component) {
  EnergyPrices::Standing sum{component, {}, {}};
  for (const EnergyPrices::Standing& one : prices.standing) {
    if (one.component != component) continue;
    sum.leakage.low += one.leakage.low;
    sum.leakage.nominal += one.leakage.nominal;
    sum.leakage.high += one.leakage.high;
    sum.clock += one.clock;
  }
  return sum;
}

std::string refusal(const std::string& text, const PlatformParameters& platform) {
  return messageOf([&] { pricesOf(tableOf(text), platform); });
}

const std::array<std::string, 3> kAmounts{"100", "200", "400"};

}  // namespace

BOOST_AUTO_TEST_SUITE(platform_prices)

// 48 KB in 32 banks are 1.5 KB each: the price for a quarter of it doubles. In a split array both
// parts count: 48 KB and 16 KB in 32 banks are 2 KB each.
BOOST_AUTO_TEST_CASE(an_access_is_priced_by_its_bank) {
  const PriceTable table =
      tableOf(kScaling + price("scratchpad.read", kAmounts, "fJ", {{"bytes", "384"}}) +
              price("scratchpad.write", kAmounts, "fJ") +
              price("l1.read", kAmounts, "fJ", {{"bytes", "512"}}) +
              price("l2.write", kAmounts, "fJ", {{"bytes", "16384"}}) +
              price("lock_unit.read", kAmounts, "fJ", {{"bytes", "32"}}) +
              price("register_file.read", kAmounts, "fJ", {{"bytes", "524288"}}));
  const EnergyPrices flat = pricesOf(table, parameters("gtx480"));
  BOOST_TEST((of(flat, EnergyAction::ScratchpadRead) == Energy{200, 400, 800}));
  BOOST_TEST((of(flat, EnergyAction::ScratchpadWrite) == Energy{100, 200, 400}));
  BOOST_TEST((of(flat, EnergyAction::RegisterRead) == Energy{50, 100, 200}));
  BOOST_TEST(!of(flat, EnergyAction::Issue).has_value());
  const EnergyPrices caches = pricesOf(table, parameters("gtx480-caches"));
  BOOST_TEST((of(caches, EnergyAction::ScratchpadRead) == Energy{231, 462, 924}));  // x sqrt(16/3)
  BOOST_TEST((of(caches, EnergyAction::L1Read) == Energy{200, 400, 800}));
  BOOST_TEST((of(caches, EnergyAction::L2Write) == Energy{200, 400, 800}));  // 12 slices of 64 KB
  const EnergyPrices apart =
      pricesOf(table, parameters("gtx480-caches", {"l1.split=free", "scratchpad.bytes=49152"}));
  BOOST_TEST((of(apart, EnergyAction::ScratchpadRead) == Energy{200, 400, 800}));
  BOOST_TEST((of(apart, EnergyAction::L1Read) == Energy{100, 200, 400}));
  const EnergyPrices locks = pricesOf(table, parameters("gtx580-atomics"));
  BOOST_TEST((of(locks, EnergyAction::LockRead) == Energy{200, 400, 800}));  // 1024 bits
  const EnergyPrices many = pricesOf(table, parameters("fermi-ami", {"ami=62/48"}));
  // 64 KB in 62 banks of the scratchpad, in 48 of the L1
  BOOST_TEST((of(many, EnergyAction::ScratchpadRead) == Energy{166, 332, 664}));
  BOOST_TEST((of(many, EnergyAction::L1Read) == Energy{163, 327, 653}));
}

BOOST_AUTO_TEST_CASE(the_law_is_the_table_s) {
  const std::string rows = price("scratchpad.read", kAmounts, "fJ", {{"bytes", "384"}}) +
                           price("scratchpad.leakage", kAmounts, "nW", {{"bytes", "384"}});
  const auto table = [&](const std::string& law) {
    return tableOf("[scaling]\nsource = 's'\n" + law + rows);
  };
  const PlatformParameters gtx480 = parameters("gtx480");
  const auto read = [&](const std::string& law) {
    return priceOf(table(law), gtx480, EnergyAction::ScratchpadRead).nominal;
  };
  const auto leakage = [&](const std::string& law) {
    return standingOf(pricesOf(table(law), gtx480), "scratchpad").leakage.nominal;
  };
  BOOST_TEST(read("access = 1\n") == 800U);
  BOOST_TEST(read("access = 2\n") == 3200U);
  BOOST_TEST(leakage("access = 2\n") == 32 * 800U);  // linear by default
  BOOST_TEST(leakage("access = 2\nleakage = 0.5\n") == 32 * 400U);
}

// A link of 32 wires, each as long as 32 wires are wide.
BOOST_AUTO_TEST_CASE(a_wire_is_priced_by_the_square_of_its_bits) {
  const PriceTable table =
      tableOf(price("crossbar.wire", {"100", "200", "400"}, "fJ/bit/mm", {{"wire_pitch_um", "5"}}));
  const auto wire = [&](const std::string& name, const Sets& sets) {
    return priceOf(table, parameters(name, sets), EnergyAction::Wire);
  };
  BOOST_TEST((wire("gtx480", {}) == Energy{512, 1024, 2048}));
  BOOST_TEST((wire("k20", {}) == Energy{2048, 4096, 8192}));
  BOOST_TEST((wire("k20", {"scratchpad.bank_bytes=4"}) == Energy{512, 1024, 2048}));
  const PriceTable whole = tableOf(price("crossbar.wire", {"0.1", "0.2", "0.4"}, "pJ"));
  BOOST_TEST((priceOf(whole, parameters("k20"), EnergyAction::Wire) == Energy{100, 200, 400}));
}

BOOST_AUTO_TEST_CASE(a_set_and_a_lock_are_mapped_as_well) {
  const PriceTable table =
      tableOf(price("l1_tags.lookup", kAmounts, "fJ") + price("lock_unit.read", kAmounts, "fJ") +
              price("lock_unit.write", kAmounts, "fJ") +
              price("indexer.index", {"1", "2", "3"}, "fJ", {{"family", "'ami'"}}) +
              price("indexer.index", {"10", "20", "30"}, "fJ", {{"family", "'fixed-xor'"}}));
  const auto lookup = [&](const Sets& sets) {
    return priceOf(table, parameters("fermi-ami", sets), EnergyAction::L1Lookup);
  };
  BOOST_TEST((lookup({"ami=32/32"}) == Energy{100, 200, 400}));
  BOOST_TEST((lookup({"ami=S+32/32"}) == Energy{101, 202, 403}));
  const auto locks = [&](const char* hash, EnergyAction action) {
    return priceOf(table, parameters("gtx580-atomics", {std::string("atomics.hash=") + hash}),
                   action);
  };
  BOOST_TEST((locks("baseline", EnergyAction::LockRead) == Energy{100, 200, 400}));
  BOOST_TEST((locks("xor", EnergyAction::LockRead) == Energy{110, 220, 430}));
  BOOST_TEST((locks("xor", EnergyAction::LockWrite) == Energy{100, 200, 400}));
}

BOOST_AUTO_TEST_CASE(an_index_has_the_price_of_its_family) {
  const auto index = [](const char* component, const char* family, int fj) {
    const std::string amount = std::to_string(fj);
    PriceKeys more;
    if (*family != 0) more = {{"family", "'" + std::string(family) + "'"}};
    return price(std::string(component) + ".index", {amount, amount, amount}, "fJ", more);
  };
  const std::string scratchpad = index("indexer", "mod", 0) + index("indexer", "", 1) +
                                 index("indexer", "ami", 2) + index("indexer", "pairs", 3) +
                                 index("indexer", "xor", 4);
  const auto priceOf = [](const std::string& text, const Sets& sets, EnergyAction action) {
    const auto found = of(pricesOf(tableOf(text), parameters("fermi-ami", sets)), action);
    return found ? std::to_string(found->nominal) : "none";
  };
  const auto atScratchpad = [&](const std::string& text, const std::string& mapping) {
    return priceOf(text, {"scratchpad.indexer=" + mapping}, EnergyAction::Index);
  };
  BOOST_TEST(atScratchpad(scratchpad, "mod 32") == "0");
  BOOST_TEST(atScratchpad(scratchpad, "ami 33") == "2");
  BOOST_TEST(atScratchpad(scratchpad, "pairs 0^5,1^6,2^7,3^8,4^9") == "3");
  BOOST_TEST(atScratchpad(scratchpad, "xor k1=0 k2=5 mask=31") == "4");
  BOOST_TEST(atScratchpad(scratchpad, "fixed-xor") == "1");
  BOOST_TEST(atScratchpad(scratchpad, "  ami \t33") == "2");
  BOOST_TEST(atScratchpad(scratchpad, "mod\t32") == "0");
  BOOST_TEST(atScratchpad(index("indexer", "ami", 2), "mod 32") == "none");
  const auto atL1 = [&](const std::string& text, const std::string& mapping) {
    return priceOf(text, {"l1.indexer=" + mapping}, EnergyAction::L1Index);
  };
  // the scratchpad's prices apply if the L1 has none; the L1's own, of the family or of all, go
  // first
  BOOST_TEST(atL1(scratchpad, "ami 48") == "2");
  BOOST_TEST(atL1(scratchpad, "mod 32") == "0");
  BOOST_TEST(atL1(scratchpad, "fixed-xor") == "1");
  BOOST_TEST(atL1(scratchpad + index("l1_indexer", "ami", 7), " ami 48") == "7");
  BOOST_TEST(atL1(scratchpad + index("l1_indexer", "ami", 7), "mod 32") == "0");
  BOOST_TEST(atL1(scratchpad + index("l1_indexer", "", 8), "ami 48") == "8");
  BOOST_TEST(atL1(index("indexer", "xor", 4), "ami 48") == "none");
}

// Instances are SMs x banks or lanes; a bank of the L1 has 0.5 KB, an eighth of the price's 4 KB.
BOOST_AUTO_TEST_CASE(leakage_and_clock_are_of_all_instances) {
  std::string text = kScaling;
  for (const std::string_view component : energyComponents()) {
    text += price(std::string(component) + ".leakage", kAmounts, "nW");
    text += price(std::string(component) + ".clock", {"0", "1", "2"}, "fJ");
  }
  const PriceTable table = tableOf(text);
  const auto instances = [&](const std::string& name, const Sets& sets = {}) {
    const EnergyPrices prices =
        pricesOf(table, parameters(name, sets + Sets{"power.clock_gating=false"}));
    const EnergyPrices gated = pricesOf(table, parameters(name, sets));
    std::string list;
    for (const EnergyPrices::Standing& one : prices.standing) {
      const std::uint64_t count = one.clock.nominal;
      BOOST_TEST((one.clock == Energy{0, count, 2 * count}), one.component);
      BOOST_TEST(same(one.leakage, {100 * count, 200 * count, 400 * count}), one.component);
      BOOST_TEST((standingOf(gated, one.component).clock == Energy{}), one.component);
      list += std::to_string(count) + " ";
    }
    return list;
  };
  // issue, register_file, agu, indexer, crossbar, scratchpad, lock_unit, l1_tags, l1_indexer, l1,
  // mshr, l2, dram
  BOOST_TEST(instances("gtx480") == "1 1 32 32 1 32 0 0 0 0 0 0 0 ");
  BOOST_TEST(instances("gtx280") == "1 1 32 32 1 16 0 0 0 0 0 0 0 ");
  BOOST_TEST(instances("gtx580-atomics") == "1 1 32 32 1 32 1 0 0 0 0 0 0 ");
  BOOST_TEST(instances("fermi-ami", {"ami=62/48", "l1.mshrs=64"}) ==
             "1 1 32 32 1 62 0 1 32 48 64 1 6 ");
  BOOST_TEST(instances("fermi-chip", {"chip.sms=3", "l1.mshrs=64"}) ==
             "3 3 96 96 3 96 0 3 96 96 192 16 6 ");
}

BOOST_AUTO_TEST_CASE(leakage_grows_with_the_own_bytes_of_a_split_array) {
  const PriceTable table =
      tableOf(price("scratchpad.leakage", {"1", "2", "4"}, "mW", {{"bytes", "4096"}}) +
              price("l1.leakage", {"1", "2", "4"}, "mW", {{"bytes", "4096"}}) +
              price("register_file.leakage", {"1", "2", "4"}, "mW", {{"bytes", "65536"}}) +
              price("l2.leakage", {"1", "2", "4"}, "mW", {{"bytes", "131072"}}));
  const EnergyPrices prices = pricesOf(table, parameters("gtx480-caches"));
  const auto milliwatts = [&](const char* component) {
    return static_cast<double>(standingOf(prices, component).leakage.nominal) * 1e-6;
  };
  BOOST_TEST(milliwatts("scratchpad") == 24.0);  // 32 x 1.5 KB
  BOOST_TEST(milliwatts("l1") == 8.0);           // 32 x 0.5 KB
  BOOST_TEST(milliwatts("register_file") == 4.0);
  BOOST_TEST(milliwatts("l2") == 12.0);
}

BOOST_AUTO_TEST_CASE(prices_of_a_platform_that_make_no_sense_are_refused) {
  const PlatformParameters gtx480 = parameters("gtx480");
  const PlatformParameters caches = parameters("gtx480-caches");
  const auto read = [](const std::string& fj, const std::string& bytes) {
    return kScaling + price("scratchpad.read", {"0", fj, fj}, "fJ", {{"bytes", bytes}});
  };
  const std::string tooLittle = "mine.toml:4:1: the price of scratchpad.read is less than a femto";
  const std::string tooMuch = "mine.toml:4:1: the price of scratchpad.read is more than ";
  BOOST_TEST(refusal(read("0.6", "1536"), gtx480) == "none");
  BOOST_TEST(begins(refusal(read("0.4", "1536"), gtx480), tooLittle));
  // Scaled to 0.1 fJ.
  BOOST_TEST(begins(refusal(read("100", "1.536e9"), gtx480), tooLittle));
  BOOST_TEST(begins(refusal(read("1000", "1e-12"), gtx480), tooMuch));
  BOOST_TEST(begins(refusal(read("1000", "1e-300"), gtx480), tooMuch));
  BOOST_TEST(begins(refusal(read("0", "5e-324"), gtx480), tooMuch));  // 0 x infinity
  BOOST_TEST(begins(refusal(price("agu.leakage", {"0", "0.01", "1"}, "nW"), gtx480),
                    "mine.toml:1:1: the price of agu.leakage is less than"));
  const std::string huge = price("l2.leakage", {"0", "0", "1"}, "W", {{"bytes", "1e-9"}});
  BOOST_TEST(refusal(huge, gtx480) == "none");  // the platform has no L2
  BOOST_TEST(begins(refusal(huge, caches), "mine.toml:1:1: the price of l2.leakage is more than "));
  const std::string noMemory = "'bytes' of agu, whose capacity no platform has; expected a price w";
  BOOST_TEST(
      begins(refusal(kScaling + price("agu.address", kAmounts, "fJ", {{"bytes", "8"}}), gtx480),
             "mine.toml:4:1: " + noMemory));
  BOOST_TEST(begins(refusal(price("agu.leakage", kAmounts, "nW", {{"bytes", "8"}}), gtx480),
                    "mine.toml:1:1: " + noMemory));
}

BOOST_AUTO_TEST_CASE(a_clock_that_runs_on_needs_a_price) {
  const PlatformParameters running = parameters("gtx480", {"power.clock_gating=false"});
  const std::string refused =
      "mine.toml: no price of a clock, but power.clock_gating is off; expected a [[price]] with "
      "action = \"clock\"";
  BOOST_TEST(refusal(price(), running) == refused);
  BOOST_TEST(refusal(price(), parameters("gtx480")) == "none");
  const auto clock = [](const char* component) {
    return price(std::string(component) + ".clock", kAmounts, "fJ");
  };
  BOOST_TEST(refusal(clock("issue"), running) == "none");
  BOOST_TEST(refusal("others = ['lamp']\n" + clock("lamp"), running) == "none");
  BOOST_TEST(refusal(clock("l2"), running) == refused);  // the platform has no L2
}

BOOST_AUTO_TEST_CASE(others_have_prices_for_hooks) {
  const PriceTable table = tableOf(
      "others = ['filter', 'lamp']\n" + price("filter.pass", {"1", "2", "4"}, "fJ") +
      price("filter.leakage", {"1", "2", "4"}, "uW") + price("issue.clock", kAmounts, "fJ") +
      price("filter.clock", {"10", "20", "40"}, "fJ") +
      price("lamp.leakage", {"1", "2", "4"}, "nW"));
  const Clock clock(sc_core::sc_time(1, sc_core::SC_NS));
  EnergyAccount account(clock, pricesOf(table, parameters("gtx480", {"power.clock_gating=false"})),
                        10);
  const EnergyHook hook(&account, "my filter", "filter.pass");
  hook.book(clock.time(3), 5);
  account.end(1000);
  BOOST_TEST((account.of("my filter") == Energy{5, 10, 20}));
  BOOST_TEST((account.of("filter") == Energy{1000 + 10000, 2000 + 20000, 4000 + 40000}));
  BOOST_TEST((account.of("lamp") == Energy{1, 2, 4}));
  BOOST_CHECK_THROW(EnergyHook(&account, "filter", "filter.leakage"), BadInput);
  BOOST_CHECK_THROW(EnergyHook(&account, "filter", "issue.instruction"), BadInput);  // no price
  const EnergyPrices gated = pricesOf(table, parameters("gtx480"));
  BOOST_TEST((standingOf(gated, "filter").clock == Energy{}));
  BOOST_TEST(same(standingOf(gated, "filter").leakage, {1000, 2000, 4000}));
}

BOOST_AUTO_TEST_SUITE_END()
