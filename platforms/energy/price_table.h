// A table of prices as its file gives it: the cost of each action of a component, with the node,
// voltage, temperature and source of each price. See README.md for the format.
#pragma once

#include <fermata/models/power/energy_action.h>
#include <fermata/stimuli/input_error.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Unit of a price: an energy, an energy per bit and mm of wire, or a power.
struct PriceUnit {
  enum class Kind : std::uint8_t { Energy, EnergyOfWire, Power };
  const char* name;
  Kind kind;
  double scale;  ///< factor to fJ, fJ/bit/mm or nW
};

/// Returns the highest amount that a price may have, in fJ, fJ/bit/mm or nW. Sums of a run then
/// stay far below the limit of 64 bits.
constexpr double mostOf(const PriceUnit& unit) {
  return unit.kind == PriceUnit::Kind::Power ? 1e12 : 1e9;
}

struct Price {
  std::string component;
  std::string action;  ///< action of the component; or "leakage", "clock"
  /// Family of an indexer's mapping; empty: families without a price of their own.
  std::string family;
  std::array<double, 3> amounts{};  ///< low, nominal, high, in `unit`
  const PriceUnit* unit = nullptr;
  double node = 0;                    ///< nm
  std::optional<double> voltage;      ///< V; nothing: not stated by the source
  std::optional<double> temperature;  ///< K; nothing: not stated by the source
  std::optional<double> bytes;        ///< capacity that the price is for; nothing: any
  double wirePitch = 0;               ///< EnergyOfWire only: mm from wire to wire
  bool relative = false;              ///< usable to compare, not as an amount
  std::string source;
  SourceLocation where;
};

struct PriceTable {
  std::string name;  ///< name of the file without its folder
  std::string description;
  std::vector<Price> prices;
  /// Modules that are not the model's: their prices are for hooks.
  std::vector<std::string> others;
  /// Exponents of the capacity that scale a price to another capacity: accesses and leakage.
  double accessExponent = 0;
  double leakageExponent = 1;
  std::string lawSource;
  SourceLocation where;

  bool isOther(const std::string& component) const;
};

/// Opens a table by name (in the data directory) or by the path of a .toml file. Throws InputError
/// with file, line and column for an unknown component, action, family or unit, a negative price,
/// bounds out of order, or a price without a source.
PriceTable openPriceTable(const std::string& nameOrPath);
/// Returns every table of the data directory, by name.
std::vector<PriceTable> listPriceTables();

}  // namespace fermata::platforms
