// One streaming multiprocessor, composed from its modules: what a platform file describes.
#pragma once

#include <functional>
#include <memory>

#include <fermata/models/core/sm_core.h>
#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/models/memory/coalescer.h>
#include <fermata/models/memory/crossbar.h>
#include <fermata/models/memory/flat_memory.h>
#include <fermata/models/memory/scratchpad.h>
#include <fermata/models/probe/probe_list.h>
#include <fermata/platforms/compose/configuration.h>

namespace fermata::platforms {

/// The modules' parameters that a platform's parameters stand for.
SmCore::Parameters coreParameters(const PlatformParameters& p);
AddressGenerationUnit::Parameters aguParameters(const PlatformParameters& p);
Crossbar::Parameters crossbarParameters(const PlatformParameters& p,
                                        const indexing::Indexer& indexer);
Scratchpad::Parameters scratchpadParameters(const PlatformParameters& p,
                                            const indexing::Indexer& indexer);

/// How two modules of the path are joined; whoever gives one may put a module of his own between
/// them.
using Connect = std::function<void(WarpInitiatorSocket&, WarpTargetSocket&)>;
void connectDirectly(WarpInitiatorSocket& from, WarpTargetSocket& to);

/// Modules and their bindings; no behaviour of its own. Build it before the simulation starts.
class StreamingMultiprocessor : public sc_core::sc_module {
 private:
  std::shared_ptr<const indexing::Indexer> indexer_;  ///< first: the modules below are sized by it

 public:
  /// `configuration` has been checked; `probe` may be null and must outlive the module.
  StreamingMultiprocessor(const sc_core::sc_module_name& name, const Configuration& configuration,
                          Probe* probe, const Connect& connect = connectDirectly);

  ClockDomain domain;
  SmCore core;
  AddressGenerationUnit agu;
  Crossbar crossbar;
  Scratchpad scratchpad;
  Coalescer coalescer;
  FlatMemory memory;

  const indexing::Indexer& indexer() const { return *indexer_; }
};

}  // namespace fermata::platforms
