// Energy of a run as tables: energy.csv has one row per component and action, power.csv one row per
// window and component.
#pragma once

#include <functional>

#include <fermata/models/power/energy_account.h>
#include <fermata/platforms/compose/figure_table.h>

namespace fermata::platforms {

inline constexpr const char* kEnergyFile = "energy.csv";
inline constexpr const char* kPowerFile = "power.csv";

results::Columns energyColumns();
/// Returns the rows; energies are empty if an action has no price.
std::vector<results::Row> energyRows(const EnergyAccount& account);

results::Columns powerColumns();
/// Calls visit(row) in the order of time; never if the account has no windows.
void forEachPowerRow(const EnergyAccount& account,
                     const std::function<void(const results::Row&)>& visit);

}  // namespace fermata::platforms
