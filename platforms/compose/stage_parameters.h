// The parameters of an in-order pipeline, and of a schedule that spaces its memory instructions.
#pragma once

#include <fermata/models/core/core_parameters.h>
#include <fermata/platforms/compose/range.h>

namespace fermata::platforms {

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

}  // namespace fermata::platforms
