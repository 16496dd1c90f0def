// Prices of a table applied to a platform: scaled to the size of its banks, chosen for its
// mappings, with the number of instances of each component.
#pragma once

#include <fermata/models/power/energy_account.h>
#include <fermata/platforms/energy/price_table.h>

#include <memory>
#include <optional>
#include <string>

namespace fermata::platforms {

struct PlatformParameters;

/// Size of a component on a platform.
struct ComponentSize {
  std::uint64_t instances = 0;  ///< on the chip, for leakage and clock; 0: absent
  double bytes = 0;             ///< per instance; 0: no memory
  /// Bytes of the array that an access goes to, which two components may share.
  double accessed = 0;
};
/// Returns the size of `component`, one of energyComponents().
ComponentSize sizeOf(const std::string& component, const PlatformParameters& platform);

/// Returns the price of a component's action; null if the table has none. For an indexer: the price
/// of its mapping's family, otherwise the one without a family. For the L1's indexer, if the table
/// has no price: that of the scratchpad's.
const Price* findPrice(const PriceTable& table, const std::string& component,
                       const std::string& action, const PlatformParameters& platform);

/// Returns the prices for the platform. Throws InputError at a price that is not 0 and rounds to 0
/// fJ, at a price that scales beyond mostOf its unit, and if power.clock_gating is off but no clock
/// of the platform has a price.
EnergyPrices pricesOf(const PriceTable& table, const PlatformParameters& platform);

/// Request for the energy of runs.
struct EnergyRequest {
  PriceTable prices;
  Cycle window = 0;  ///< cycles per window; 0: no power over time
};
/// Opens an account; null without a request. Throws what pricesOf() throws, and InputError if
/// power.clock_gating is off without a request: it would have no effect.
std::unique_ptr<EnergyAccount> openAccount(const std::optional<EnergyRequest>& request,
                                           const PlatformParameters& platform);

/// Throws InputError at the place of the table if an action that happened in `run` has no price.
void requirePrices(const PriceTable& table, const EnergyAccount& account, const std::string& run);

}  // namespace fermata::platforms
