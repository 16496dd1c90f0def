// The core's way out to memory: each try of an access is one transaction down the path of its
// space. The port knows the protocol; its client knows what a try means for the warp.
//
// Neither path knows of the other, so the port keeps the accesses of a warp in order across both.
// While an access has lanes left, a later access of the warp goes down no path: it is squashed.
//
// On the machine the later access may reach its banks before the failure of the earlier one is
// known. The model squashes it nevertheless. The source says that all instructions of the warp in
// flight are squashed and issued again, to preserve memory consistency (Diamond et al., Arbitrary
// Modulus Indexing, MICRO 2014, section IV). That only helps if a load in flight has written no
// register and a store no memory.
//
// So no lane of a squashed access is served, and only its issue slot and its cycle of the port are
// counted. The core is told of the squash when it is told of the failure, or later.
#pragma once

#include <fermata/models/core/memory_path.h>
#include <fermata/models/timing/clock_domain.h>
#include <fermata/models/transaction/payload_pool.h>
#include <fermata/models/transaction/warp_order.h>
#include <fermata/models/transaction/warp_protocol.h>

#include <algorithm>
#include <array>
#include <vector>

namespace fermata {

class MemoryPort : public sc_core::sc_module, public WarpBackward {
 public:
  /// Receives the events that send() could not return.
  class Client {
   public:
    virtual ~Client() = default;
    /// Tells the outcome of a try that send() left open, in the cycle in which the core knows it.
    /// WarpAccess::outcome holds the lanes left; WarpAccess::unserved is already up to date.
    virtual void responded(WarpAccess& access, Cycle now) = 0;
    /// The data of an access without unserved lanes are there in cycle `at`. After responded().
    virtual void arrived(WarpAccess& access, Cycle at) = 0;
    /// Lanes left may be tried again from cycle `at` on, even if TryOutcome::retry said later. The
    /// client has been told of these lanes before.
    virtual void again(WarpAccess& access, Cycle at) = 0;
    /// A request that was not accepted at its call has been accepted: the path takes the next one
    /// from cycle `at` on.
    virtual void pathFree(MemoryPath path, Cycle at) = 0;
    /// It is settled which lanes are served by a try that send() left open (WarpAccess::decided).
    /// The outcome itself is told later.
    virtual void decided(const WarpAccess&) {}
    /// An outcome is due in cycle `at`: the client must call deliver() then.
    virtual void due(Cycle at) = 0;
  };
  /// The part of an outcome that is known when send() returns.
  struct Sent {
    bool accepted = true;    ///< false: the client will be told when the path is free
    Cycle occupancy = 1;     ///< if accepted: cycles until the path takes the next try
    bool served = false;     ///< every lane is served; false: the client will be told
    Cycle arrives = kNever;  ///< if served: cycle in which the data of the whole access are there
  };

  WarpInitiatorSocket shared;  ///< scratchpad path
  WarpInitiatorSocket global;  ///< global, local and texture path

  /// `detection`: least cycles from a try until the core is told of its lanes left.
  MemoryPort(const sc_core::sc_module_name& name, const ClockDomain& domain, Client& client,
             Cycle detection = 0);

  /// Numbers accesses by this counter, which several ports may share; not owned. Without this call
  /// the port uses a private counter.
  void number(std::uint64_t& sequence) {
    sequence = std::max(sequence, *sequence_);
    sequence_ = &sequence;
  }
  /// Numbers accesses by the private counter from here on.
  void numberAlone() {
    own_ = std::max(own_, *sequence_);
    sequence_ = &own_;
  }
  /// Numbers accesses from `least` on, if they are below it. Precondition: numberAlone().
  void numberFrom(std::uint64_t least) { own_ = std::max(own_, least); }

  /// Returns a new access for the caller to fill and to use until close().
  WarpAccess& open();
  /// Numbers an access that has waited as if it were opened now. Returns the number.
  std::uint64_t renumber(WarpAccess& access) { return access.sequence = (*sequence_)++; }
  /// Ends an access. Precondition: no try of the access is on its way.
  void close(WarpAccess& access);

  /// Sends a try that asks for the lanes of `unserved`, in cycle `now`. If an earlier access of the
  /// warp has lanes left, the try is squashed: the client will be told that all lanes are left.
  Sent send(WarpAccess& access, Cycle now);
  /// Sets the passes of a filled access to shared memory, as far as they follow from its addresses
  /// alone. Nothing is sent.
  void foresee(WarpAccess& access);
  /// Tells the client of the outcomes that are due by `now`.
  void deliver(Cycle now);
  /// Returns the cycle of the next outcome that is known to come; kNever: none.
  Cycle nextDue() const { return nextDue_; }

  /// Stores zeros to bytes [base, base + bytes) of the scratchpad through the path's debug
  /// transport. A verifying scratchpad then sees a CTA's window as the executor does. `bytes`: a
  /// multiple of 4.
  void clearWindow(std::uint32_t base, std::uint32_t bytes);

  /// Returns the accesses between open() and close(), in no order.
  std::vector<const WarpAccess*> accesses() const { return pool_.accesses(); }
  /// Returns how many tries have not been answered in full.
  std::size_t inFlight() const { return inFlight_; }

 private:
  struct Delivery {
    Cycle at;
    WarpAccess* access;
    bool response;  ///< BEGIN_RESP; otherwise TRY_OUTCOME
  };
  /// State of the try that send() is sending: what backward calls have told so far.
  struct Call {
    WarpAccess* access = nullptr;
    bool accepted = false;
    bool over = false;    ///< the try ended: by a response, or by an outcome with lanes left
    bool served = false;  ///< all lanes are served, by a response that send() returns
  };

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
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
  std::array<const WarpAccess*, kMemoryPaths> unaccepted_{};  ///< access that waits for END_REQ
  std::vector<Delivery> deliveries_;
  Cycle nextDue_ = kNever;
  Call call_;
  std::uint64_t own_ = 0;
  std::uint64_t* sequence_ = &own_;  ///< WarpAccess::sequence of the next access
  std::size_t inFlight_ = 0;
};

}  // namespace fermata
