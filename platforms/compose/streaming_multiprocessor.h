// One streaming multiprocessor, composed from its modules: what a platform file describes.
#pragma once

#include <fermata/models/core/sm_core.h>
#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/models/memory/coalescer.h>
#include <fermata/models/memory/crossbar.h>
#include <fermata/models/memory/flat_memory.h>
#include <fermata/models/memory/lock_unit.h>
#include <fermata/models/memory/scratchpad.h>
#include <fermata/models/probe/probe_list.h>
#include <fermata/platforms/compose/configuration.h>

#include <memory>

namespace fermata::platforms {

/// How two modules of the path are joined; whoever derives from it may put a module of his own
/// between them.
class Connector {
 public:
  virtual ~Connector() = default;
  virtual void joinWarp(WarpInitiatorSocket& from, WarpTargetSocket& to) { from.bind(to); }
  virtual void joinLine(LineInitiatorSocket& from, LineTargetSocket& to) { from.bind(to); }
  /// A memory of one's own behind the L2, in the place of Dram: binds it and returns true.
  virtual bool bindMemory(LineInitiatorSocket&) { return false; }
};

/// Modules and their bindings; no behaviour of its own. Build it before the simulation starts.
class StreamingMultiprocessor : public sc_core::sc_module {
 private:
  std::shared_ptr<const indexing::Indexer> indexer_;  ///< first: the modules below are sized by it
  PlatformParameters parameters_;                     ///< with what the modules share filled in

 public:
  /// `configuration` has been checked; `probe` may be null and must outlive the module. `domain`
  /// is shared by all of a chip. With global.memory = "caches" l1->out is left to be bound.
  StreamingMultiprocessor(const sc_core::sc_module_name& name, const Configuration& configuration,
                          ClockDomain& domain, Probe* probe, Connector& connector);

  SmCore core;
  AddressGenerationUnit agu;
  Crossbar crossbar;
  std::unique_ptr<LockUnit> locks;  ///< between these two; null where atomics are not locked
  Scratchpad scratchpad;
  // The global path: these two, or the L1 and what is behind it.
  std::unique_ptr<Coalescer> coalescer;
  std::unique_ptr<FlatMemory> memory;
  std::unique_ptr<L1Cache> l1;

  /// Some try may leave lanes.
  bool leavesLanes() const {
    return crossbar.leavesLanes() || (l1 != nullptr && l1->leavesLanes());
  }
  const indexing::Indexer& indexer() const { return *indexer_; }
};

}  // namespace fermata::platforms
