// Brings the requests of several slices to a memory that has one socket, in order of (time, slice),
// one at a time: the next one leaves when the memory has taken the one before. Takes no time.
// Responses go back as the memory sends them, and each slice ends its own. Sockets of the TLM-2.0
// base protocol.
#pragma once

#include <fermata/models/timing/agenda.h>
#include <fermata/models/transaction/warp_protocol.h>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace fermata {

class LineMerge : public sc_core::sc_module, public LineBackward {
 public:
  LineInitiatorSocket out;

  LineMerge(const sc_core::sc_module_name& name, unsigned inputs);
  ~LineMerge() override;

  LineTargetSocket& in(unsigned input);

 private:
  using Payload = tlm::tlm_generic_payload;
  class Input;
  struct Request {
    sc_core::sc_time at;
    unsigned input = 0;
    Payload* payload = nullptr;

    bool isAfter(const Request& other) const {
      return at != other.at ? at > other.at : input > other.input;
    }
  };
  struct UnderWay {
    Input* input = nullptr;
    /// Tells transactions of one payload apart: a slice may use the payload for its next request
    /// while it takes the response.
    std::uint64_t number = 0;
    bool responded = false;  ///< the slice has got its response
    bool ended = false;      ///< the memory has completed the transaction
  };

  tlm::tlm_sync_enum forward(unsigned input, Payload& payload, tlm::tlm_phase& phase,
                             sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void pump();
  void send(const Request& request);
  void acknowledged(const Payload& payload);
  bool respond(Payload& payload, sc_core::sc_time delay);
  /// Returns the transaction if it still is the payload's; null: it has ended.
  UnderWay* find(const Payload& payload, std::uint64_t number);

  std::vector<std::unique_ptr<Input>> inputs_;
  std::vector<Request> waiting_;  ///< a heap
  std::unordered_map<const Payload*, UnderWay> underWay_;
  std::uint64_t requests_ = 0;  ///< so far
  Alarm due_{Turn::Interconnect, [this] { pump(); }};
  const Payload* unacknowledged_ = nullptr;
  bool pumping_ = false;
  sc_core::sc_time next_;  ///< earliest time at which the memory gets the next request
};

}  // namespace fermata
