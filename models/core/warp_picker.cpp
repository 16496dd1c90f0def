#include <fermata/models/core/warp_picker.h>

#include <fermata/models/core/core_parameters.h>

namespace fermata {

WarpPicker::WarpPicker(const WarpSchedulerParameters& parameters, unsigned slots,
                       const WarpTable& warps, const Pipelines& pipelines,
                       const ReplayBuffer& replays)
    : warps_(warps),
      pipelines_(pipelines),
      replays_(replays),
      schedulers_(parameters.schedulers, parameters.wavefrontWarps),
      rotates_(parameters.rotates),
      slots_(parameters.schedulers, 0) {
  for (unsigned slot = 0; slot < slots; ++slot) slots_[schedulers_.of(slot)] |= slotBit(slot);
  const bool own = parameters.policy->make != nullptr;
  const Chosen<WarpPolicy>& picks = own ? parameters.policy : parameters.basePolicy;
  for (unsigned s = 0; s < parameters.schedulers; ++s)
    policies_.push_back(picks.make(parameters.policyValues));
}

void WarpPicker::reset() {
  precedence_ = {};
  for (auto& policy : policies_) policy->reset();
}

// Returns the scheduler with the most urgent work. Accesses go before other instructions, since all
// schedulers share one port; replays go before new accesses.
[[gnu::noinline]] unsigned WarpPicker::urgentScheduler(Cycle now) {
  for (unsigned s = 0; s < slots_.size(); ++s) {
    if (letsBy(s, now)) return s;
  }
  const SlotMask urgent = warps_.issuable(precedence_.urgent(), pipelines_, now);
  const SlotMask found = precedence_.urgentAmong(urgent, warps_);
  if (found == 0) return precedence_.turn();
  const SlotMask accesses = found & warps_.wantingMemory();
  return schedulers_.of(lowestSlot(accesses != 0 ? accesses : found));
}

[[gnu::noinline]] unsigned WarpPicker::rotated(Cycle now) {
  if (precedence_.urgent() != 0) return urgentScheduler(now);
  return static_cast<unsigned>((precedence_.turn() + now) % schedulers_.schedulers());
}

}  // namespace fermata
