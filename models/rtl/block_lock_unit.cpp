#include <fermata/models/rtl/block_lock_unit.h>

#include <fermata/models/rtl/ended.h>
#include <fermata/models/vocabulary/error.h>

#include <algorithm>
#include <string>

namespace fermata::rtl {

namespace {

const LockUnit::Parameters& checked(const LockUnit::Parameters& parameters) {
  if (parameters.winner == LockWinner::Lowest) return parameters;
  throw BadInput(
      "the RTL lock unit gives a lock to the lowest of its lanes; expected lock.winner = "
      "\"lowest\"");
}

}  // namespace

BlockLockUnit::BlockLockUnit(const sc_core::sc_module_name& name, const Clock& clock,
                             const Parameters& parameters,
                             std::shared_ptr<const indexing::Indexer> locks, Probe* probe,
                             std::unique_ptr<LockBlock> block, Implementation how)
    : LockUnit(name, clock, checked(parameters), std::move(locks), probe),
      block_(std::move(block)),
      how_(how) {}

LockResponse BlockLockUnit::ask(const LockRequest& request, Cycle now) {
  return inBlock([&] { return rtl::ask(*block_, request); },
                 [&] {
                   return BlockAtWork{
                       "lock unit", now,
                       "lane:lock " + lanesText(request.lock | request.unlock, [&](unsigned lane) {
                         return std::to_string(request.number[lane]);
                       })};
                 });
}

LaneMask BlockLockUnit::lock(const WarpAccess& access, Cycle now) {
  if (access.wordsPerLane != 1)
    throw BadInput(fmt::format(
        "the RTL lock unit has a lock a lane, but a lane of pc {} takes several; expected atomics "
        "of 32 bits and less, or rtl.lock = \"model\"",
        access.instruction.pc));
  const LaneMask model = LockUnit::lock(access, now);
  const auto due = std::stable_partition(returns_.begin(), returns_.end(),
                                         [&](const Return& one) { return one.at > now; });
  std::for_each(due, returns_.end(), [&](const Return& one) { ask(one.request, now); });
  returns_.erase(due, returns_.end());
  LockRequest request;
  request.lock = access.asked;
  request.number = locks()[0];
  const LaneMask left = access.asked & ~ask(request, now).got;
  if (how_ == Implementation::Rtl || left == model) return left;
  const auto lane = static_cast<unsigned>(__builtin_ctz(left ^ model));
  const auto says = [&](LaneMask mask) { return (mask >> lane & 1) != 0 ? "refused" : "taken"; };
  differ("lock unit", now, access.instruction.pc,
         fmt::format("lane {}, word {}, lock {}", lane, access.word[0][lane], locks()[0][lane]),
         says(left), says(model));
}

void BlockLockUnit::unlock(const WarpAccess& access, Cycle at) {
  LockUnit::unlock(access, at);
  LockRequest request;
  request.unlock = access.asked;
  request.number = locks()[0];
  returns_.push_back({at, request});
}

}  // namespace fermata::rtl
