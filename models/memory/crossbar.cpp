#include <fermata/models/memory/crossbar.h>

#include <algorithm>

namespace fermata {

Crossbar::Crossbar(const sc_core::sc_module_name& name, const Clock& clock,
                   const Parameters& parameters, Probe* probe)
    : WarpStage(name),
      clock_(clock),
      parameters_(parameters),
      resolver_(parameters.banks, parameters.ports, parameters.wide, parameters.lanes),
      probe_(probe) {
  if (parameters.banks < 1 || parameters.banks > 4096 || parameters.ports < 1) {
    SC_REPORT_FATAL("fermata/crossbar", "banks must be 1 to 4096, ports 1 or more");
  }
  if (parameters.lanes != kWarpLanes && parameters.lanes != kWarpLanes / 2) {
    SC_REPORT_FATAL("fermata/crossbar", "the lanes served together must be 32 or 16");
  }
}

void Crossbar::pass(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  WarpAccess& access = warpAccess(payload);
  if (access.banks != parameters_.banks) {
    SC_REPORT_FATAL("fermata/crossbar",
                    "the indexer maps onto another number of banks than the crossbar has");
  }
  resolver_.resolve(access);
  const Cycle arrival = clock_.cycles(sc_core::sc_time_stamp() + delay);
  const Cycle start = std::max(arrival, nextFree_);
  nextFree_ = start + access.passes;
  // The stages before this one are pipelined: they can take the next access as many cycles after
  // this one as the banks are held for.
  access.occupancy = nextFree_ - arrival;
  const Cycle busy =
      (start - arrival) + std::max<Cycle>(access.passes, 1) - 1 + parameters_.latency;
  delay += clock_.time(busy);
  if (probe_ != nullptr) probe_->sharedAccess(access);
}

// Debug accesses resolve conflicts too: who wins a word does not depend on time.
void Crossbar::translate(tlm::tlm_generic_payload& payload) {
  resolver_.resolve(warpAccess(payload));
}

}  // namespace fermata
