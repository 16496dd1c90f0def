// The parameters of an in-order pipeline, and of a schedule that spaces its memory instructions.
#pragma once

#include <fermata/models/core/warp_scheduler.h>
#include <fermata/platforms/compose/range.h>

namespace fermata::platforms {

template <class Visitor>
void describeStages(StagedIssue::Parameters& p, Visitor& visit) {
  visit("pipeline.stages", p.stages.stages, "stages", Range{5, 256},
        "from issue to writeback; execution is just before the memory stages");
  visit("pipeline.memory_stages", p.stages.memoryStages, "stages", Range{2, 64},
        "of them, between execution and writeback");
  visit("pipeline.simd_width", p.stages.simdWidth, "lanes", Range{1, 32, true},
        "that pass at once: a warp passes as subwarps, one a cycle");
  visit("pipeline.writeback_ports", p.stages.writebackPorts, "subwarps/cycle", Range{1, 8},
        "that write back");
  visit("pipeline.nonmem_queue", p.stages.nonmemQueue, "subwarps", Range{0, 256},
        "that wait to write back beside the memory stages; auto: as many as memory stages");
  visit("pipeline.premem_queue", p.stages.prememQueue, "subwarps", Range{0, 256},
        "that wait before the memory stages; auto: a warp's less one");
  visit("pipeline.barrel", p.barrel,
        "strict: a warp has one instruction on its way; relaxed: as many as its registers allow, "
        "but none behind a branch");
  visit("pipeline.commit", p.commit,
        "any: instructions of a warp may write back out of order; in-order: a warp waits behind "
        "its memory instructions");
}

template <class Visitor>
void describeSpacing(MemorySpacing::Parameters& p, Visitor& visit) {
  visit("scheduler.prediction", p.prediction,
        "what a conflict-aware scheduler knows of the bank conflicts of an instruction: those it "
        "had before, its own, or nothing");
  visit("scheduler.let_memory_through", p.letThrough,
        "memory instructions break the safe distance where nothing else is ready");
  visit("history.sets", p.history.sets, "sets", Range{0, 65536},
        "of the conflict history cache, a power of two; 0: there is none, nothing is ever found");
  visit("history.ways", p.history.ways, "lines", Range{1, 64}, "of a set");
  visit("history.degree", p.history.degree, "passes", Range{0, 31},
        "beyond those without a conflict, of an instruction that is not found");
  visit("history.length", p.history.length, "executions", Range{1, 64},
        "of an instruction that are kept");
  visit("history.rule", p.history.rule, "which of the kept degrees is expected");
}

}  // namespace fermata::platforms
