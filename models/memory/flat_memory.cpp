#include <fermata/models/memory/flat_memory.h>

namespace fermata {

FlatMemory::FlatMemory(const sc_core::sc_module_name& name, const Clock& clock,
                       const Parameters& parameters)
    : LineTarget(name), clock_(clock), parameters_(parameters) {}

/// Returns the cycles for which the request holds the channel.
Cycle FlatMemory::cyclesOf(const tlm::tlm_generic_payload& payload, Cycle arrival) {
  if (parameters_.segmentBytes == 0) return parameters_.cyclesPerSegment;
  if (channel_.end() < arrival) owed_ = 0;
  owed_ += std::uint64_t{payload.get_data_length()} * parameters_.cyclesPerSegment;
  const Cycle cycles = owed_ / parameters_.segmentBytes;
  owed_ %= parameters_.segmentBytes;
  return cycles;
}

void FlatMemory::serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Cycle arrival = clock_.cycles(clock_.stamp() + delay);
  const Cycle start = channel_.free(arrival);
  const Cycle end = start + cyclesOf(payload, arrival);
  channel_.take(arrival, start, end);
  delay += clock_.time(end - arrival + parameters_.latency);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace fermata
