#include <fermata/models/core/workload_at.h>

#include <fermata/models/vocabulary/error.h>

namespace fermata {

WorkloadAt::WorkloadAt(Workload& inner, std::uint64_t base)
    : WorkloadDecorator(inner), base_(base) {
  if (base % kAlignment == 0) return;
  throw BadInput("a workload cannot begin at address " + std::to_string(base) +
                 "; expected a multiple of " + std::to_string(kAlignment));
}

void WorkloadAt::execute(unsigned slot, WarpInstruction& out) {
  inner_.execute(slot, out);
  move(out, base_);
}

void WorkloadAt::beginAtomic(unsigned slot, WarpInstruction& out) {
  inner_.beginAtomic(slot, out);
  move(out, base_);
}

// Moves the addresses back first: the inner workload may leave `out` as beginAtomic() filled it,
// with addresses that are moved already.
void WorkloadAt::updateAtomic(unsigned slot, LaneMask lanes, WarpInstruction& out) {
  move(out, ~base_ + 1);
  inner_.updateAtomic(slot, lanes, out);
  move(out, base_);
}

std::vector<DeviceBytes> WorkloadAt::deviceMemory() const {
  std::vector<DeviceBytes> ranges = inner_.deviceMemory();
  for (DeviceBytes& range : ranges) range.address += base_;
  return ranges;
}

// Moves all addresses. An instruction that accesses nothing may hold addresses of an earlier one;
// moving these does no harm.
void WorkloadAt::move(WarpInstruction& out, std::uint64_t by) {
  if (out.space == MemorySpace::Shared) return;
  for (std::uint64_t& address : out.address) address += by;
}

}  // namespace fermata
