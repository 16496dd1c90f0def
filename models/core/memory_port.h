// The core's way out: it sends the accesses of warps down the shared and the global path and says
// when their data arrive.
#pragma once

#include <fermata/models/timing/clock_domain.h>
#include <fermata/models/transaction/payload_pool.h>
#include <fermata/models/transaction/warp_protocol.h>

namespace fermata {

class MemoryPort : public sc_core::sc_module, public WarpBackward {
 public:
  /// Told of a response that came later than the call that sent the access.
  class Client {
   public:
    virtual ~Client() = default;
    virtual void completed(const WarpAccess& access, Cycle at) = 0;
    /// The request that was not accepted at its call has been (END_REQ, or the response itself):
    /// the port takes the next one from cycle `at` on.
    virtual void portFree(Cycle at) = 0;
  };
  struct Outcome {
    Cycle completed =
        kNever;            ///< cycle in which the data are there; kNever: the client will be told
    bool accepted = true;  ///< false: the client will be told when the port is free
    Cycle occupancy = 1;   ///< accepted: cycles until the port takes the next access
  };

  WarpInitiatorSocket shared;  ///< scratchpad path
  WarpInitiatorSocket global;  ///< global, local and texture path

  MemoryPort(const sc_core::sc_module_name& name, const Clock& clock, Client& client);

  /// The access that the next send() sends; its instruction is filled by whoever executes it.
  WarpAccess& open();
  /// Sends the opened access down the path of its space, in cycle `now`.
  Outcome send(Cycle now);
  /// Gives the opened access back unsent: no lane was active.
  void drop();
  /// Stores zeros to bytes [base, base + bytes) of the scratchpad through the path's debug
  /// transport, so that a verifying scratchpad sees a CTA's window as the executor does. `bytes`: a
  /// multiple of 4.
  void clearWindow(std::uint32_t base, std::uint32_t bytes);

  std::size_t inFlight() const { return inFlight_; }

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void accept(const tlm::tlm_generic_payload& payload, Cycle at);
  void checkResponse(const tlm::tlm_generic_payload& payload) const;

  Clock clock_;
  Client& client_;
  PayloadPool pool_;
  tlm::tlm_generic_payload* opened_ = nullptr;
  const tlm::tlm_generic_payload* unaccepted_ =
      nullptr;  ///< the request that waits for its END_REQ
  std::size_t inFlight_ = 0;
};

}  // namespace fermata
