// Interconnect between the streaming multiprocessors and the memory that they share: a latency each
// way and, for each multiprocessor, one link each way with a bandwidth in bytes per cycle. Requests
// reach memory in the order in which they come out of their links; at one time the lower port goes
// first. Each port has its own queue. Sockets of the TLM-2.0 base protocol.
#pragma once

#include <fermata/models/timing/clock.h>
#include <fermata/models/timing/reservation.h>
#include <fermata/models/timing/ring.h>
#include <fermata/models/transaction/late_target.h>

#include <memory>
#include <vector>

namespace fermata {

class Interconnect : public sc_core::sc_module, public LineBackward {
 public:
  struct Parameters {
    unsigned latency = 8;         ///< cycles from a link to the other side, each way
    unsigned bytesPerCycle = 32;  ///< bandwidth of a link, 1 or more
    unsigned queue = 8;           ///< requests per port that may wait for memory to take them
  };

  LineInitiatorSocket out;

  Interconnect(const sc_core::sc_module_name& name, const Clock& clock,
               const Parameters& parameters, unsigned ports = 1);
  ~Interconnect() override;

  /// True if memory has answered every request.
  bool quiet() const { return idle_.size() == requests_.size(); }
  LineTargetSocket& in(unsigned port = 0) { return ports_[port]->in; }

 private:
  using Payload = tlm::tlm_generic_payload;

  /// State of a payload until memory has answered it. Pooled; an extension of the payload, so it is
  /// found without a search. close() restores the extension of an interconnect further up.
  struct Request : tlm::tlm_extension<Request> {
    const Interconnect* net = nullptr;
    Request* outer = nullptr;
    Payload* payload = nullptr;
    unsigned port = 0;
    Cycle at = 0;               ///< when it reaches the far side
    bool held = false;          ///< END_REQ has not been sent: the port's queue was full
    sc_core::sc_time linkFree;  ///< when the link can take the next request

    tlm::tlm_extension_base* clone() const override { return nullptr; }  // a copy is no request
    void copy_from(const tlm::tlm_extension_base&) override {}
    /// Called if the payload is destroyed before it has been answered: the simulation ends.
    void free() override {
      if (outer != nullptr) outer->free();
      payload = nullptr;
    }
  };

  class Port : public LateLineTarget {
   public:
    Port(const sc_core::sc_module_name& name, Interconnect& net, unsigned number)
        : LateLineTarget(name, Turn::Interconnect), net_(net), number_(number) {}
    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(Payload& payload, sc_core::sc_time& delay) override;
    unsigned transport_dbg(Payload& payload) override { return net_.out->transport_dbg(payload); }
    using LateLineTarget::acknowledge;
    using LateLineTarget::respond;

    Reservation up;
    Reservation down;
    Ring<Request*> queue;

   private:
    void requested(Payload&) override {}

    Interconnect& net_;
    unsigned number_;
  };
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  bool take(unsigned port, Payload& payload, sc_core::sc_time& delay);
  void announce();
  void pump();
  Port* first() const;
  void sendFirst(Port& port);
  void send(const Request& request);
  Request& open(Payload& payload);
  void close(Request& request);
  void release(Port& port, const Request& request);
  void acknowledged(const Payload& payload);
  void respond(Payload& payload, const sc_core::sc_time& at);
  static constexpr std::uint64_t kHeaderBytes = 8;  ///< address and command (as in GPGPU-Sim)
  Cycle flits(std::uint64_t bytes) const {
    return (kHeaderBytes + bytes + parameters_.bytesPerCycle - 1) / parameters_.bytesPerCycle;
  }

  Clock clock_;
  Parameters parameters_;
  std::vector<std::unique_ptr<Port>> ports_;
  std::vector<std::unique_ptr<Request>> requests_;
  std::vector<Request*> idle_;
  Alarm due_;  ///< with several ports: rings when the next request reaches the far side
  const Payload* unacknowledged_ = nullptr;
  bool pumping_ = false;
  sc_core::sc_time next_;  ///< earliest time at which memory gets the next request
};

}  // namespace fermata
