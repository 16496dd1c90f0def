#include <fermata/platforms/compose/streaming_multiprocessor.h>

namespace fermata::platforms {

namespace {

PolicyKind policyKind(const std::string& text) {
  if (text == "gto") return PolicyKind::GreedyThenOldest;
  if (text == "two-level") return PolicyKind::TwoLevel;
  return PolicyKind::LooseRoundRobin;
}

ClassTiming timing(const TimingParameters& t) {
  return {t.latency, t.interval};
}

PipelineParameters pipelineParameters(const PlatformParameters& p) {
  PipelineParameters pipelines;
  pipelines.units = {p.units.alu, p.units.special, p.units.doublePrecision, 1};
  const auto set = [&](InstructionClass c, const TimingParameters& t) {
    pipelines.timing[static_cast<unsigned>(c)] = timing(t);
  };
  set(InstructionClass::Integer, p.integer);
  set(InstructionClass::Float, p.floating);
  set(InstructionClass::Special, p.special);
  set(InstructionClass::Double, p.doublePrecision);
  set(InstructionClass::Branch, p.branch);
  set(InstructionClass::Barrier, p.barrier);
  set(InstructionClass::Exit, p.exit);
  return pipelines;
}

}  // namespace

SmCore::Parameters coreParameters(const PlatformParameters& p) {
  SmCore::Parameters core;
  core.policy = policyKind(p.scheduler.policy);
  core.schedulers = p.scheduler.schedulers;
  core.issueWidth = p.scheduler.issueWidth;
  core.activeWarps = p.scheduler.activeWarps;
  core.limits = {p.limits.warps,        p.limits.threads,   p.limits.ctas,      p.limits.registers,
                 p.limits.registerUnit, p.scratchpad.bytes, p.limits.sharedUnit};
  core.pipelines = pipelineParameters(p);
  core.constantLatency = p.constant.latency;
  core.verify = p.verify;
  return core;
}

AddressGenerationUnit::Parameters aguParameters(const PlatformParameters& p) {
  return {p.agu.latency, p.scratchpad.bankBytes, p.scratchpad.bytes};
}

Crossbar::Parameters crossbarParameters(const PlatformParameters& p,
                                        const indexing::Indexer& indexer) {
  return {p.crossbar.latency, indexer.shape().banks, p.scratchpad.ports,
          p.crossbar.wideAccess == "merged" ? WideAccess::Merged : WideAccess::Split,
          p.crossbar.lanes};
}

Scratchpad::Parameters scratchpadParameters(const PlatformParameters& p,
                                            const indexing::Indexer& indexer) {
  return {p.scratchpad.latency, indexer.shape().banks, indexer.rows(), p.scratchpad.bankBytes,
          p.verify};
}

void connectDirectly(WarpInitiatorSocket& from, WarpTargetSocket& to) {
  from.bind(to);
}

StreamingMultiprocessor::StreamingMultiprocessor(const sc_core::sc_module_name& name,
                                                 const Configuration& configuration, Probe* probe,
                                                 const Connect& connect)
    : sc_module(name),
      indexer_(configuration.buildIndexer()),
      domain("domain", Clock::fromMegahertz(configuration.parameters().clock.frequencyMhz)),
      core("core", domain, coreParameters(configuration.parameters()), probe),
      agu("agu", domain.clock(), aguParameters(configuration.parameters()), indexer_),
      crossbar("crossbar", domain.clock(),
               crossbarParameters(configuration.parameters(), *indexer_), probe),
      scratchpad("scratchpad", domain.clock(),
                 scratchpadParameters(configuration.parameters(), *indexer_)),
      coalescer("coalescer", domain.clock(),
                {configuration.parameters().global.coalescerLatency,
                 configuration.parameters().global.segmentBytes},
                probe),
      memory("memory", domain.clock(),
             {configuration.parameters().global.latency,
              configuration.parameters().global.cyclesPerSegment}) {
  connect(core.port.shared, agu.in);
  connect(agu.out, crossbar.in);
  connect(crossbar.out, scratchpad.in);
  connect(core.port.global, coalescer.in);
  connect(coalescer.out, memory.in);
}

}  // namespace fermata::platforms
