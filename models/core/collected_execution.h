// Units behind operand collectors, as in GPGPU-Sim (opndcoll_rfu_t). An issued instruction waits in
// a collector until its registers are read, one per cycle, then for a unit, which starts
// instructions in order (in_order_units.h). Issue needs a free collector, not a free unit.
//
//   cycle   t      issue: takes a collector
//           t + 3  start of an instruction without registers; each register is a cycle more
//           + 4    end of the unit's latency
//           + 2    a dependent instruction issues: `read` = 3, latency 4, `write` = 2
//
// Banks of registers and their conflicts are not modelled.
#pragma once

#include <fermata/models/core/decoupled_execution.h>
#include <fermata/models/core/in_order_units.h>

namespace fermata {

class CollectedExecution final : public Execution {
 public:
  /// `constantLatency`: cycles of a constant or parameter load that hits.
  CollectedExecution(unsigned constantLatency, LoadStoreUnit& loadStore, Pipelines& pipelines)
      : others_(constantLatency, loadStore, pipelines),
        pipelines_(pipelines),
        collectors_(pipelines.parameters().collectors),
        alus_(pipelines.parameters().aluUnits),
        specials_(pipelines.parameters().specialUnits) {}

  Cycle issue(unsigned slot, const StaticInstruction& instruction, IssueKind kind, bool arrives,
              Cycle now) override {
    InOrderUnits* const units = unitsOf(kind);
    if (units == nullptr) return others_.issue(slot, instruction, kind, arrives, now);
    const ClassTiming timing = pipelines_.timing(instruction.instructionClass);
    const Cycle start = units->start(now + collectors_.read + instruction.readCount, timing);
    pipelines_.take(kind, now, std::max<Cycle>(1, start - now));
    return writes(instruction) ? start + timing.latency + collectors_.write : now + timing.latency;
  }
  Cycle issueIdle(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                  Cycle now) override {
    return others_.issueIdle(slot, instruction, kind, now);
  }
  Cycle issueAccess(WarpAccess& access, IssueKind kind, Cycle now) override {
    return others_.issueAccess(access, kind, now);
  }

 private:
  /// False for branches, barriers and exits: their warp goes on from the issue, which knows the
  /// way.
  static bool writes(const StaticInstruction& instruction) {
    const InstructionClass c = instruction.instructionClass;
    return c != InstructionClass::Branch && c != InstructionClass::Barrier &&
           c != InstructionClass::Exit;
  }
  /// Returns the units behind the collectors of this kind; null: it has none.
  InOrderUnits* unitsOf(IssueKind kind) {
    const PipelineParameters& parameters = pipelines_.parameters();
    if (kind == IssueKind::Alu || (kind == IssueKind::Integer && parameters.integerUnits == 0))
      return &alus_;
    if (kind == IssueKind::Special || (kind == IssueKind::Double && parameters.doubleUnits == 0))
      return &specials_;
    return nullptr;
  }

  DecoupledExecution others_;
  Pipelines& pipelines_;
  CollectorParameters collectors_;
  InOrderUnits alus_;
  InOrderUnits specials_;
};

}  // namespace fermata
