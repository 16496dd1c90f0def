// The price of each action of a platform, and what its components take even if they do not act.
#pragma once

#include <fermata/models/power/energy.h>
#include <fermata/models/power/energy_action.h>

#include <map>
#include <string>
#include <vector>

namespace fermata {

struct EnergyPrices {
  /// Energy that a component takes all the time, in all its instances on the chip.
  struct Standing {
    std::string component;
    Power leakage;
    Energy clock;  ///< per cycle; 0 if clocks are gated
  };

  /// By EnergyAction; nothing: the action has no price and must not happen.
  std::array<std::optional<Energy>, kEnergyActions> actions;
  std::vector<Standing> standing;
  /// Prices of modules that are not part of the model (EnergyHook), by "component.action".
  std::map<std::string, Energy, std::less<>> others;
};

}  // namespace fermata
