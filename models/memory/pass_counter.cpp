#include <fermata/models/memory/pass_counter.h>

#include <utility>

namespace fermata {

PassCounter::PassCounter(ConflictResolver resolver, const Atomics& atomics,
                         const PolicyValues& values, std::uint32_t banks, bool joins)
    : resolver_(std::move(resolver)), atomics_(atomics.policy.make(values)) {
  atomics_->setTable(atomics.table);
  if (joins) wavefronts_ = std::make_unique<Wavefronts>(banks);
}

Cycle PassCounter::resolve(WarpAccess& access) {
  if (isAtomic(access)) return atomics_->resolve(access, resolver_);
  resolver_.resolve(access);
  return 0;
}

void PassCounter::join(WarpAccess& access) {
  if (wavefronts_ == nullptr || access.asked == 0 || !resolver_.groupsOf(access).joins()) return;
  wavefronts_->join(access, resolver_, merges(access));
}

}  // namespace fermata
