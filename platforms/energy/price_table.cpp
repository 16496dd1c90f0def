#include <fermata/platforms/energy/price_table.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fermata/models/indexing/families.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/toml/toml_table.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

using Kind = PriceUnit::Kind;

constexpr std::array<PriceUnit, 9> kUnits{{{"fJ", Kind::Energy, 1},
                                           {"pJ", Kind::Energy, 1e3},
                                           {"nJ", Kind::Energy, 1e6},
                                           {"fJ/bit/mm", Kind::EnergyOfWire, 1},
                                           {"pJ/bit/mm", Kind::EnergyOfWire, 1e3},
                                           {"nW", Kind::Power, 1},
                                           {"uW", Kind::Power, 1e3},
                                           {"mW", Kind::Power, 1e6},
                                           {"W", Kind::Power, 1e9}}};

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::vector<std::string> actionsOf(const std::string& component) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < kEnergyActions; ++i) {
    const EnergyActionText& text = describe(static_cast<EnergyAction>(i));
    if (text.component == component) names.emplace_back(text.action);
  }
  names.emplace_back(kLeakageAction);
  names.emplace_back(kClockAction);
  return names;
}

bool isIndexer(const std::string& component) {
  return component == "indexer" || component == "l1_indexer";
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Reads one [[price]].
class PriceReader {
 public:
  PriceReader(TomlTable& toml, const PriceTable& table) : toml_(toml), table_(table) {}

  Price read() {
    price_.where = toml_.where();
    component();
    family();
    unit();
    amounts();
    conditions();
    capacity();
    price_.relative = toml_.flag("relative", false);
    toml_.refuseOtherKeys();
    return price_;
  }

 private:
  [[noreturn]] void refuse(const std::string& key, const std::string& what) {
    throw InputError(toml_.where(key), what);
  }

  void component() {
    price_.component = toml_.text("component");
    price_.action = toml_.text("action");
    if (table_.isOther(price_.component)) {
      if (price_.action.empty()) refuse("action", "'action' is empty; expected a name");
      return;
    }
    if (!isEnergyComponent(price_.component)) {
      std::vector<std::string> known;
      for (const std::string_view name : energyComponents()) known.emplace_back(name);
      refuse("component", "unknown component '" + price_.component + "'; expected one of " +
                              joined(known) +
                              ", or of a module of your own that the table's 'others' names");
    }
    const std::vector<std::string> actions = actionsOf(price_.component);
    if (contains(actions, price_.action)) return;
    refuse("action", "unknown action '" + price_.action + "' of " + price_.component +
                         "; expected one of " + joined(actions));
  }

  void family() {
    price_.family = toml_.text("family", "");
    if (!toml_.has("family")) return;
    if (!isIndexer(price_.component))
      refuse("family", "'family' of " + price_.component + "; expected it of an indexer only");
    std::vector<std::string> known;
    for (const indexing::Family& family : indexing::families()) known.push_back(family.name);
    if (contains(known, price_.family)) return;
    refuse("family", "unknown family '" + price_.family + "'; expected one of " + joined(known));
  }

  void unit() {
    const std::string text = toml_.text("unit");
    const bool leaks = price_.action == kLeakageAction;
    const bool wire = price_.component == "crossbar" && price_.action == "wire";
    std::vector<std::string> allowed;
    for (const PriceUnit& unit : kUnits) {
      const bool fits =
          leaks ? unit.kind == Kind::Power
                : unit.kind == Kind::Energy || (wire && unit.kind == Kind::EnergyOfWire);
      if (!fits) continue;
      allowed.emplace_back(unit.name);
      if (text == unit.name) price_.unit = &unit;
    }
    if (price_.unit == nullptr) {
      refuse("unit", "unknown unit '" + text + "' of " + price_.component + "." + price_.action +
                         "; expected one of " + joined(allowed));
    }
    if (price_.unit->kind == Kind::EnergyOfWire) price_.wirePitch = wirePitch();
  }

  double wirePitch() {
    const double micrometres = number("wire_pitch_um");
    constexpr double kMost = 1000;
    if (!(micrometres > 0 && micrometres <= kMost))
      refuse("wire_pitch_um",
             "'wire_pitch_um' is none; expected micrometres from wire to wire, "
             "above 0, up to 1000");
    return micrometres * 1e-3;
  }

  double number(const std::string& key) {
    toml_.require(key);
    return toml_.real(key, 0);
  }

  void amounts() {
    const char* const keys[] = {"low", "nominal", "high"};
    for (unsigned i = 0; i < price_.amounts.size(); ++i) {
      const double amount = number(keys[i]);
      if (!(amount >= 0) || amount * price_.unit->scale > mostOf(*price_.unit)) {
        refuse(keys[i], std::string("'") + keys[i] + "' of " + price_.component + "." +
                            price_.action + " is no price; expected 0 or more, up to 1 uJ or kW");
      }
      if (i != 0 && amount < price_.amounts[i - 1]) {
        refuse(keys[i], std::string("'") + keys[i] + "' is below '" + keys[i - 1] +
                            "'; expected low, nominal and high in this order");
      }
      price_.amounts[i] = amount;
    }
  }

  /// Reads a number above 0; nothing for "not stated".
  std::optional<double> stated(const std::string& key, const char* unit) {
    const toml::node& node = toml_.require(key);
    if (const auto* text = node.as_string(); text != nullptr && text->get() == "not stated")
      return {};
    const bool isNumber = node.is_integer() || node.is_floating_point();
    const double value = isNumber ? toml_.real(key, 0) : 0;
    if (value > 0 && std::isfinite(value)) return value;
    refuse(key, "'" + key + "' is none; expected a number of " + unit + ", or \"not stated\"");
  }

  void conditions() {
    price_.node = number("node");
    if (!(price_.node > 0) || !std::isfinite(price_.node))
      refuse("node", "'node' is none; expected the nanometres of a process");
    price_.voltage = stated("voltage", "volts");
    price_.temperature = stated("temperature", "kelvins");
    price_.source = toml_.text("source");
    if (price_.source.empty())
      refuse("source", "a price without a source; expected where it comes from");
  }

  void capacity() {
    if (!toml_.has("bytes")) return;
    const double bytes = toml_.real("bytes", 0);
    if (!(bytes > 0) || !std::isfinite(bytes))
      refuse("bytes", "'bytes' is no capacity; expected bytes of what the price is of");
    const bool leaks = price_.action == kLeakageAction;
    if (table_.isOther(price_.component) || price_.action == kClockAction ||
        price_.unit->kind == Kind::EnergyOfWire) {
      refuse("bytes", "'bytes' of " + price_.component + "." + price_.action +
                          "; expected it of accesses and leakage of memories");
    }
    if (!leaks && table_.accessExponent == 0)
      refuse("bytes", "no law for another capacity; expected [scaling] with access and source");
    price_.bytes = bytes;
  }

  TomlTable& toml_;
  const PriceTable& table_;
  Price price_;
};

void readScaling(TomlTable& file, PriceTable& table) {
  auto scaling = file.table("scaling", "'scaling'");
  if (!scaling) return;
  const auto exponent = [&](const char* key, double otherwise) {
    const double value = scaling->real(key, otherwise);
    constexpr double kMost = 4;
    if (value > 0 && value <= kMost) return value;
    throw InputError(scaling->where(key), std::string("'") + key +
                                              "' is no exponent of a capacity; expected above 0, "
                                              "up to 4");
  };
  scaling->require("access");
  table.accessExponent = exponent("access", 1);
  table.leakageExponent = exponent("leakage", 1);
  table.lawSource = scaling->text("source");
  if (table.lawSource.empty()) {
    throw InputError(scaling->where("source"),
                     "a law without a source; expected where it comes from");
  }
  scaling->refuseOtherKeys();
}

void readOthers(TomlTable& file, PriceTable& table) {
  table.others = file.texts("others");
  for (const std::string& name : table.others) {
    if (std::count(table.others.begin(), table.others.end(), name) != 1) {
      throw InputError(file.where("others"),
                       "'others' names '" + name + "' twice; expected each component once");
    }
    if (!name.empty() && name.find('.') == std::string::npos && !isEnergyComponent(name)) continue;
    throw InputError(
        file.where("others"),
        "'others' names '" + name + "'; expected components that the model has not, without a dot");
  }
}

void addPrice(PriceTable& table, Price price) {
  for (const Price& other : table.prices) {
    if (other.component != price.component || other.action != price.action ||
        other.family != price.family) {
      continue;
    }
    throw InputError(price.where, "another price of " + price.component + "." + price.action +
                                      " stands in line " + std::to_string(other.where.line) +
                                      "; expected one");
  }
  table.prices.push_back(std::move(price));
}

PriceTable readPriceTable(const fs::path& path) {
  const toml::table root = parseTomlFile(path.string(), "a table of prices in TOML");
  TomlTable file(root, path.string(), "a table of prices");
  PriceTable table;
  table.name = path.stem().string();
  table.where = {path.string()};
  table.description = file.text("description", "");
  readScaling(file, table);
  readOthers(file, table);
  for (TomlTable& toml : file.tablesOrRows("price", "a price"))
    addPrice(table, PriceReader(toml, table).read());
  file.refuseOtherKeys();
  if (table.prices.empty()) {
    throw InputError(table.where,
                     "the file has no price; expected [[price]] with component, action, low, "
                     "nominal, high, unit, node, voltage, temperature, source");
  }
  return table;
}

std::vector<fs::path> files() {
  const fs::path folder = fs::path(launch::dataDirectory()) / "energy";
  std::error_code missing;
  if (!fs::is_directory(folder, missing))
    throw InputError(folder.string() + ": no such folder; expected the tables of prices there");
  std::vector<fs::path> all;
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    if (file.path().extension() == ".toml") all.push_back(file.path());
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

bool PriceTable::isOther(const std::string& component) const {
  return contains(others, component);
}

PriceTable openPriceTable(const std::string& nameOrPath) {
  const bool isPath =
      nameOrPath.find('/') != std::string::npos || fs::path(nameOrPath).extension() == ".toml";
  if (isPath) return readPriceTable(nameOrPath);
  std::vector<std::string> known;
  for (const fs::path& file : files()) {
    if (file.stem() == nameOrPath) return readPriceTable(file);
    known.push_back(file.stem().string());
  }
  throw InputError("unknown table of prices '" + nameOrPath + "'; expected one of " +
                   joined(known) + ", or the path of a .toml file");
}

std::vector<PriceTable> listPriceTables() {
  std::vector<PriceTable> all;
  for (const fs::path& file : files()) all.push_back(readPriceTable(file));
  return all;
}

}  // namespace fermata::platforms
