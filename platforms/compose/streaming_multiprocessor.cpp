#include <fermata/platforms/compose/streaming_multiprocessor.h>

#include <fermata/platforms/compose/cache_checks.h>
#include <fermata/platforms/compose/parameters.h>

namespace fermata::platforms {

namespace {

/// Fills in the values that several modules share and the configuration holds once.
PlatformParameters shared(PlatformParameters p, const indexing::Indexer& indexer) {
  p.scratchpad.banks = indexer.shape().banks;
  p.agu.scratchpad = p.scratchpad;
  p.crossbar.banks = p.scratchpad.banks;
  p.core.limits = occupancyLimits(p);
  p.agu.windowUnit = p.core.limits.sharedUnit;
  p.core.verify = p.verify;
  p.crossbar.policyValues = p.policyValues;
  p.l1.policyValues = p.policyValues;
  p.l1.verify = p.verify && p.globalMemory == GlobalMemory::Caches;  // flat memory has no data
  p.lock.unit.behind = p.scratchpad.latency;
  if (isFlat(p.globalMemory)) p.core.issue.instructions.bytes = 0;
  p.l1.groups = p.crossbar.groups;
  p.l1.groups.packing64 = p.l1.groups.packing128 = LanePacking();  // shared loads alone pack
  return p;
}

}  // namespace

StreamingMultiprocessor::StreamingMultiprocessor(const sc_core::sc_module_name& name,
                                                 const Configuration& configuration,
                                                 ClockDomain& domain, Probe* probe,
                                                 Connector& connector, rtl::Waves* waves)
    : sc_module(name),
      indexer_(configuration.buildIndexer()),
      parameters_(shared(configuration.parameters(), *indexer_)),
      rtl_(this->name(), configuration, domain, connector, waves),
      core("core", domain, parameters_.core, probe),
      agu("agu", domain.clock(), parameters_.agu, rtl_.indexer(indexer_)) {
  connector.joinWarp(core.port.shared, agu.in);
  if (!composeBlockMemory(domain.clock(), probe, connector))
    composeShared(configuration, domain, probe, connector);
  composeGlobal(domain.clock(), probe, connector);
  if (parameters_.core.issue.instructions.bytes != 0) composeInstructions(domain.clock());
}

bool StreamingMultiprocessor::composeBlockMemory(const Clock& clock, Probe* probe,
                                                 Connector& connector) {
  blockMemory = rtl_.blockMemory({clock, parameters_.scratchpad, indexer_->rows(), indexer_->text(),
                                  parameters_.scratchpad.latency, probe});
  if (blockMemory == nullptr) return false;
  connector.joinWarp(agu.out, blockMemory->in);
  return true;
}

void StreamingMultiprocessor::composeShared(const Configuration& configuration, ClockDomain& domain,
                                            Probe* probe, Connector& connector) {
  Crossbar::Parameters p = parameters_.crossbar;
  p.arbiter = rtl_.arbiter(p.banks);
  crossbar = std::make_unique<Crossbar>("crossbar", domain.clock(), p, probe);
  const ScratchpadParameters& s = parameters_.scratchpad;
  scratchpad = rtl_.scratchpad({s.latency, s, indexer_->rows(), parameters_.verify});
  connector.joinWarp(agu.out, crossbar->in);
  if (crossbar->locks()) {
    locks = rtl_.lockUnit(parameters_.lock.unit, configuration.buildLocks(), probe);
    connector.joinWarp(crossbar->out, locks->in);
    connector.joinWarp(locks->out, scratchpad->in);
  } else {
    connector.joinWarp(crossbar->out, scratchpad->in);
  }
  if (crossbar->leavesLanes()) core.mayLeaveLanes(MemoryPath::Shared);
}

void StreamingMultiprocessor::composeGlobal(const Clock& clock, Probe* probe,
                                            Connector& connector) {
  if (hasL1(parameters_.globalMemory)) return composeL1(clock, probe, connector);
  const bool dram = parameters_.globalMemory == GlobalMemory::Dram;
  Coalescer::Parameters parameters = parameters_.coalescer;
  parameters.instructions = dram;
  coalescer = std::make_unique<Coalescer>("coalescer", clock, parameters, probe);
  connector.joinWarp(core.port.global, coalescer->in);
  if (dram) return;
  memory = std::make_unique<FlatMemory>("memory", clock, parameters_.memory);
  connector.joinLine(coalescer->out, memory->in);
}

void StreamingMultiprocessor::composeInstructions(const Clock& clock) {
  const InstructionCacheParameters& p = parameters_.core.issue.instructions;
  instructions =
      std::make_unique<InstructionFetch>("instructions", clock, p.lineBytes, p.mshrs + p.prefetch);
  core.fetchFrom(*instructions);
}

void StreamingMultiprocessor::composeL1(const Clock& clock, Probe* probe, Connector& connector) {
  L1Cache::Parameters p = parameters_.l1;
  p.tagBanks = l1Tags(parameters_);
  if (parameters_.l1.array == L1Array::Scratchpad && crossbar != nullptr) {
    p.data = crossbar->array();
    // Both ways to the array are as long: it serves tries in the order of their issue.
    p.wayToData = parameters_.agu.latency + indexer_->cost().latency;
  }
  l1 = std::make_unique<L1Cache>("l1", clock, p, l1Sets(parameters_), l1Banks(parameters_), probe);
  connector.joinWarp(core.port.global, l1->in);
  if (l1->leavesLanes()) core.mayLeaveLanes(MemoryPath::Global);
  if (parameters_.globalMemory != GlobalMemory::L1) return;
  FlatMemory::Parameters flat = parameters_.memory;
  if (p.fetch == Fetch::Sectors) flat.segmentBytes = p.shape.lineBytes;
  memory = std::make_unique<FlatMemory>("memory", clock, flat);
  connector.joinLine(l1->out, memory->in);
}

}  // namespace fermata::platforms
