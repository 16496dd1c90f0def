#include <fermata/models/memory/flat_memory.h>

namespace fermata {

FlatMemory::FlatMemory(const sc_core::sc_module_name& name, const Clock& clock,
                       const Parameters& parameters)
    : LineTarget(name), clock_(clock), parameters_(parameters) {}

void FlatMemory::serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Cycle arrival = clock_.cycles(sc_core::sc_time_stamp() + delay);
  const Cycle start = channel_.free(arrival);
  const Cycle end = start + parameters_.cyclesPerSegment;
  channel_.take(arrival, start, end);
  delay += clock_.time(end - arrival + parameters_.latency);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace fermata
