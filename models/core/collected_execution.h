// Units behind operand collectors, as in GPGPU-Sim (opndcoll_rfu_t). An issued instruction waits in
// a collector until its registers are read, some per cycle, then for a unit, which starts
// instructions in order (in_order_units.h). Issue needs a free collector, not a free unit.
//
//   cycle   t      issue: takes a collector
//           t + 3  start of an instruction without registers; each register is a cycle more, if one
//                  is read per cycle
//           + 4    end of the unit's latency
//           + 2    a dependent instruction issues: `read` = 3, latency 4, `write` = 2
//
// Collectors are those of a kind, or shared by all kinds (shared_collectors.h). Banks of registers
// and their conflicts are not modelled.
#pragma once

#include <fermata/models/core/core_parameters.h>
#include <fermata/models/core/decoupled_execution.h>
#include <fermata/models/core/in_order_units.h>
#include <fermata/models/core/scheduler_map.h>
#include <fermata/models/core/shared_collectors.h>

#include <algorithm>
#include <array>

namespace fermata {

class CollectedExecution final : public Execution {
 public:
  CollectedExecution(const WarpSchedulerParameters& parameters, LoadStoreUnit& loadStore,
                     Pipelines& pipelines)
      : constantLatency_(parameters.constantLatency),
        others_(parameters.constantLatency, loadStore, pipelines),
        pipelines_(pipelines),
        collectors_(parameters.pipelines.collectors),
        schedulers_(parameters.schedulers, parameters.wavefrontWarps),
        shared_(collectors_.shared, parameters.schedulers),
        units_{InOrderUnits(parameters.pipelines.aluUnits),
               InOrderUnits(parameters.pipelines.integerUnits),
               InOrderUnits(parameters.pipelines.specialUnits),
               InOrderUnits(parameters.pipelines.doubleUnits)} {
    if (parameters.pipelines.integerUnits == 0) unitsOf_[Integers] = Floats;
    if (parameters.pipelines.doubleUnits == 0) unitsOf_[Doubles] = Specials;
  }

  Cycle issue(unsigned slot, const StaticInstruction& instruction, IssueKind kind, bool arrives,
              Cycle now) override {
    if (kind == IssueKind::Constant && collectors_.shared != 0) return issueConstant(slot, now);
    if (!isArithmetic(kind)) return others_.issue(slot, instruction, kind, arrives, now);
    const ClassTiming timing = timingOf(instruction);
    const Cycle reading = readingOf(instruction.readCount);
    const Cycle start = collectors_.shared == 0 ? startAlone(slot, kind, reading, timing, now)
                                                : startShared(slot, kind, reading, timing, now);
    return writes(instruction) ? start + timing.latency + collectors_.write : now + timing.latency;
  }
  Cycle issueIdle(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                  Cycle now) override {
    return others_.issueIdle(slot, instruction, kind, now);
  }
  Cycle issueAccess(WarpAccess& access, IssueKind kind, Cycle now) override {
    if (collectors_.shared != 0) {
      const Cycle reading = readingOf(access.issuedInstruction->readCount);
      startMemory(access.slot, reading, now);
    }
    return others_.issueAccess(access, kind, now);
  }

 private:
  Cycle readingOf(unsigned registers) const {
    return (registers + collectors_.registers - 1) / collectors_.registers;
  }
  /// Takes a memory instruction through the collectors. Returns the cycle in which the load and
  /// store unit takes it, which has one in each: conflicts and misses are not counted here.
  Cycle startMemory(unsigned slot, Cycle reading, Cycle now) {
    const unsigned scheduler = schedulers_.of(slot);
    const SharedCollectors::Way way = shared_.take(scheduler, kMemoryPlace, now, reading);
    const Cycle start = std::max(way.leaves + collectors_.read - 1, memoryFree_);
    memoryFree_ = start + 1;
    shared_.start(scheduler, kMemoryPlace, start);
    pipelines_.takeGate(slot, IssueKind::Constant, way.taken);
    return start;
  }
  Cycle issueConstant(unsigned slot, Cycle now) {
    return startMemory(slot, 0, now) + constantLatency_ -
           std::min<Cycle>(constantLatency_, collectors_.read);
  }
  /// Starts an instruction whose kind has collectors of its own.
  Cycle startAlone(unsigned slot, IssueKind kind, Cycle reading, const ClassTiming& timing,
                   Cycle now) {
    const Cycle start = startFrom(now + collectors_.read + reading, slot, kind, timing);
    pipelines_.take(kind, now, std::max<Cycle>(1, start - now));
    return start;
  }
  Cycle startShared(unsigned slot, IssueKind kind, Cycle reading, const ClassTiming& timing,
                    Cycle now) {
    const unsigned scheduler = schedulers_.of(slot);
    const unsigned place = unitsOf_[static_cast<unsigned>(kind)];
    const SharedCollectors::Way way = shared_.take(scheduler, place, now, reading);
    const Cycle start = startFrom(way.leaves + collectors_.read - 1, slot, kind, timing);
    shared_.start(scheduler, place, start);
    pipelines_.takeGate(slot, kind, way.taken);
    return start;
  }
  Cycle startFrom(Cycle from, unsigned slot, IssueKind kind, const ClassTiming& timing) {
    InOrderUnits& units = units_[unitsOf_[static_cast<unsigned>(kind)]];
    return collectors_.subcores ? units.startIn(schedulers_.of(slot), from, timing)
                                : units.start(from, timing);
  }
  /// False for branches, barriers and exits: their warp goes on from the issue, which knows the
  /// way.
  static bool writes(const StaticInstruction& instruction) {
    const InstructionClass c = instruction.instructionClass;
    return c != InstructionClass::Branch && c != InstructionClass::Barrier &&
           c != InstructionClass::Exit;
  }
  ClassTiming timingOf(const StaticInstruction& instruction) const {
    const InstructionClass c = instruction.instructionClass;
    const ClassTiming* const own = pipelines_.parameters().arithmetic.of(c, instruction.arithmetic);
    return own == nullptr || !writes(instruction) ? pipelines_.timing(c) : *own;
  }

  /// Units by the IssueKind whose instructions have them first.
  enum Kind : std::uint8_t { Floats, Integers, Specials, Doubles };

  unsigned constantLatency_;
  DecoupledExecution others_;
  Pipelines& pipelines_;
  CollectorParameters collectors_;
  SchedulerMap schedulers_;
  SharedCollectors shared_;
  Cycle memoryFree_ = 0;  ///< the load and store unit takes the next instruction no earlier
  std::array<InOrderUnits, 4> units_;                                         ///< by Kind
  std::array<std::uint8_t, 4> unitsOf_{Floats, Integers, Specials, Doubles};  ///< by IssueKind
};

}  // namespace fermata
