#include <fermata/platforms/compose/streaming_multiprocessor.h>

namespace fermata::platforms {

namespace {

/// What several modules must agree on stands in the configuration once.
PlatformParameters shared(PlatformParameters p, const indexing::Indexer& indexer) {
  p.scratchpad.banks = indexer.shape().banks;
  p.agu.scratchpad = p.scratchpad;
  p.crossbar.banks = p.scratchpad.banks;
  p.core.limits = occupancyLimits(p);
  p.core.verify = p.verify;
  return p;
}

}  // namespace

StreamingMultiprocessor::StreamingMultiprocessor(const sc_core::sc_module_name& name,
                                                 const Configuration& configuration, Probe* probe,
                                                 Connector& connector)
    : sc_module(name),
      indexer_(configuration.buildIndexer()),
      parameters_(shared(configuration.parameters(), *indexer_)),
      domain("domain", Clock::fromMegahertz(parameters_.clock.frequencyMhz)),
      core("core", domain, parameters_.core, probe),
      agu("agu", domain.clock(), parameters_.agu, indexer_),
      crossbar("crossbar", domain.clock(), parameters_.crossbar, probe),
      scratchpad("scratchpad", domain.clock(),
                 {parameters_.scratchpad.latency, parameters_.scratchpad, indexer_->rows(),
                  parameters_.verify}),
      coalescer("coalescer", domain.clock(), parameters_.coalescer, probe),
      memory("memory", domain.clock(), parameters_.memory) {
  connector.joinWarp(core.port.shared, agu.in);
  connector.joinWarp(agu.out, crossbar.in);
  connector.joinWarp(crossbar.out, scratchpad.in);
  connector.joinWarp(core.port.global, coalescer.in);
  connector.joinLine(coalescer.out, memory.in);
}

}  // namespace fermata::platforms
