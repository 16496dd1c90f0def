// One streaming multiprocessor, composed from its modules: what a platform file describes.
#pragma once

#include <fermata/models/core/sm_core.h>
#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/models/memory/coalescer.h>
#include <fermata/models/memory/crossbar.h>
#include <fermata/models/memory/flat_memory.h>
#include <fermata/models/memory/instruction_fetch.h>
#include <fermata/models/memory/lock_unit.h>
#include <fermata/models/memory/scratchpad.h>
#include <fermata/models/probe/probe_list.h>
#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/connector.h>
#include <fermata/platforms/compose/rtl_parts.h>

#include <memory>

namespace fermata::platforms {

/// Holds modules and their bindings; no behaviour of its own. Build it before the simulation
/// starts.
class StreamingMultiprocessor : public sc_core::sc_module {
 private:
  /// Declared first: the modules below are sized by it.
  std::shared_ptr<const indexing::Indexer> indexer_;
  PlatformParameters parameters_;  ///< with the shared values filled in
  RtlParts rtl_;

 public:
  /// `configuration` has been checked; `probe` may be null and must outlive the module. `domain` is
  /// shared by all multiprocessors of a chip. Unless memory is flat (isFlat) the caller binds
  /// toMemory(). `waves` gets the signals of blocks of RTL; it may be null.
  StreamingMultiprocessor(const sc_core::sc_module_name& name, const Configuration& configuration,
                          ClockDomain& domain, Probe* probe, Connector& connector,
                          rtl::Waves* waves = nullptr);

  SmCore core;
  AddressGenerationUnit agu;
  // Crossbar, locks and scratchpad: null if the connector binds a memory of its own.
  std::unique_ptr<Crossbar> crossbar;
  /// Between crossbar and scratchpad; null if atomics are not locked.
  std::unique_ptr<LockUnit> locks;
  std::unique_ptr<Scratchpad> scratchpad;
  std::unique_ptr<rtl::BlockMemory> blockMemory;  ///< in place of crossbar and scratchpad, or null
  // The global path: coalescer and memory, L1 and memory, the coalescer before DRAM, or the L1.
  std::unique_ptr<Coalescer> coalescer;
  std::unique_ptr<FlatMemory> memory;
  std::unique_ptr<L1Cache> l1;
  /// Fetches lines of instructions, by out(); null without instruction cache.
  std::unique_ptr<InstructionFetch> instructions;

  /// True if a try may leave lanes.
  bool leavesLanes() const {
    return (crossbar != nullptr && crossbar->leavesLanes()) || (l1 != nullptr && l1->leavesLanes());
  }
  /// Returns the socket of the global path that leaves the multiprocessor. Precondition: memory is
  /// not flat (isFlat).
  LineInitiatorSocket& toMemory() { return l1 != nullptr ? l1->out : coalescer->out; }
  /// True if no line of instructions is under way.
  bool quiet() const { return instructions == nullptr || instructions->quiet(); }
  const indexing::Indexer& indexer() const { return *indexer_; }
  /// Returns the number of lane accesses compared so far.
  std::uint64_t compared() const {
    return (scratchpad == nullptr ? 0 : scratchpad->compared()) +
           (blockMemory == nullptr ? 0 : blockMemory->compared()) +
           (l1 == nullptr ? 0 : l1->compared());
  }

 private:
  /// Returns whether the connector gave a memory of its own.
  bool composeBlockMemory(const Clock& clock, Probe* probe, Connector& connector);
  void composeShared(const Configuration& configuration, ClockDomain& domain, Probe* probe,
                     Connector& connector);
  void composeGlobal(const Clock& clock, Probe* probe, Connector& connector);
  void composeInstructions(const Clock& clock);
  void composeL1(const Clock& clock, Probe* probe, Connector& connector);
};

}  // namespace fermata::platforms
