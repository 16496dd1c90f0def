// What blocks of RTL do in a streaming multiprocessor, as rtl.* says.
#pragma once

#include <fermata/models/memory/lock_unit.h>
#include <fermata/models/memory/scratchpad.h>
#include <fermata/models/rtl/lockstep.h>
#include <fermata/models/rtl/waves.h>
#include <fermata/platforms/compose/cache_checks.h>
#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/connector.h>

#include <memory>
#include <string>

namespace fermata::platforms {

/// Throws InputError where a block cannot do what the platform asks of it. Banks of RTL hold data:
/// they make `verify` true.
void checkRtl(PlatformParameters& parameters, const PlaceOf& placeOf,
              const StandsAgainst& standsAgainst);

/// Makes the modules that may be blocks: the model's own, where rtl.* says so. A block that there
/// is not is an InputError at its parameter.
class RtlParts {
 public:
  /// `waves` may be null; its signals stand under the name of the multiprocessor.
  RtlParts(std::string sm, const Configuration& configuration, const ClockDomain& domain,
           Connector& connector, rtl::Waves* waves);

  std::shared_ptr<const indexing::Indexer> indexer(
      std::shared_ptr<const indexing::Indexer> model) const;
  /// Null: the crossbar's own rule.
  std::shared_ptr<Arbiter> arbiter(std::uint32_t banks) const;
  std::unique_ptr<Scratchpad> scratchpad(const Scratchpad::Parameters& parameters) const;
  std::unique_ptr<LockUnit> lockUnit(const LockUnit::Parameters& parameters,
                                     std::shared_ptr<const indexing::Indexer> locks,
                                     Probe* probe) const;
  /// In the place of arbiter and scratchpad; null: none. Throws InputError where the platform asks
  /// for something that only those do.
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
