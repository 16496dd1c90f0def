// Puts blocks of RTL into a streaming multiprocessor, according to rtl.*.
#pragma once

#include <fermata/models/memory/lock_unit.h>
#include <fermata/models/memory/scratchpad.h>
#include <fermata/models/rtl/lockstep.h>
#include <fermata/models/rtl/waves.h>
#include <fermata/models/timing/clock_domain.h>
#include <fermata/platforms/compose/cache_checks.h>
#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/connector.h>

#include <memory>
#include <string>

namespace fermata::platforms {

/// Throws InputError if a block cannot do what the platform asks of it. Sets `verify` if the
/// scratchpad is a block: its banks hold data.
void checkRtl(PlatformParameters& parameters, const PlaceOf& placeOf,
              const StandsAgainst& standsAgainst);

/// Makes the modules that blocks may replace; rtl.* says which are blocks. Throws InputError at the
/// parameter if there is no such block.
class RtlParts {
 public:
  /// `waves` may be null; signals of the blocks are named under the multiprocessor.
  RtlParts(std::string sm, const Configuration& configuration, const ClockDomain& domain,
           Connector& connector, rtl::Waves* waves);

  std::shared_ptr<const indexing::Indexer> indexer(
      std::shared_ptr<const indexing::Indexer> model) const;
  /// Returns null if the crossbar uses its own rule.
  std::shared_ptr<Arbiter> arbiter(std::uint32_t banks) const;
  std::unique_ptr<Scratchpad> scratchpad(const Scratchpad::Parameters& parameters) const;
  std::unique_ptr<LockUnit> lockUnit(const LockUnit::Parameters& parameters,
                                     std::shared_ptr<const indexing::Indexer> locks,
                                     Probe* probe) const;
  /// Returns a memory in the place of arbiter and scratchpad, or null if the connector gives none.
  /// Throws InputError if the platform asks for something that only arbiter and scratchpad do.
  std::unique_ptr<rtl::BlockMemory> blockMemory(
      const rtl::BlockMemory::Parameters& parameters) const;

 private:
  template <class Make>
  auto make(const char* path, rtl::Implementation how, Make make) const;

  std::string sm_;
  const Configuration& configuration_;
  const ClockDomain& domain_;
  Connector& connector_;
  rtl::Waves* waves_;
  rtl::Now now_;
};

}  // namespace fermata::platforms
