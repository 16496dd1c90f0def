// Describes the parameters of the core: path, unit, range and meaning of each (range.h).
#pragma once

#include <fermata/models/core/cluster_description.h>
#include <fermata/models/core/collector_description.h>
#include <fermata/models/core/core_parameters.h>
#include <fermata/models/vocabulary/range.h>

namespace fermata {

template <class Visitor>
void describeStages(InOrderParameters& p, Visitor& visit) {
  visit("pipeline.stages", p.stages.stages, "stages", Range{5, 256},
        "pipeline stages from issue to writeback; execution is just before the memory stages");
  visit("pipeline.memory_stages", p.stages.memoryStages, "stages", Range{2, 64},
        "memory stages among pipeline.stages, between execution and writeback");
  visit("pipeline.simd_width", p.stages.simdWidth, "lanes", Range{1, 32, true},
        "lanes per subwarp; a warp passes the pipeline as subwarps, one per cycle");
  visit("pipeline.writeback_ports", p.stages.writebackPorts, "subwarps/cycle", Range{1, 8},
        "subwarps that write back per cycle");
  visit("pipeline.nonmem_queue", p.stages.nonmemQueue, "subwarps", Range{0, 256},
        "subwarps that may wait to write back beside the memory stages; auto: as many as memory "
        "stages");
  visit("pipeline.premem_queue", p.stages.prememQueue, "subwarps", Range{0, 256},
        "subwarps that may wait before the memory stages; auto: one less than a warp has");
  visit("pipeline.unit_cycles", p.stages.unitCycles, "cycles", Range{0, 256},
        "cycles for which a subwarp of class special or double holds one unit, in the place of the "
        "first memory stage; 0: units are as wide as the pipeline");
  visit("pipeline.barrel", p.barrel,
        "instructions of a warp in flight: one (strict), or as many as its registers allow but "
        "none behind a branch (relaxed)");
  visit("pipeline.commit", p.commit,
        "order in which a warp's instructions write back: any, or a warp waits behind its memory "
        "instructions (in-order)");
}

template <class Visitor>
void describeSpacing(SpacingParameters& p, Visitor& visit) {
  visit("scheduler.prediction", p.prediction,
        "source of the bank conflicts that a conflict-aware scheduler predicts for an instruction: "
        "those it had before (history), its own (perfect), or nothing (none)");
  visit("scheduler.let_memory_through", p.letThrough,
        "if only memory instructions are ready, issue one despite the safe distance");
  visit("history.sets", p.history.sets, "sets", Range{0, 65536},
        "sets of the conflict history cache, a power of two; 0: no cache, no instruction is ever "
        "found");
  visit("history.ways", p.history.ways, "lines", Range{1, 64},
        "lines per set of the conflict history cache");
  visit("history.degree", p.history.degree, "passes", Range{0, 31},
        "passes beyond the ideal ones, predicted for an instruction that is not in the conflict "
        "history");
  visit("history.length", p.history.length, "executions", Range{1, 64},
        "executions kept per instruction in the conflict history");
  visit("history.rule", p.history.rule,
        "prediction from the kept executions of an instruction: latest, greatest or their mean");
}

/// Describes the latency and interval of one kind of arithmetic, behind collectors.
template <class Visitor>
void describeArithmetic(const char* latencyPath, const char* intervalPath, ClassTiming& own,
                        Visitor& visit, const char* what) {
  visit(latencyPath, own.latency, "cycles", Range{0, 100000}, what);
  visit(intervalPath, own.interval, "cycles", Range{1, 10000},
        "until the unit that took the instruction takes another; without the latency beside it: "
        "no effect");
}

template <class Visitor>
void describeIntegers(ArithmeticTimings& own, Visitor& visit) {
  describeArithmetic("integer.move_latency", "integer.move_interval", own.move, visit,
                     "behind collectors, latency of moves, comparisons, selections, conversions, "
                     "shifts and logic of any type; 0: as their class");
  describeArithmetic("integer.product_latency", "integer.product_interval",
                     own.integer(Arithmetic::Product), visit,
                     "behind collectors, latency of an integer product; 0: integer.latency");
  describeArithmetic("integer.multiply_add_latency", "integer.multiply_add_interval",
                     own.integer(Arithmetic::MultiplyAdd), visit,
                     "behind collectors, latency of an integer multiply-add; 0: integer.latency");
  describeArithmetic("integer.extremum_latency", "integer.extremum_interval",
                     own.integer(Arithmetic::Extremum), visit,
                     "behind collectors, latency of an integer minimum or maximum; 0: "
                     "integer.latency");
  describeArithmetic("integer.exchange_latency", "integer.exchange_interval",
                     own.integer(Arithmetic::Exchange), visit,
                     "behind collectors, latency of shfl; 0: integer.latency");
}

template <class Visitor>
void describeFloats(ArithmeticTimings& own, Visitor& visit) {
  describeArithmetic("float.multiply_add_latency", "float.multiply_add_interval",
                     own.real(Arithmetic::MultiplyAdd), visit,
                     "behind collectors, latency of a float multiply-add; 0: float.latency");
  describeArithmetic("float.extremum_latency", "float.extremum_interval",
                     own.real(Arithmetic::Extremum), visit,
                     "behind collectors, latency of a float minimum or maximum; 0: float.latency");
}

template <class Visitor>
void describeDoubles(ArithmeticTimings& own, Visitor& visit) {
  describeArithmetic("double.extremum_latency", "double.extremum_interval",
                     own.twice(Arithmetic::Extremum), visit,
                     "behind collectors, latency of a double-precision minimum or maximum; 0: "
                     "double.latency");
  describeArithmetic("double.quotient_latency", "double.quotient_interval",
                     own.twice(Arithmetic::Quotient), visit,
                     "behind collectors, latency of a double-precision division, which then takes "
                     "a special unit; 0: as other double precision");
  describeArithmetic("double.function_latency", "double.function_interval",
                     own.twice(Arithmetic::Function), visit,
                     "behind collectors, latency of a double-precision reciprocal or root, which "
                     "then takes a special unit; 0: as other double precision");
}

template <class Visitor>
void describeUnits(PipelineParameters& pipelines, Visitor& visit) {
  const Range interval{1, 10000};
  visit("pipelines.alu_units", pipelines.aluUnits, "units", Range{1, 16},
        "units for float, branch, barrier and exit instructions, for integer multiply-adds of "
        "machine code, and for other integers if pipelines.integer_units is 0");
  visit("pipelines.integer_units", pipelines.integerUnits, "units", Range{0, 16},
        "units for integers and comparisons alone; 0: these take pipelines.alu_units");
  visit("pipelines.special_units", pipelines.specialUnits, "units", Range{1, 16},
        "units for special functions and float division");
  visit("pipelines.double_units", pipelines.doubleUnits, "units", Range{0, 16},
        "units for double precision; 0: it takes pipelines.special_units");
  visit("pipelines.tensor_units", pipelines.tensorUnits, "units", Range{0, 64},
        "units for products of matrices; 0: kernels with such products are refused");
  describeCollectors(pipelines.collectors, visit);
  const auto timing = [&](const char* latencyPath, const char* intervalPath, InstructionClass c,
                          const char* what) {
    visit(latencyPath, pipelines.of(c).latency, "cycles", Range{1, 100000}, what);
    visit(intervalPath, pipelines.of(c).interval, "cycles", interval,
          "until the unit that took the instruction takes another");
  };
  timing("integer.latency", "integer.interval", InstructionClass::Integer,
         "from the issue of an integer instruction to that of a dependent instruction");
  describeIntegers(pipelines.arithmetic, visit);
  timing("float.latency", "float.interval", InstructionClass::Float,
         "from the issue of a float instruction to that of a dependent instruction");
  describeFloats(pipelines.arithmetic, visit);
  timing(
      "special.latency", "special.interval", InstructionClass::Special,
      "from the issue of a special function or float division to that of a dependent instruction");
  describeArithmetic("special.quotient_latency", "special.quotient_interval",
                     pipelines.arithmetic.quotient, visit,
                     "behind collectors, latency of a float division; 0: special.latency");
  timing("double.latency", "double.interval", InstructionClass::Double,
         "from the issue of a double-precision instruction to that of a dependent instruction");
  describeDoubles(pipelines.arithmetic, visit);
  timing("division.latency", "division.interval", InstructionClass::Division,
         "from the issue of an integer division or remainder to that of a dependent instruction");
  timing("tensor.latency", "tensor.interval", InstructionClass::Tensor,
         "from the issue of a product of 16x16 by 16x8 halves to that of a dependent instruction; "
         "the latency of other products differs by as much as their interval, which is in "
         "proportion to multiply-adds and bits");
  visit("tensor.group_interval", pipelines.groupInterval, "cycles", Range{0, 100000},
        "interval of a wgmma product, per 16x16 by 16x8 halves; products add to their sums without "
        "a pause; 0: kernels with wgmma are refused");
  visit("tensor.float_sums", pipelines.floatSums, "", Range{1, 8},
        "factor by which products with f32 sums have a longer interval than others");
  timing("branch.latency", "branch.interval", InstructionClass::Branch,
         "from the issue of a branch to the warp's next issue");
  visit("branch.guard_latency", pipelines.guardLatency, "cycles", Range{0, 1000},
        "cycles that a predicate comes later for a branch or instruction that it guards than for "
        "one that reads it as an operand; in machine code and in traces of it");
  timing("barrier.latency", "barrier.interval", InstructionClass::Barrier,
         "from the last arrival at a barrier to the next issue of a warp that waits there");
  visit("barrier.arrival_interval", pipelines.arrivalInterval, "cycles", Range{0, 1000},
        "from one warp's arrival at a barrier to the next of the SM, at barriers of CTAs and of "
        "clusters; 0: any number at once");
  visit("barrier.least_latency", pipelines.leastBarrier, "cycles", Range{0, 100000},
        "from the arrival of the first of the warps that wait at a barrier of a CTA to their next "
        "issue, at least");
  timing("exit.latency", "exit.interval", InstructionClass::Exit,
         "from the issue of an exit to its retirement");
}

template <class Visitor>
void describeSubcores(SubcoreParameters& p, Visitor& visit) {
  const Range cycles{0, 1000};
  visit("subcore.queue", p.queue, "instructions", Range{0, 64},
        "memory instructions of each scheduler that may be between issue and memory port; 0: they "
        "go to the port when they issue");
  visit("subcore.latency", p.latency, "cycles", Range{1, 1000},
        "from issue to memory port, for a memory instruction that waits for nothing");
  visit("subcore.address_interval", p.addressInterval, "cycles", Range{1, 1000},
        "from the address calculation of a memory instruction to that of the scheduler's next");
  visit("subcore.register_interval", p.registerInterval, "cycles", Range{0, 1000},
        "for each 32-bit register that a memory instruction reads, from its address calculation to "
        "that of the scheduler's next, if that is later than address_interval; 0: no more");
  visit("subcore.port_interval", p.portInterval, "cycles", Range{1, 1000},
        "from a memory instruction at the port to the next, of any scheduler");
  visit("subcore.sources_shared", p.sharedSources, "cycles", cycles,
        "from the issue of a load from shared memory until a later instruction may write the "
        "registers that it reads; 0: at once");
  visit("subcore.sources_global", p.globalSources, "cycles", cycles,
        "from the issue of a load from global memory until a later instruction may write the "
        "registers that it reads; 0: at once");
  visit("subcore.sources_store", p.storeSources, "cycles", cycles,
        "cycles for which stores and atomics hold the registers that they read, beyond loads");
  visit("subcore.sources_wide", p.wideSources, "cycles", cycles,
        "cycles for which a store holds the registers that it reads, for each further 32 bits of a "
        "lane");
}

template <class Visitor>
void describeTensorMemory(TensorMemoryParameters& p, Visitor& visit) {
  const Range cycles{1, 10000}, bytes{1, 4096};
  visit(
      "tensor_memory.load_latency", p.loadLatency, "cycles", Range{0, 10000},
      "from the issue of tcgen05.ld of one register to that of an instruction behind its wait; 0: "
      "no tensor memory, kernels with tcgen05 are refused");
  visit("tensor_memory.load_bytes", p.loadBytes, "bytes/cycle", bytes,
        "bytes that tcgen05.ld reads per cycle of the 32 lanes that a warp reaches");
  visit("tensor_memory.store_latency", p.storeLatency, "cycles", cycles,
        "from the issue of tcgen05.st of one register to that of an instruction behind its wait");
  visit("tensor_memory.store_bytes", p.storeBytes, "bytes/cycle", bytes,
        "bytes that tcgen05.st writes per cycle of the 32 lanes that a warp reaches");
  visit("tensor_memory.product_latency", p.productLatency, "cycles", cycles,
        "from the end of a tcgen05.mma in its unit until an arrival behind it takes effect");
  visit("tensor_memory.product_interval", p.productInterval, "cycles", cycles,
        "least time of a tcgen05.mma in its unit");
  visit("tensor_memory.product_columns", p.productColumns, "columns/cycle", Range{1, 256},
        "columns of sums that a tcgen05.mma makes per cycle, of all its rows and 32 bytes of k");
  visit("tensor_memory.copy_bytes", p.copyBytes, "bytes/cycle", bytes,
        "bytes that tcgen05.cp copies per cycle from shared to tensor memory");
}

template <class Visitor>
void describeBulkEngine(BulkEngineParameters& p, Visitor& visit) {
  const Range cycles{0, 10000}, bytes{1, 4096};
  visit("tma.load_interval", p.loadInterval, "cycles", cycles,
        "from one bulk copy into shared memory to the next, at the engine of the SM; 0: no engine, "
        "kernels with bulk copies are refused");
  visit("tma.store_interval", p.storeInterval, "cycles", cycles,
        "from one bulk copy out of shared memory to the next, at the engine of the SM");
  visit("tma.load_latency", p.loadLatency, "cycles", cycles,
        "from the issue of a bulk copy into shared memory to its first request to memory");
  visit("tma.store_latency", p.storeLatency, "cycles", cycles,
        "from the issue of a bulk copy out of shared memory to its first request to the banks");
  visit("tma.multicast_latency", p.multicastLatency, "cycles", cycles,
        "that the data of a bulk copy to several CTAs of a cluster (.multicast::cluster) take more "
        "than those of one to a single CTA");
  visit("tma.load_bytes", p.loadBytes, "bytes/cycle", bytes,
        "bytes that the engine requests per cycle for copies into shared memory");
  visit("tma.store_bytes", p.storeBytes, "bytes/cycle", bytes,
        "bytes that the engine requests per cycle for copies out of shared memory; fewer than 512 "
        "take as long as 512");
}

template <class Visitor>
void describeCore(CoreParameters& p, Visitor& visit) {
  const Range latency{0, 100000};
  WarpSchedulerParameters& issue = p.issue;
  OccupancyLimits& limits = p.limits;
  visit(
      "scheduler.policy", issue.policy,
      "pick among ready warps: lrr (loose round robin), gto (greedy then oldest), gty (greedy then "
      "youngest), two-level, or conflict-aware (scheduler.base_policy, with memory instructions "
      "kept apart behind bank "
      "conflicts)");
  visit("scheduler.base_policy", issue.basePolicy,
        "policy by which a conflict-aware scheduler picks a warp");
  visit("scheduler.schedulers", issue.schedulers, "", Range{1, 8}, "warp schedulers per SM");
  visit("scheduler.wavefront_warps", issue.wavefrontWarps, "warps", Range{1, 2},
        "adjacent warps of a CTA that share a scheduler; 2: they form a wave64 (64 lanes)");
  visit("scheduler.rotates", issue.rotates,
        "whether another scheduler issues first in each cycle, in turn; false: the first one does");
  visit("scheduler.suspend_waits", issue.suspendsWaits,
        "whether mbarrier.try_wait with a time suspends the warp until the phase is over, "
        "nanosleep for its time; false: a test answers at once, and the warp repeats it");
  visit("scheduler.issue_width", issue.issueWidth, "instructions/cycle", Range{1, 4},
        "instructions that one scheduler issues per cycle, from different warps");
  describePolicies<WarpPolicy>(issue.policyValues, visit);
  describeSpacing(issue.inOrder.spacing, visit);
  visit("limits.warps", limits.warps, "warps", Range{1, 64}, "resident warps per SM");
  visit("limits.threads", limits.threads, "threads", Range{32, 2048}, "resident threads per SM");
  visit("limits.ctas", limits.ctas, "CTAs", Range{1, 64}, "resident CTAs per SM");
  visit("limits.registers", limits.registers, "registers", Range{64, 1048576},
        "32-bit registers per SM");
  visit("limits.register_unit", limits.registerUnit, "registers", Range{1, 4096},
        "allocation unit of a warp's registers");
  visit("limits.shared_unit", limits.sharedUnit, "bytes", Range{16, 65536, true},
        "allocation unit of a CTA's shared memory");
  visit("limits.shared_reserved", limits.sharedReserved, "bytes", Range{0, 65536},
        "shared memory that the system takes per CTA, in addition to the CTA's own");
  visit(
      "core.code", p.code,
      "instructions that a kernel of PTX is run as: its own (ptx), or the machine code that ptxas "
      "makes of it from Volta on (sass)");
  visit(
      "core.memory_queue", issue.loadStore.queue, "accesses", Range{0, 64},
      "accesses that may wait before the memory port, per path; 0: the issue stage waits instead");
  visit("core.access_spacing", issue.loadStore.spacing, "cycles", Range{0, 1000},
        "least time from the issue of an access to memory to that of the warp's next one; constants "
        "do not count; 0: none");
  visit("core.atomics_wait", issue.atomicsWait,
        "whether a warp issues nothing while an atomic of it is under way");
  visit("core.atomics_pass_address", issue.atomicsPassAddress,
        "whether an atomic does not wait for the register of its address");
  visit("core.reorder_buffer", issue.reorderBuffer, "instructions", Range{0, 1024},
        "instructions per warp that may have issued and not retired; they retire in order; a full "
        "buffer holds the warp; 0: no limit");
  visit("core.cta_gap", p.ctaGap, "cycles", Range{0, 100000},
        "from the end of a CTA to the first instruction of the CTA that takes its place; none at "
        "the begin of a grid");
  visit("core.local_layout", p.localLayout,
        "threads whose words of local memory at one offset lie side by side: those of a warp "
        "(warp), or all that the chip can run at once, CTAs of successive SMs behind one another "
        "(chip)");
  describeSubcores(issue.loadStore.subcore, visit);
  describeBulkEngine(issue.bulkEngine, visit);
  describeTensorMemory(issue.pipelines.tensorMemory, visit);
  describeClusters(issue.cluster, visit);
  visit("replay.capacity", issue.loadStore.replay.capacity, "accesses", Range{0, 4096},
        "accesses that may be in flight or have lanes left; a full buffer holds memory "
        "instructions; 0: no limit");
  visit("replay.priority", issue.loadStore.replay.priority,
        "order of replays and new instructions: old (replays first, by arrival in the buffer), age "
        "(replays first, by issue), new (new instructions first)");
  visit("replay.latency", issue.loadStore.replay.latency, "cycles", latency,
        "from a failed try to the first cycle in which its replay can issue");
  visit("replay.detection", issue.loadStore.replay.detection, "cycles", latency,
        "from a try until the core knows its outcome");
  visit("pipeline.organisation", issue.pipelines.organisation,
        "instructions that a busy unit holds up: those that need the unit (decoupled), all behind "
        "it (unified), memory instructions and any due to write back with them (split), none while "
        "queues have room (elastic)");
  describeStages(issue.inOrder, visit);
  describeUnits(issue.pipelines, visit);
}

template <class Visitor>
void describeFetch(WarpSchedulerParameters& issue, Visitor& visit) {
  visit("instruction.bytes", issue.instructions.bytes, "bytes", Range{0, 1048576},
        "capacity of the instruction cache; 0: every instruction is present, as with flat memory");
  visit("instruction.line_bytes", issue.instructions.lineBytes, "bytes", Range{8, 4096, true},
        "bytes per line of the instruction cache");
  visit("instruction.ways", issue.instructions.ways, "lines", Range{1, 4096},
        "lines per set of the instruction cache");
  visit("instruction.instruction_bytes", issue.instructions.instructionBytes, "bytes",
        Range{4, 16, true}, "bytes per instruction");
  visit("instruction.mshrs", issue.instructions.mshrs, "lines", Range{1, 1024},
        "absent lines of instructions under way at once for warps that wait");
  visit("instruction.prefetch", issue.instructions.prefetch, "lines", Range{0, 64},
        "lines of instructions fetched ahead of the one in use");
  visit("instruction.preload", issue.instructions.preload, "bytes", Range{0, 1048576},
        "first bytes of a program that a launch brings into the instruction cache before it runs");
  visit("instruction.packed", issue.instructions.packed,
        "whether the kernels of a module lie one behind another, so that a line may begin with the "
        "end of another kernel; false: each begins a line");
  visit("instruction.buffer", issue.instructions.buffer, "instructions", Range{0, 64},
        "instructions that a fetch brings to a warp, which fetches again when they have issued or "
        "behind a branch; 0: instructions of a present line cost no fetch");
  visit("instruction.fetch_latency", issue.instructions.fetchLatency, "cycles", Range{0, 1000},
        "from a fetch of a present line to the first issue");
  visit("instruction.fetches", issue.instructions.fetches, "fetches/cycle", Range{1, 16},
        "fetches into the buffers of warps that an SM begins per cycle; without "
        "instruction.buffer: no effect");
  visit("constant.cold", issue.instructions.constants,
        "whether an SM fetches the constants and parameters of a program as a line of instructions "
        "when a warp first reads them; false, or without instruction.bytes: they are present");
  visit(
      "constant.parts", issue.instructions.constantParts, "requests", Range{1, 4, true},
      "requests in which an SM asks for that line; one that finds the line under way to the L2 is "
      "answered with what comes; without constant.cold: no effect");
  visit(
      "constant.mshrs", issue.instructions.constantMshrs, "lines", Range{0, 1024},
      "lines of the constant space that may be on their way to an SM at once, each from its first "
      "read on; an instruction that finds none free holds the memory port; without "
      "collectors.memory, constant.cold and constant.line_bytes, or 0: the space is present");
  visit("constant.readers", issue.instructions.constantReaders, "instructions", Range{1, 1024},
        "instructions that may wait for one line of the constant space; without constant.mshrs: no "
        "effect");
  visit("constant.latency", issue.constantLatency, "cycles", Range{1, 100000},
        "latency of a constant or parameter load that hits");
  visit("constant.line_bytes", issue.constantLine, "bytes", Range{0, 128},
        "line of constants, of which an instruction reads one per cycle; 0: all at once");
  visit("constant.bytes", issue.constantBytes, "bytes", Range{0, 1048576},
        "cache of the constant space of an SM, in lines of constant.line_bytes; 0: every line is "
        "there");
  visit("constant.miss_latency", issue.constantMiss, "cycles", Range{0, 100000},
        "cycles that a load of constants takes longer if that cache lacks the line");
}

}  // namespace fermata
