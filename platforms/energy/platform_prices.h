// What a table of prices says of a platform: prices of its banks' size and of its mappings, and
// what stands of each component.
#pragma once

#include <fermata/models/power/energy_account.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/energy/price_table.h>

#include <memory>
#include <optional>
#include <string>

namespace fermata::platforms {

/// What of a component a platform has.
struct ComponentSize {
  std::uint64_t instances =
      0;                ///< on the chip: of what leakage and clock are priced; 0: it has none
  double bytes = 0;     ///< of an instance; 0: it is no memory
  double accessed = 0;  ///< of the array that an access goes to, which two may share
};
/// `component`: one of energyComponents().
ComponentSize sizeOf(const std::string& component, const PlatformParameters& platform);

/// The price of a component's action; null: there is none. An indexer's is that of its mapping's
/// family, or else the one without a family; of the L1's, where the table has none, that of the
/// scratchpad's.
const Price* findPrice(const PriceTable& table, const std::string& component,
                       const std::string& action, const PlatformParameters& platform);

/// Throws InputError at a price that rounds to no femtojoule and is not 0, or that the platform's
/// size makes more than mostOf its unit, and where power.clock_gating is off and no clock that the
/// platform has has a price.
EnergyPrices pricesOf(const PriceTable& table, const PlatformParameters& platform);

/// What somebody wants to know of the energy of runs.
struct EnergyRequest {
  PriceTable prices;
  Cycle window = 0;  ///< cycles; 0: no power over time
};
/// Null: nobody wants to. Throws as pricesOf(), and InputError where nobody wants to and
/// power.clock_gating, which would then say nothing, is off.
std::unique_ptr<EnergyAccount> openAccount(const std::optional<EnergyRequest>& request,
                                           const PlatformParameters& platform);

/// Throws InputError at the place of the table where a price is missing for an action that happened
/// in `run`.
void requirePrices(const PriceTable& table, const EnergyAccount& account, const std::string& run);

}  // namespace fermata::platforms
