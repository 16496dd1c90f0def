#include <fermata/models/memory/flat_memory.h>

#include <algorithm>

namespace fermata {

FlatMemory::FlatMemory(const sc_core::sc_module_name& name, const Clock& clock,
                       const Parameters& parameters)
    : WarpTarget(name), clock_(clock), parameters_(parameters) {}

void FlatMemory::serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const WarpAccess& access = warpAccess(payload);
  const Cycle arrival = clock_.cycles(sc_core::sc_time_stamp() + delay);
  const Cycle start = std::max(arrival, nextFree_);
  nextFree_ = start + Cycle{access.segments} * parameters_.cyclesPerSegment;
  delay += clock_.time((nextFree_ - arrival) + parameters_.latency);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace fermata
