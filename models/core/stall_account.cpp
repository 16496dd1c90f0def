#include <fermata/models/core/stall_account.h>

namespace fermata {

StallAccount::StallAccount(std::vector<SlotMask> slots, unsigned width)
    : slots_(std::move(slots)), lost_(slots_.size(), 0), width_(width) {}

void StallAccount::start(Cycle now) {
  settled_ = now;
  std::fill(lost_.begin(), lost_.end(), 0);
}

void StallAccount::cycle(unsigned scheduler, unsigned issued, Cycle now, const WarpTable& warps,
                         const Pipelines& pipelines, Probe* probe) {
  if (issued < width_) account(scheduler, now, now + 1, width_ - issued, warps, pipelines, probe);
  settled_ = now + 1;
}

void StallAccount::settle(Cycle now, const WarpTable& warps, const Pipelines& pipelines,
                          Probe* probe) {
  if (now <= settled_) return;
  for (unsigned s = 0; s < slots_.size(); ++s)
    account(s, settled_, now, width_, warps, pipelines, probe);
  settled_ = now;
}

// Up to the first cycle in which a warp has its operands the warps are to blame, after it the
// pipelines.
void StallAccount::account(unsigned scheduler, Cycle from, Cycle to, std::uint64_t width,
                           const WarpTable& warps, const Pipelines& pipelines, Probe* probe) {
  const SlotMask live = slots_[scheduler] & warps.live();
  if (live == 0) return report(scheduler, StallCause::Idle, from, to, width, probe);
  const SlotMask running = live & ~warps.waiting();
  if (running == 0) return report(scheduler, StallCause::Barrier, from, to, width, probe);
  const Cycle ready = std::min(warps.earliestReady(running, from), to);
  if (ready > from) report(scheduler, StallCause::Scoreboard, from, ready, width, probe);
  if (ready == to) return;
  const SlotMask blocked = warps.ready(ready, running) & warps.wants(PipelineKind::Memory);
  const bool memory = blocked != 0 && pipelines.free(PipelineKind::Memory) > ready;
  report(scheduler, memory ? StallCause::MemoryPort : StallCause::Pipeline, ready, to, width,
         probe);
}

void StallAccount::report(unsigned scheduler, StallCause cause, Cycle from, Cycle to,
                          std::uint64_t width, Probe* probe) {
  const std::uint64_t empty = (to - from) * width;
  if (cause != StallCause::Idle) lost_[scheduler] += empty;  // no instruction waited
  if (probe != nullptr) probe->stalled(cause, from, to - from, empty);
}

}  // namespace fermata
