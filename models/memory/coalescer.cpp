#include <fermata/models/memory/coalescer.h>

#include <algorithm>

namespace fermata {

Coalescer::Coalescer(const sc_core::sc_module_name& name, const Clock& clock,
                     const Parameters& parameters, Probe* probe)
    : WarpStage(name), clock_(clock), parameters_(parameters), probe_(probe) {
  const std::uint32_t bytes = parameters.segmentBytes;
  if (bytes < WarpInstruction::kMaxBytesPerLane || (bytes & (bytes - 1)) != 0) {
    SC_REPORT_FATAL("fermata/coalescer", "segmentBytes must be a power of two, 16 or more");
  }
}

void Coalescer::pass(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  WarpAccess& access = warpAccess(payload);
  gather(access);
  const Cycle arrival = clock_.cycles(sc_core::sc_time_stamp() + delay);
  const Cycle start = std::max(arrival, nextFree_);
  nextFree_ = start + access.segments;
  access.occupancy = nextFree_ - arrival;
  delay += clock_.time((start - arrival) + parameters_.latency);
  if (probe_ != nullptr) probe_->globalAccess(access);
}

// Lanes are aligned to their own width, which no segment is narrower than: a lane lies in one
// segment.
void Coalescer::gather(WarpAccess& access) const {
  const std::uint64_t mask = ~std::uint64_t{parameters_.segmentBytes - 1};
  access.segments = 0;
  for (LaneMask m = access.instruction.active; m != 0; m &= m - 1) {
    const std::uint64_t segment =
        access.instruction.address[static_cast<unsigned>(__builtin_ctz(m))] & mask;
    const auto begin = access.segment.begin();
    const auto end = begin + access.segments;
    if (access.segments != 0 && *(end - 1) == segment) continue;
    if (std::find(begin, end, segment) == end) access.segment[access.segments++] = segment;
  }
}

}  // namespace fermata
