// Units that are independent of each other: an instruction takes a unit for its interval, and its
// results can be used after its latency. A conflict holds up the memory port and nothing else.
#pragma once

#include <fermata/models/core/execution.h>

namespace fermata {

class DecoupledExecution final : public Execution {
 public:
  /// `constantLatency`: cycles of a constant or parameter load that hits.
  DecoupledExecution(unsigned constantLatency, LoadStoreUnit& loadStore, Pipelines& pipelines)
      : constantLatency_(constantLatency), loadStore_(loadStore), pipelines_(pipelines) {}

  Cycle issue(unsigned /*slot*/, const StaticInstruction& instruction, IssueKind kind,
              bool /*arrives*/, Cycle now) override {
    const ClassTiming timing = kind < IssueKind::Tensor
                                   ? pipelines_.timing(instruction.instructionClass)
                                   : timingApart(instruction, kind);
    pipelines_.take(kind, now, timing.interval);
    return now + timing.latency;
  }
  Cycle issueIdle(unsigned /*slot*/, const StaticInstruction& /*instruction*/, IssueKind kind,
                  Cycle now) override {
    pipelines_.take(kind, now, 1);
    return now + 1;
  }
  Cycle issueAccess(WarpAccess& access, IssueKind kind, Cycle now) override {
    return loadStore_.issue(access, kind, now);
  }

 private:
  /// Returns the timing of an instruction for which the class alone does not give it.
  ClassTiming timingApart(const StaticInstruction& instruction, IssueKind kind) const {
    if (kind == IssueKind::Constant) return {constantLatency_, 1};
    return pipelines_.timing(instruction);
  }

  unsigned constantLatency_;
  LoadStoreUnit& loadStore_;
  Pipelines& pipelines_;
};

}  // namespace fermata
