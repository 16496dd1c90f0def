#include <fermata/models/memory/lock_unit.h>

#include <algorithm>

namespace fermata {

LockUnit::LockUnit(const sc_core::sc_module_name& name, const Clock& clock,
                   const Parameters& parameters, std::shared_ptr<const indexing::Indexer> locks,
                   Probe* probe)
    : LeavingStage(name, clock),
      parameters_(parameters),
      indexer_(std::move(locks)),
      probe_(probe),
      bits_(indexer_->shape().banks) {}

unsigned LockUnit::taken(Cycle now) const {
  return static_cast<unsigned>(
      std::count_if(bits_.begin(), bits_.end(), [&](const Bit& bit) { return bit.free > now; }));
}

LaneMask LockUnit::take(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  WarpAccess& access = warpAccess(payload);
  if (access.instruction.lock == LockStep::None) return 0;
  const Cycle arrival = clock().cycles(clock().stamp() + delay);
  findLocks(access);
  LaneMask left = 0;
  Cycle behind = parameters_.behind;
  unsigned level = parameters_.writeLatency;
  if (access.instruction.lock == LockStep::Read) {
    level = parameters_.readLatency;
    left = lock(access, arrival);
    access.outcome.leave(left, LeftCause::Lock);
    if (left == access.asked) behind = 0;  // no lane goes on to the path behind
  }
  const Cycle least = arrival + parameters_.behind;
  const Cycle end = std::max(least, access.sent + Cycle{level} * access.passes);
  if (access.instruction.lock == LockStep::Write) unlock(access, end);
  delay += clock().time(end - behind - arrival);
  return left;
}

void LockUnit::findLocks(const WarpAccess& access) {
  WarpAccess::Lanes row;
  for (unsigned k = 0; k < access.wordsPerLane; ++k)
    indexer_->locate(access.word[k], access.asked, lock_[k], row);
}

LaneMask LockUnit::lock(const WarpAccess& access, Cycle now) {
  ++epoch_;
  LaneMask left = 0;
  LockEvent event{access.program, access.instruction.pc, 0, 0, 0, 0, access.sent};
  for (LaneMask todo = access.asked; todo != 0;) {
    const unsigned lane = parameters_.winner == LockWinner::Lowest
                              ? static_cast<unsigned>(__builtin_ctz(todo))
                              : kWarpLanes - 1 - static_cast<unsigned>(__builtin_clz(todo));
    const LaneMask bit = LaneMask{1} << lane;
    todo &= ~bit;
    ++event.tries;
    const Failure failure = lockLane(access, lane, now);
    if (failure == nullptr) continue;
    left |= bit;
    ++(event.*failure);
  }
  if (probe_ != nullptr) probe_->locked(event);
  return left;
}

// Takes the locks of all words of the lane, or none; returns the counter of the failure, null on
// success. Lanes on one word have it at the same k, because they are aligned: comparing word[k]
// finds out whether two lanes on one lock want the same word.
LockUnit::Failure LockUnit::lockLane(const WarpAccess& access, unsigned lane, Cycle now) {
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    const Bit& bit = bits_[lock_[k][lane]];
    if (bit.free <= now) continue;
    if (bit.epoch != epoch_) return &LockEvent::otherWarp;
    const bool sameWord = access.word[k][bit.lane] == access.word[k][lane];
    return sameWord ? &LockEvent::position : &LockEvent::alias;
  }
  for (unsigned k = 0; k < access.wordsPerLane; ++k) bits_[lock_[k][lane]] = {kNever, epoch_, lane};
  return nullptr;
}

void LockUnit::unlock(const WarpAccess& access, Cycle at) {
  for (LaneMask m = access.asked; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    for (unsigned k = 0; k < access.wordsPerLane; ++k) bits_[lock_[k][lane]].free = at;
  }
}

}  // namespace fermata
