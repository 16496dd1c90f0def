// Runs a workload to its end, for fuzz targets.
#pragma once

#include <fermata/models/vocabulary/workload.h>

namespace fermata::fuzz {

/// Runs up to two CTAs at a time, with their warps in turn.
inline void replay(Workload& workload) {
  constexpr unsigned kSlots = 64;
  workload.setWarpSlots(kSlots);
  WarpInstruction out;
  while (const Grid* grid = workload.nextGrid()) {
    const unsigned warps = grid->warpsPerCta();
    for (std::uint64_t cta = 0; cta < grid->ctas;) {
      const unsigned places = cta + 2 <= grid->ctas ? 2 : 1;
      for (unsigned place = 0; place < places; ++place) workload.startCta(cta++, place * warps);
      for (bool any = true; any;) {
        any = false;
        for (unsigned slot = 0; slot < places * warps; ++slot) {
          if (workload.peek(slot) == nullptr) continue;
          workload.execute(slot, out);
          any = true;
        }
      }
      for (unsigned place = 0; place < places; ++place) workload.endCta(place * warps);
    }
  }
  for (unsigned program = 0; program < workload.programCount(); ++program) {
    workload.kernelName(program);
    workload.instructionText(program, workload.instructionCount(program) - 1);
  }
}

}  // namespace fermata::fuzz
