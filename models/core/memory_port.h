// The core's way out: each try of an access is one transaction down the path of its space. The port
// knows the protocol; what a try means for its warp is its client's business.
//
// A path knows nothing of the other one, so it is here that the accesses of a warp are kept in
// order over both: behind one with lanes left a later access goes down no path, it is squashed.
//
// The later one may reach its banks before the machine knows that the one before it has failed. The
// model takes it for squashed all the same: whatever of a warp is in flight then is squashed and
// issued again, to preserve memory consistency (Diamond et al., Arbitrary Modulus Indexing, MICRO
// 2014, section IV), which is only of use if a load in flight has written no register and a store
// no memory. So nothing of it is served, nothing is counted but its issue slot and its cycle of the
// port, and the core hears of it when it hears of the failure, or later.
#pragma once

#include <fermata/models/core/memory_path.h>
#include <fermata/models/timing/clock_domain.h>
#include <fermata/models/transaction/payload_pool.h>
#include <fermata/models/transaction/warp_order.h>
#include <fermata/models/transaction/warp_protocol.h>

#include <array>
#include <vector>

namespace fermata {

class MemoryPort : public sc_core::sc_module, public WarpBackward {
 public:
  /// Told of what send() could not say.
  class Client {
   public:
    virtual ~Client() = default;
    /// In the cycle in which it is known: what became of the try of an access that send() left
    /// open. WarpAccess::outcome says which lanes were left; `unserved` is already what is to do.
    virtual void responded(WarpAccess& access, Cycle now) = 0;
    /// The data of an access without unserved lanes are there in cycle `at`. After responded().
    virtual void arrived(WarpAccess& access, Cycle at) = 0;
    /// Lanes left of the access, of which the client has been told, may be tried again from cycle
    /// `at` on, whatever TryOutcome::retry said.
    virtual void again(WarpAccess& access, Cycle at) = 0;
    /// The request that was not accepted at its call has been: the path takes the next one from
    /// cycle `at` on.
    virtual void pathFree(MemoryPath path, Cycle at) = 0;
    /// It is settled which lanes are served by a try of which send() could not say
    /// (WarpAccess::decided); they are told of later.
    virtual void decided(const WarpAccess&) {}
    /// Something is due in cycle `at`: deliver() is to be called then.
    virtual void due(Cycle at) = 0;
  };
  /// What is known when send() returns.
  struct Sent {
    bool accepted = true;    ///< false: the client will be told when the path is free
    Cycle occupancy = 1;     ///< accepted: cycles until the path takes the next try
    bool served = false;     ///< every lane; false: the client will be told
    Cycle arrives = kNever;  ///< served: the data of the whole access are there
  };

  WarpInitiatorSocket shared;  ///< scratchpad path
  WarpInitiatorSocket global;  ///< global, local and texture path

  /// The core hears of lanes left `detection` cycles after their try, or later.
  MemoryPort(const sc_core::sc_module_name& name, const ClockDomain& domain, Client& client,
             Cycle detection = 0);

  /// Numbers accesses by this counter, which several ports may share; not owned. Without this call
  /// the port has one of its own.
  void number(std::uint64_t& sequence) { sequence_ = &sequence; }

  /// A new access, to be filled. It is the caller's until close().
  WarpAccess& open();
  /// Precondition: no try of the access is on its way.
  void close(WarpAccess& access);

  /// Sends a try that asks for the lanes of `unserved`, in cycle `now`. Behind an access of the
  /// warp with lanes left it is squashed: the client will be told that all lanes are left.
  Sent send(WarpAccess& access, Cycle now);
  /// Sets the passes of a filled access to shared memory, as far as they follow from its addresses
  /// alone. Nothing is sent.
  void foresee(WarpAccess& access);
  /// Tells the client of the outcomes that are due by `now`.
  void deliver(Cycle now);
  /// Cycle of the next outcome that is known to come; kNever: none.
  Cycle nextDue() const { return nextDue_; }

  /// Stores zeros to bytes [base, base + bytes) of the scratchpad through the path's debug
  /// transport, so that a verifying scratchpad sees a CTA's window as the executor does. `bytes`: a
  /// multiple of 4.
  void clearWindow(std::uint32_t base, std::uint32_t bytes);

  /// Accesses between open() and close(), in no order.
  std::vector<const WarpAccess*> accesses() const { return pool_.accesses(); }
  /// Tries that have not been answered in full.
  std::size_t inFlight() const { return inFlight_; }

 private:
  struct Delivery {
    Cycle at;
    WarpAccess* access;
    bool response;  ///< BEGIN_RESP; otherwise TRY_OUTCOME
  };
  /// What has been heard of the try that send() is sending.
  struct Call {
    WarpAccess* access = nullptr;
    bool accepted = false;
    bool over = false;    ///< by a response, or by an outcome with lanes left
    bool served = false;  ///< by a response that send() returns
  };

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  static void ask(WarpAccess& access, Cycle now);
  void begin(tlm::tlm_generic_payload& payload, WarpAccess& access, Cycle now);
  Sent squash(WarpAccess& access, Cycle now);
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, WarpAccess& access,
                             tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void acceptedAt(WarpAccess& access, Cycle at);
  void decide(WarpAccess& access, LaneMask left);
  void outcomeAt(WarpAccess& access, Cycle at);
  Cycle detect(WarpAccess& access, Cycle at) const;
  void responseAt(tlm::tlm_generic_payload& payload, WarpAccess& access, Cycle at);
  void serveAll(WarpAccess& access, Cycle at);
  void plan(WarpAccess& access, Cycle at, bool response);
  void tell(const Delivery& delivery, Cycle now);
  void checkResponse(const tlm::tlm_generic_payload& payload, const WarpAccess& access) const;

  const ClockDomain& domain_;
  Client& client_;
  Cycle detection_;
  PayloadPool pool_;
  WarpOrder order_;
  std::array<const WarpAccess*, kMemoryPaths> unaccepted_{};  ///< waits for its END_REQ
  std::vector<Delivery> deliveries_;
  Cycle nextDue_ = kNever;
  Call call_;
  std::uint64_t own_ = 0;
  std::uint64_t* sequence_ = &own_;  ///< WarpAccess::sequence of the next access
  std::size_t inFlight_ = 0;
};

}  // namespace fermata
