// Contents of a table of prices, and refusals with their places.
#include <fermata/stimuli/input_error.h>
#include "tests/energy/price_text.h"
#include "tests/energy/table_of.h"
#include "tests/support/refusals.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

std::string refusal(const std::string& text) {
  return messageOf([&] { tableOf(text); });
}

struct BadPrice {
  PriceKeys changes;
  std::string begins;  ///< after "mine.toml:"
};
std::ostream& operator<<(std::ostream& out, const BadPrice& one) {
  for (const auto& [key, value] : one.changes) out << key << "=" << value << " ";
  return out;
}

const PriceKeys kMod{{"component", "'indexer'"}, {"action", "'index'"}};
const PriceKeys kWire{{"component", "'crossbar'"}, {"action", "'wire'"}, {"unit", "'fJ/bit/mm'"}};
const PriceKeys kLeakage{{"action", "'leakage'"}, {"unit", "'mW'"}};
const PriceKeys kRead{{"component", "'scratchpad'"}, {"action", "'read'"}};

PriceKeys with(PriceKeys keys, const PriceKeys& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

std::vector<BadPrice> refusals() {
  std::vector<BadPrice> all{
      {{{"component", "'alu'"}},
       "2:13: unknown component 'alu'; expected one of issue, register_file, agu,"},
      {{{"component", "''"}}, "2:13: unknown component ''"},
      {{{"action", "'read'"}},
       "3:10: unknown action 'read' of issue; expected one of instruction, retry, leakage, clock"},
      {{{"low", "-1"}},
       "4:7: 'low' of issue.instruction is no price; expected 0 or more, up to 1 "},
      {{{"low", "nan"}}, "4:7: 'low' of issue.instruction is no price"},
      {{{"high", "inf"}}, "6:8: 'high' of issue.instruction is no price"},
      {{{"high", "1e300"}}, "6:8: 'high' of issue.instruction is no price"},
      {{{"high", "9223372036854775807"}}, "6:8: 'high' of issue.instruction is no price"},
      {with(kLeakage, {{"high", "1e9"}}), "6:8: 'high' of issue.leakage is no price"},
      {{{"low", "'1'"}}, "4:7: 'low' is a string; expected a number"},
      {{{"low", "3"}}, "5:11: 'nominal' is below 'low'; expected low, nominal and high in this"},
      {{{"high", "1.5"}}, "6:8: 'high' is below 'nominal'; expected low, nominal and high in this"},
      {{{"unit", "'J'"}}, "7:8: unknown unit 'J' of issue.instruction; expected one of fJ, pJ, nJ"},
      {{{"unit", "'W'"}}, "7:8: unknown unit 'W' of issue.instruction; expected one of fJ, pJ, nJ"},
      {{{"unit", "'pJ/bit/mm'"}}, "7:8: unknown unit 'pJ/bit/mm' of issue.instruction"},
      {{{"action", "'clock'"}, {"unit", "'mW'"}},
       "7:8: unknown unit 'mW' of issue.clock; expected one of fJ, pJ, nJ"},
      {{{"action", "'leakage'"}},
       "7:8: unknown unit 'pJ' of issue.leakage; expected one of nW, uW, mW, W"},
      {with(kWire, {{"unit", "'mW'"}}),
       "7:8: unknown unit 'mW' of crossbar.wire; expected one of fJ, pJ, nJ, fJ/bit/mm, pJ/bit/mm"},
      {with(kWire, {}), "1:1: a price lacks 'wire_pitch_um'; expected this key"},
      {with(kWire, {{"wire_pitch_um", "0"}}), "12:17: 'wire_pitch_um' is none; expected"},
      {with(kWire, {{"wire_pitch_um", "-1"}}), "12:17: 'wire_pitch_um' is none; expected"},
      {with(kWire, {{"wire_pitch_um", "nan"}}), "12:17: 'wire_pitch_um' is none; expected"},
      {with(kWire, {{"wire_pitch_um", "1001"}}), "12:17: 'wire_pitch_um' is none; expected"},
      {with(kWire, {{"wire_pitch_um", "1"}, {"bytes", "8"}}), "13:9: 'bytes' of crossbar.wire"},
      {{{"wire_pitch_um", "1"}}, "12:1: unknown key 'wire_pitch_um' in a price; expected one of"},
      {{{"node", "0"}}, "8:8: 'node' is none; expected the nanometres of a process"},
      {{{"node", "inf"}}, "8:8: 'node' is none; expected the nanometres of a process"},
      {{{"voltage", "0"}},
       "9:11: 'voltage' is none; expected a number of volts, or \"not stated\""},
      {{{"voltage", "'unknown'"}}, "9:11: 'voltage' is none; expected a number of volts"},
      {{{"temperature", "-3"}}, "10:15: 'temperature' is none; expected a number of kelvins"},
      {{{"temperature", "nan"}}, "10:15: 'temperature' is none; expected a number of kelvins"},
      {{{"source", "''"}}, "11:10: a price without a source; expected where it comes from"},
      {{{"source", "3"}}, "11:10: 'source' is an integer; expected a string"},
      {{{"relative", "1"}}, "12:12: 'relative' is an integer; expected true or false"},
      {{{"comment", "1"}},
       "12:1: unknown key 'comment' in a price; expected one of action, bytes,"},
      {{{"family", "'mod'"}}, "12:10: 'family' of issue; expected it of an indexer only"},
      {with(kMod, {{"family", "'modulo'"}}),
       "12:10: unknown family 'modulo'; expected one of mod,"},
      {with(kMod, {{"family", "''"}}), "12:10: unknown family ''; expected one of mod,"},
      {with(kRead, {{"bytes", "4096"}}),
       "12:9: no law for another capacity; expected [scaling] with access and source"},
      {with(kRead, {{"bytes", "0"}}), "12:9: 'bytes' is no capacity; expected bytes of what the"},
      {with(kRead, {{"bytes", "-8"}}), "12:9: 'bytes' is no capacity"},
      {with(kRead, {{"bytes", "nan"}}), "12:9: 'bytes' is no capacity"},
      {with(kRead, {{"bytes", "inf"}}), "12:9: 'bytes' is no capacity"},
      {{{"action", "'clock'"}, {"bytes", "8"}},
       "12:9: 'bytes' of issue.clock; expected it of accesses and leakage of memories"}};
  for (const char* key : {"component", "action", "low", "nominal", "high", "unit", "node",
                          "voltage", "temperature", "source"}) {
    all.push_back(
        {{{key, ""}}, "1:1: a price lacks '" + std::string(key) + "'; expected this key"});
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(price_table)

BOOST_DATA_TEST_CASE(a_bad_price_is_refused_with_its_place, bdata::make(refusals()), one) {
  const std::string said = refusal(price(one.changes));
  BOOST_TEST(begins(said, "mine.toml:" + one.begins), said);
}

BOOST_AUTO_TEST_CASE(what_stands_around_the_prices_is_checked_too) {
  const std::string good = price();
  const std::pair<std::string, std::string> all[] = {
      {good, "none"},
      {"", "mine.toml: the file has no price; expected [[price]] with component, action, low,"},
      {"description = 'd'\n" + kScaling, "mine.toml: the file has no price; expected [[price]]"},
      {"price = 3\n", "mine.toml:1:9: 'price' is an integer; expected tables"},
      {"price = []\n", "mine.toml: the file has no price"},
      {"[[price]\n", "mine.toml:1:"},
      {"low = \n" + good, "mine.toml:1:"},
      {"name = 'mine'\n" + good, "mine.toml:1:1: unknown key 'name' in a table of prices"},
      {"description = 3\n" + good, "mine.toml:1:15: 'description' is an integer"},
      {good + good,
       "mine.toml:12:1: another price of issue.instruction stands in line 1; expected"},
      {"others = 'filter'\n" + good, "mine.toml:1:10: 'others' is no array"},
      {"others = ['filter', 'agu']\n" + good, "mine.toml:1:10: 'others' names 'agu'; expected"},
      {"others = ['']\n" + good, "mine.toml:1:10: 'others' names ''; expected components that"},
      {"others = ['a.b']\n" + good, "mine.toml:1:10: 'others' names 'a.b'; expected components"},
      {"others = ['f', 'f']\n" + good, "mine.toml:1:10: 'others' names 'f' twice; expected"},
      {"others = ['f']\n" + price({{"component", "'f'"}, {"action", "''"}}),
       "mine.toml:4:10: 'action' is empty; expected a name"},
      {"others = ['f']\n" + kScaling + price({{"component", "'f'"}, {"bytes", "8"}}),
       "mine.toml:16:9: 'bytes' of f.instruction; expected it of"},
      {"others = ['f']\n" + price({{"component", "'f'"}, {"family", "'mod'"}}),
       "mine.toml:13:10: 'family' of f; expected it of an indexer only"},
      {"scaling = 1\n" + good, "mine.toml:1:11: 'scaling' is an integer; expected a table"},
      {"[scaling]\naccess = 0\nsource = 's'\n" + good, "mine.toml:2:10: 'access' is no exponent"},
      {"[scaling]\naccess = nan\nsource = 's'\n" + good, "mine.toml:2:10: 'access' is no exponent"},
      {"[scaling]\naccess = 4.5\nsource = 's'\n" + good, "mine.toml:2:10: 'access' is no exponent"},
      {"[scaling]\naccess = 1\nleakage = -1\nsource = 's'\n" + good,
       "mine.toml:3:11: 'leakage' is no exponent"},
      {"[scaling]\naccess = 1\n" + good, "mine.toml:1:1: 'scaling' lacks 'source'"},
      {"[scaling]\naccess = 1\nsource = ''\n" + good, "mine.toml:3:10: a law without a source"},
      {"[scaling]\nleakage = 1\nsource = 's'\n" + good, "mine.toml:1:1: 'scaling' lacks 'access'"},
      {kScaling + "size = 1\n" + good, "mine.toml:4:1: unknown key 'size' in 'scaling'"}};
  for (const auto& [text, start] : all) {
    const std::string said = refusal(text);
    BOOST_TEST(begins(said, start), said << "\ninstead of " << start << "\nof " << text);
  }
}

// A price of one family may stand beside the price for all others.
BOOST_AUTO_TEST_CASE(a_price_has_one_row_a_family) {
  const std::string general = price(kMod);
  const std::string mod = price(with(kMod, {{"family", "'mod'"}}));
  BOOST_TEST(refusal(general + mod) == "none");
  BOOST_TEST(begins(refusal(mod + mod), "mine.toml:13:1: another price of indexer.index"));
  BOOST_TEST(begins(refusal(general + mod + general), "mine.toml:24:1: another price"));
}

BOOST_AUTO_TEST_CASE(a_table_holds_what_its_file_says) {
  const PriceTable table = tableOf(
      "description = 'd'\nothers = ['filter']\n[scaling]\naccess = 0.25\nleakage = 1.5\n"
      "source = 'law'\n" +
      price("scratchpad.read", {"0.5", "1", "2.5"}, "nJ", {{"bytes", "64"}}) +
      price("crossbar.wire", {"1", "2", "3"}, "pJ/bit/mm",
            {{"wire_pitch_um", "2.5"}, {"voltage", "'not stated'"}, {"relative", "true"}}) +
      price("filter.pass", {"0", "0", "0"}, "fJ", {{"temperature", "'not stated'"}}));
  BOOST_TEST(table.name == "mine");
  BOOST_TEST(table.description == "d");
  BOOST_TEST(table.accessExponent == 0.25);
  BOOST_TEST(table.leakageExponent == 1.5);
  BOOST_TEST(table.lawSource == "law");
  BOOST_TEST(table.isOther("filter"));
  BOOST_TEST(!table.isOther("scratchpad"));
  BOOST_TEST_REQUIRE(table.prices.size() == 3U);
  const Price& read = table.prices[0];
  BOOST_TEST(read.component + "." + read.action == "scratchpad.read");
  BOOST_TEST((read.amounts == std::array<double, 3>{0.5, 1, 2.5}));
  BOOST_TEST((read.unit->kind == PriceUnit::Kind::Energy && read.unit->scale == 1e6));
  BOOST_TEST(read.node == 40.0);
  BOOST_TEST(read.voltage.value() == 0.9);
  BOOST_TEST(read.temperature.value() == 350.0);
  BOOST_TEST(read.bytes.value() == 64.0);
  BOOST_TEST(!read.relative);
  BOOST_TEST(read.source == "here");
  BOOST_TEST(read.where.line == 7U);
  const Price& wire = table.prices[1];
  BOOST_TEST((wire.unit->kind == PriceUnit::Kind::EnergyOfWire && wire.unit->scale == 1e3));
  BOOST_TEST(wire.wirePitch == 2.5e-3);
  BOOST_TEST(!wire.voltage.has_value());
  BOOST_TEST(!wire.bytes.has_value());
  BOOST_TEST(wire.relative);
  BOOST_TEST(!table.prices[2].temperature.has_value());
}

BOOST_AUTO_TEST_CASE(tables_are_found_by_name_or_path) {
  const auto says = [](const std::string& name) {
    return messageOf([&] { openPriceTable(name); });
  };
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return (folder / name).string(); };
  fs::create_directory(folder / "folder.toml");
  folder.put("plain", price());
  BOOST_TEST(says("fermi-40nm") == "none");
  BOOST_TEST(says(path("plain")) == "none");  // a path with any name
  BOOST_TEST(says("fermi") ==
             "unknown table of prices 'fermi'; expected one of ami-32nm, fermi-40nm, or the path "
             "of a .toml file");
  BOOST_TEST(begins(says(""), "unknown table of prices ''"));
  BOOST_TEST(says(path("folder.toml")) ==
             "'" + path("folder.toml") + "' is a folder; expected a table of prices in TOML");
  for (const char* missing : {"none.toml", "no/such.toml"}) {
    BOOST_TEST(says(path(missing)) ==
               path(missing) + ": cannot be read; expected a table of prices in TOML");
  }
}

BOOST_AUTO_TEST_SUITE_END()
