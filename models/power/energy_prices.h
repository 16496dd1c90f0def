// What each action of a platform costs, and what its components take whether they act or not.
#pragma once

#include <fermata/models/power/energy.h>
#include <fermata/models/power/energy_action.h>

#include <map>
#include <string>
#include <vector>

namespace fermata {

struct EnergyPrices {
  /// Of a component of the whole chip, for as long as a run takes.
  struct Standing {
    std::string component;
    Power leakage;
    Energy clock;  ///< a cycle; 0 where the clock stands still with what it clocks
  };

  /// By EnergyAction; nothing: there is no price, and the action must not happen.
  std::array<std::optional<Energy>, kEnergyActions> actions;
  std::vector<Standing> standing;
  /// Prices for modules that are not the model's (EnergyHook), by "component.action".
  std::map<std::string, Energy, std::less<>> others;
};

}  // namespace fermata
