// The links that the ports of a group share.
#include <fermata/models/memory/interconnect.h>

namespace fermata {

/// Moves a request that is before its group's link on to its slice.
void Interconnect::passGroup(Request& request) {
  const Cycle first = request.at - (flitsUp(*request.payload) - 1);
  const std::uint64_t bytes = kHeaderBytes + bytesUp(*request.payload);
  request.at = ports_[request.port]->group->up.pass(first, request.at, bytes) +
               request.far;
  request.grouped = false;
}

/// Returns the cycle from which a port's link could take the answer if the port were not far.
Cycle Interconnect::leavesGroup(const Request& request, const Payload& payload) const {
  const Cycle away = request.far;
  const Cycle length = flitsDown(payload, parameters_.bytesPerCycle);
  const Cycle now = clock_.cycles(clock_.stamp());
  return ports_[request.port]->group->down.pass(now, request.leaves + away, bytesDown(payload),
                                                length) -
         away;
}

}  // namespace fermata
