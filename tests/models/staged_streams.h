// Small pipelines, streams for them, and the cycles that their front ends lost.
#pragma once

#include "tests/models/staged_player.h"

namespace fermata::test {

/// Returns the pipeline of figures 4 and 5: two stages of front end, EXE, two memory stages, WB. An
/// instruction issued in cycle t without obstacles is in EXE in t + 2, MEM0 in t + 3, WB in t + 5
/// (elastic, not memory: t + 3) and ready a cycle later.
inline StageParameters figure(unsigned simdWidth = 32) {
  StageParameters p;
  p.stages = 6;
  p.memoryStages = 2;
  p.simdWidth = simdWidth;
  return p;
}
inline StageParameters queues(StageParameters p, std::optional<unsigned> m,
                              std::optional<unsigned> n) {
  p.nonmemQueue = m;
  p.prememQueue = n;
  return p;
}
inline StageParameters twoPorts() {
  StageParameters p = figure();
  p.writebackPorts = 2;
  return p;
}

inline StagedStream::Instruction other(Cycle gap = 0) {
  StagedStream::Instruction i;
  i.gap = gap;
  return i;
}
/// Makes an access with these passes by subwarp; a subwarp without an entry takes one.
inline StagedStream::Instruction access(
    std::initializer_list<unsigned> passes,
    StagedPipeline::Exit exit = StagedPipeline::Exit::WriteBack) {
  StagedStream::Instruction i;
  i.kind = StagedPipeline::Kind::Access;
  i.service.passes.fill(1);
  std::copy(passes.begin(), passes.end(), i.service.passes.begin());
  i.service.exit = exit;
  return i;
}
/// Makes an access whose data arrive `after` cycles after its first cycle in MEM0.
inline StagedStream::Instruction returning(Cycle after) {
  StagedStream::Instruction i = access({1}, StagedPipeline::Exit::Return);
  i.returnAfter = after;
  return i;
}
/// Makes an access that is refused. `after` cycles after its first cycle in MEM0, it is told to go
/// in the next cycle.
inline StagedStream::Instruction refused(Cycle after) {
  StagedStream::Instruction i = access({1});
  i.service.accepted = false;
  i.service.cause = StallCause::MemoryPort;
  i.acceptAfter = after;
  return i;
}
inline std::vector<StagedStream::Instruction> stream(
    std::initializer_list<StagedStream::Instruction> first, std::size_t others) {
  std::vector<StagedStream::Instruction> all(first);
  all.resize(all.size() + others, other());
  return all;
}

using Stalls = std::vector<std::pair<Cycle, StallCause>>;
inline Stalls stalls(StallCause cause, std::initializer_list<Cycle> cycles) {
  Stalls all;
  for (const Cycle c : cycles) all.emplace_back(c, cause);
  return all;
}
/// Returns the cycles in which the front end stood still, with the cause.
inline Stalls stallsOf(const StagedLog& log) {
  Stalls all;
  for (Cycle c = 0; c < log.front.size(); ++c) {
    if (log.front[c] != StallCause::Idle && log.front[c] != StallCause::Pipeline)
      all.emplace_back(c, log.front[c]);
  }
  return all;
}

}  // namespace fermata::test
