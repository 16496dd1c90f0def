// A table of prices as its file gives it: what each action of a component costs, with the node, the
// voltage, the temperature and the source of each price. See README.md for the format.
#pragma once

#include <fermata/models/power/energy_action.h>
#include <fermata/stimuli/input_error.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// What a price is in: an energy, an energy a bit and mm of wire, a power.
struct PriceUnit {
  enum class Kind : std::uint8_t { Energy, EnergyOfWire, Power };
  const char* name;
  Kind kind;
  double scale;  ///< to fJ, fJ/bit/mm or nW
};

/// The highest amount that is a price, in fJ, fJ/bit/mm or nW: sums of a run stay far below what
/// 64 bits hold.
constexpr double mostOf(const PriceUnit& unit) {
  return unit.kind == PriceUnit::Kind::Power ? 1e12 : 1e9;
}

struct Price {
  std::string component;
  std::string action;               ///< of the component; or "leakage", "clock"
  std::string family;               ///< of an indexer's mapping; empty: of those without their own
  std::array<double, 3> amounts{};  ///< low, nominal, high, in `unit`
  const PriceUnit* unit = nullptr;
  double node = 0;                    ///< nm
  std::optional<double> voltage;      ///< V; nothing: the source does not say
  std::optional<double> temperature;  ///< K; the same
  std::optional<double> bytes;        ///< capacity that it is for; nothing: it is of any
  double wirePitch = 0;               ///< of EnergyOfWire, mm from wire to wire
  bool relative = false;              ///< of use to compare, not as an amount
  std::string source;
  SourceLocation where;
};

struct PriceTable {
  std::string name;  ///< the file's, without its folder
  std::string description;
  std::vector<Price> prices;
  /// Of modules that are not the model's: their prices are for hooks.
  std::vector<std::string> others;
  /// What a capacity is to the power of, to price another: of an access, and of leakage.
  double accessExponent = 0;
  double leakageExponent = 1;
  std::string lawSource;
  SourceLocation where;

  bool isOther(const std::string& component) const;
};

/// By name (one of the data directory), or by the path of a .toml file. Throws InputError with
/// file, line and column: of an unknown component, action, family or unit, a negative price, bounds
/// that do not stand in their order, a price without a source.
PriceTable openPriceTable(const std::string& nameOrPath);
/// Every table of the data directory, by name.
std::vector<PriceTable> listPriceTables();

}  // namespace fermata::platforms
