// One streaming multiprocessor, composed from its modules: what a platform file describes.
#pragma once

#include <functional>
#include <memory>

#include "models/core/sm_core.h"
#include "models/memory/address_generation_unit.h"
#include "models/memory/coalescer.h"
#include "models/memory/crossbar.h"
#include "models/memory/flat_memory.h"
#include "models/memory/scratchpad.h"
#include "models/probe/probe_list.h"
#include "platforms/configuration.h"

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
