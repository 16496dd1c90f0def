#include <fermata/platforms/energy/price_table.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fermata/models/indexing/families.h>
#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/refuse.h>
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
  void component() {
    price_.component = toml_.text("component");
    price_.action = toml_.text("action");
    if (table_.isOther(price_.component)) {
      if (price_.action.empty())
        refuse(toml_.where("action"), "'action' is empty; expected a name");
      return;
    }
    if (!isEnergyComponent(price_.component)) {
      std::vector<std::string> known;
      for (const std::string_view name : energyComponents()) known.emplace_back(name);
      refuse(toml_.where("component"),
             "unknown component '{}'; expected one of {}, or of a module of your own that the "
             "table's 'others' names",
             price_.component, joined(known));
    }
    const std::vector<std::string> actions = actionsOf(price_.component);
    if (contains(actions, price_.action)) return;
    refuse(toml_.where("action"), "unknown action '{}' of {}; expected one of {}", price_.action,
           price_.component, joined(actions));
  }

  void family() {
    price_.family = toml_.text("family", "");
    if (!toml_.has("family")) return;
    if (!isIndexer(price_.component))
      refuse(toml_.where("family"), "'family' of {}; expected it of an indexer only",
             price_.component);
    std::vector<std::string> known;
    for (const indexing::Family& family : indexing::families()) known.push_back(family.name);
    if (contains(known, price_.family)) return;
    refuse(toml_.where("family"), "unknown family '{}'; expected one of {}", price_.family,
           joined(known));
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
    if (price_.unit == nullptr)
      refuse(toml_.where("unit"), "unknown unit '{}' of {}.{}; expected one of {}", text,
             price_.component, price_.action, joined(allowed));
    if (price_.unit->kind == Kind::EnergyOfWire) price_.wirePitch = wirePitch();
  }

  double wirePitch() {
    const double micrometres = number("wire_pitch_um");
    constexpr double kMost = 1000;
    if (!(micrometres > 0 && micrometres <= kMost))
      refuse(
          toml_.where("wire_pitch_um"),
          "'wire_pitch_um' is none; expected micrometres from wire to wire, above 0, up to 1000");
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
      if (!(amount >= 0) || amount * price_.unit->scale > mostOf(*price_.unit))
        refuse(toml_.where(keys[i]),
               "'{}' of {}.{} is no price; expected 0 or more, up to 1 uJ or kW", keys[i],
               price_.component, price_.action);
      if (i != 0 && amount < price_.amounts[i - 1])
        refuse(toml_.where(keys[i]),
               "'{}' is below '{}'; expected low, nominal and high in this order", keys[i],
               keys[i - 1]);
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
    refuse(toml_.where(key), "'{}' is none; expected a number of {}, or \"not stated\"", key, unit);
  }

  void conditions() {
    price_.node = number("node");
    if (!(price_.node > 0) || !std::isfinite(price_.node))
      refuse(toml_.where("node"), "'node' is none; expected the nanometres of a process");
    price_.voltage = stated("voltage", "volts");
    price_.temperature = stated("temperature", "kelvins");
    price_.source = toml_.text("source");
    if (price_.source.empty())
      refuse(toml_.where("source"), "a price without a source; expected where it comes from");
  }

  void capacity() {
    if (!toml_.has("bytes")) return;
    const double bytes = toml_.real("bytes", 0);
    if (!(bytes > 0) || !std::isfinite(bytes))
      refuse(toml_.where("bytes"),
             "'bytes' is no capacity; expected bytes of what the price is of");
    const bool leaks = price_.action == kLeakageAction;
    if (table_.isOther(price_.component) || price_.action == kClockAction ||
        price_.unit->kind == Kind::EnergyOfWire)
      refuse(toml_.where("bytes"),
             "'bytes' of {}.{}; expected it of accesses and leakage of memories", price_.component,
             price_.action);
    if (!leaks && table_.accessExponent == 0)
      refuse(toml_.where("bytes"),
             "no law for another capacity; expected [scaling] with access and source");
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
    refuse(scaling->where(key), "'{}' is no exponent of a capacity; expected above 0, up to 4",
           key);
  };
  scaling->require("access");
  table.accessExponent = exponent("access", 1);
  table.leakageExponent = exponent("leakage", 1);
  table.lawSource = scaling->text("source");
  if (table.lawSource.empty())
    refuse(scaling->where("source"), "a law without a source; expected where it comes from");
  scaling->refuseOtherKeys();
}

void readOthers(TomlTable& file, PriceTable& table) {
  table.others = file.texts("others");
  for (const std::string& name : table.others) {
    if (std::count(table.others.begin(), table.others.end(), name) != 1)
      refuse(file.where("others"), "'others' names '{}' twice; expected each component once", name);
    if (!name.empty() && name.find('.') == std::string::npos && !isEnergyComponent(name)) continue;
    refuse(file.where("others"),
           "'others' names '{}'; expected components that the model has not, without a dot", name);
  }
}

void addPrice(PriceTable& table, Price price) {
  for (const Price& other : table.prices) {
    if (other.component != price.component || other.action != price.action ||
        other.family != price.family) {
      continue;
    }
    refuse(price.where, "another price of {}.{} stands in line {}; expected one", price.component,
           price.action, other.where.line);
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
  if (table.prices.empty())
    refuse(table.where,
           "the file has no price; expected [[price]] with component, action, low, nominal, high, "
           "unit, node, voltage, temperature, source");
  return table;
}

std::vector<fs::path> files() {
  const fs::path folder = fs::path(launch::dataDirectory()) / "energy";
  std::error_code missing;
  if (!fs::is_directory(folder, missing))
    refuse("{}: no such folder; expected the tables of prices there", folder.string());
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
  refuseFolder(nameOrPath, "a table of prices: a name or a .toml file");
  refuse("unknown table of prices '{}'; expected one of {}, or the path of a .toml file",
         nameOrPath, joined(known));
}

std::vector<PriceTable> listPriceTables() {
  std::vector<PriceTable> all;
  for (const fs::path& file : files()) all.push_back(readPriceTable(file));
  return all;
}

}  // namespace fermata::platforms
