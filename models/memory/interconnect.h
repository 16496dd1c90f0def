// Interconnect between N initiators, the streaming multiprocessors (SMs), and M slices of the
// memory that they share. Sockets of the TLM-2.0 base protocol.
//
//            near half                                far half
//   SM i ->  Port: link up    --- latency -->   Slice: queue, link, `out`
//   SM i <-  Port: link down  <-- latency ---   Slice: link
//
// An example: 32 bytes/cycle, latency 4. A read (8 bytes) that SM 0 sends in cycle 10 is at its
// slice in cycle 14. A write of 128 bytes takes 5 cycles of its link and is there in cycle 18.
//
// Requests enter a slice in order of (time, port); those of one port keep their order on its link.
// A slice that takes no request holds the requests for this slice alone: each port may have `queue`
// requests wait there. The next request for that slice holds its port (END_REQ is withheld), and
// with it whatever the port would send to other slices. This is an input buffer per SM whose head
// blocks (here the SM's own queue of misses) before a buffer per slice, as in GPGPU-Sim's local
// crossbar: xbar_router moves the head of an input buffer when the output buffer of its destination
// has room. There SMs compete for the places of an output buffer; here each SM has its own, so that
// the near half knows from its own requests whether it may send.
//
// With `inputQueues` the network is a crossbar of queues, one at each SM and one at each slice
// (input_queues.h): a message whose slice, or SM, takes another one holds those behind it, and no
// place limits how many wait. Both ways are then at the far half. With `routerSteps` the crossbar
// is a router of virtual channels (router_queues.h).
//
// Ports may lie in groups, the SMs of a GPC, that share a link each way behind the port's own:
//
//   SM i ->  Port: link up    --- latency -->   Group: link   --- far -->   Slice
//   SM i <-  Port: link down  <-- latency ---   Group: link  <--- far ---   Slice
//
// Requests pass a group's link in order of (time, port), the time at which their last byte comes. A
// request that waits for the link takes no place of a queue, so its port goes on sending.
//
// The halves meet in three places: passOn() and respond() send across, and freed() is the only word
// that goes back from a slice's queue to a port.
//
// If the SMs run in epochs (core/epochs.h), the near half of each lies on its SM's island, and the
// islands may run while the far half does: neither half touches the other. What a port sends waits
// for exchange(), what comes back for deliver(), each with its time; no epoch may be longer than
// the latency. A port learns of room in a slice's queue by deliver(), too.
#pragma once

#include <fermata/models/memory/input_queues.h>
#include <fermata/models/memory/router_queues.h>
#include <fermata/models/memory/shared_link.h>
#include <fermata/models/memory/slice_map.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/timing/island.h>
#include <fermata/models/timing/reservation.h>
#include <fermata/models/timing/ring.h>
#include <fermata/models/transaction/late_target.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace fermata {

class Interconnect : public sc_core::sc_module {
 public:
  struct Parameters {
    unsigned latency = 8;         ///< cycles from a port's link to the other side, each way
    unsigned bytesPerCycle = 32;  ///< bandwidth of a port's link, 1 or more
    /// Requests per port that may wait for one slice to take them; with `routerSteps` the flits
    /// that may wait at each port, and the requests that may wait behind the router for each slice.
    unsigned queue = 8;
    unsigned sliceBytesPerCycle = 0;  ///< bandwidth of a slice's link, each way; 0: no limit
    /// Ports and slices lie in as many parts of the chip: the first ones by number in the first
    /// part, and so on, unless the ports' parts are given. A message to another part takes
    /// `farLatency` cycles more.
    unsigned partitions = 1;
    unsigned farLatency = 0;
    /// Each part answers for its ports' writes, which then take no `farLatency`; not for atomics.
    bool nearWrites = false;
    unsigned bytesPerCycleUp = 0;  ///< bandwidth of a port's link for requests; 0: bytesPerCycle
    /// Data of an answer that travel as one message: a read is answered by as many messages as its
    /// data need, a write by as many without data. 0: an answer is one message.
    unsigned answerBytes = 0;
    /// Cycles that a slice's link stands still behind each message, each way: its one virtual
    /// channel is allocated anew.
    unsigned messageGap = 0;
    /// Messages queue up before the crossbar; the links of slices have no bandwidth of their own.
    bool inputQueues = false;
    /// With `inputQueues`: steps per cycle of a router of virtual channels (router_queues.h); 0:
    /// the crossbar passes messages on as soon as their output is free.
    unsigned routerSteps = 0;
    unsigned groupBytesUp = 0;    ///< bandwidth of a group's link for requests; 0: no limit
    unsigned groupBytesDown = 0;  ///< bandwidth of a group's link for answers; 0: no limit
  };

  using Islands = std::vector<std::shared_ptr<Island>>;

  /// Group and part of each port; empty: it has none, or its part follows from its number.
  struct Places {
    std::vector<unsigned> groups, parts;
  };

  /// `slices`: the slice of each line. `islands`: one for each port, or none.
  Interconnect(const sc_core::sc_module_name& name, const Clock& clock,
               const Parameters& parameters, unsigned ports = 1, const SliceMap& slices = {},
               const Islands& islands = {}, const Places& places = {});
  ~Interconnect() override;

  LineTargetSocket& in(unsigned port = 0) { return ports_[port]->in; }
  LineInitiatorSocket& out(unsigned slice = 0) { return slices_[slice]->out; }
  /// True if memory has answered every request.
  bool quiet() const;

  // Calls for SMs that run in epochs.

  /// Registers a call for whatever waits for deliver().
  void whenWaiting(std::function<void()> call) { waits_ = std::move(call); }
  /// Hands over what the ports have sent since the last call. The islands do not run.
  void exchange();
  /// Gives the ports what has come back since the last call. The islands do not run.
  void deliver();

 private:
  using Payload = tlm::tlm_generic_payload;

  /// State of a payload until memory has answered it. Pooled; an extension of the payload, so it is
  /// found without a search. close() restores the extension of an interconnect further up.
  struct Request : tlm::tlm_extension<Request> {
    const Interconnect* net = nullptr;
    Request* outer = nullptr;
    Payload* payload = nullptr;
    unsigned port = 0;
    unsigned slice = 0;
    unsigned far = 0;          ///< cycles more that it takes to the slice, and its answer back
    Cycle at = 0;              ///< when it reaches its slice, or the link of its group
    bool grouped = false;      ///< it has yet to pass the link of its group
    std::uint64_t number = 0;  ///< order in which the port took its requests
    bool answered = false;
    std::uint64_t answer = 0;   ///< order in which memory answers
    Cycle arrival = 0;          ///< when the answer has reached its slice's link
    Cycle leaves = 0;           ///< when it leaves that link
    sc_core::sc_time linkFree;  ///< when the port's link can take the next request

    /// True if `other` enters a slice first.
    bool isAfter(const Request& other) const {
      if (at != other.at) return at > other.at;
      return port != other.port ? port > other.port : number > other.number;
    }
    tlm::tlm_extension_base* clone() const override { return nullptr; }  // a copy is no request
    void copy_from(const tlm::tlm_extension_base&) override {}
    /// Called if the payload is destroyed before it has been answered: the simulation ends.
    void free() override {
      if (outer != nullptr) outer->free();
      payload = nullptr;
    }
  };

  /// A request yet to reach its slice, or the link of its group, with what decides the order: the
  /// request itself is not in the host's cache.
  struct UnderWay {
    explicit UnderWay(Request& r)
        : at(r.at), number(r.number), port(r.port), request(&r), payload(r.payload) {}
    /// True if `other` goes first.
    bool operator<(const UnderWay& other) const {
      if (at != other.at) return at > other.at;
      return port != other.port ? port > other.port : number > other.number;
    }
    Cycle at;
    std::uint64_t number;
    unsigned port;
    Request* request;
    Payload* payload;
  };

  /// Ports that share a link each way.
  struct Group {
    explicit Group(const Parameters& p) : up(p.groupBytesUp), down(p.groupBytesDown) {}
    OrderedLink up;
    UnorderedLink down;
  };

  /// Word of the far half that waits for deliver(): an answered request or, if there is none, a
  /// request that has left the queue of `slice`.
  struct Back {
    Request* answered;
    unsigned slice;
    unsigned flits = 0;  ///< that have left the port's queue before the router
  };

  /// The near half of an SM.
  class Port : public LateLineTarget {
   public:
    Port(const sc_core::sc_module_name& name, Interconnect& net, unsigned number)
        : LateLineTarget(name, Turn::Interconnect), net_(net), number_(number) {}
    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(Payload& payload, sc_core::sc_time& delay) override;
    unsigned transport_dbg(Payload& payload) override;
    using LateLineTarget::stamp;

    Request& open(Payload& payload);
    /// Send END_REQ or BEGIN_RESP at a time that lies ahead of the far half.
    void acknowledgeAt(Payload& payload, const sc_core::sc_time& at);
    void respondAt(Payload& payload, const sc_core::sc_time& at);

    Group* group = nullptr;  ///< null: it has none, or its links have no limit
    std::uint64_t part = 0;
    Reservation up;
    Reservation down;
    Cycle left = 0;           ///< cycle in which the last request left the link
    std::uint64_t taken = 0;  ///< requests so far
    Request* held = nullptr;  ///< the request whose END_REQ is withheld
    std::vector<std::unique_ptr<Request>> requests;
    std::vector<Request*> idle;
    unsigned inside = 0;  ///< flits on their way to the router or before it, with routerSteps
    std::vector<unsigned> waiting;  ///< [slice]: requests under way to it or in its queue
    // On an island, since the boundary:
    std::vector<Request*> sent;
    std::vector<Back> back;
    bool seenToHold = false;  ///< `held` is set, as the far half knows it

   private:
    void requested(Payload&) override {}

    Interconnect& net_;
    unsigned number_;
  };

  /// The far half of a slice.
  class Slice : public sc_core::sc_module, public LineBackward {
   public:
    Slice(const sc_core::sc_module_name& name, Interconnect& net);

    /// True while the slice has taken all that was sent to it: requests under way need no place.
    bool takes() const { return unacknowledged_ == nullptr; }
    void enter(Request& request);
    /// Requests that have passed the router and wait for the slice to take them.
    std::size_t waiting() const { return queue_.size(); }
    /// Takes a request that has passed the slice's link.
    void passed(Request& request);

    LineInitiatorSocket out;
    Reservation down;
    bool seenToTake = true;  ///< takes(), as the ports know it

   private:
    tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    void passLink(Request& request);
    void pump();
    void send(const Request& request);
    void acknowledged(const Payload& payload);

    Interconnect& net_;
    Ring<Request*> queue_;
    const Payload* unacknowledged_ = nullptr;
    bool pumping_ = false;
    sc_core::sc_time next_;  ///< earliest time at which the slice gets the next request
    Cycle upFree_ = 0;       ///< when the slice's link can take the next request
  };

  bool take(unsigned port, Payload& payload, sc_core::sc_time& delay);
  void passOn(Request& request);
  void setOut(Request& request);
  void push(Request& request);
  Request& popFirst();
  void arrive();
  void cross();
  void route();
  void joinQueues(Cycle now);
  void queueAnswer(Request& request);
  void passBack(Request& request);
  void passGroup(Request& request);
  Cycle leavesGroup(const Request& request, const Payload& payload) const;
  void freed(unsigned port, unsigned slice);
  void endHeld(Port& port, unsigned slice);
  void endHeld(Port& port);
  void endHeldInside(Port& port);
  void leftRouter(unsigned port, unsigned flits);
  void respond(Payload& payload, const sc_core::sc_time& at);
  void bringDown(Request& request);
  Cycle leavesSlice(Slice& slice, Cycle arrival, const Payload& payload) const;
  void close(Request& request);
  unsigned debug(Payload& payload);
  unsigned far(unsigned port, unsigned slice, const Payload& payload) const;
  static constexpr std::uint64_t kHeaderBytes = 8;  ///< address and command (as in GPGPU-Sim)
  static Cycle flits(std::uint64_t bytes, unsigned bytesPerCycle) {
    return (kHeaderBytes + bytes + bytesPerCycle - 1) / bytesPerCycle;
  }
  /// Returns the cycles for which a request takes its port's link.
  Cycle flitsUp(const Payload& payload) const {
    const unsigned up = parameters_.bytesPerCycleUp;
    return flits(bytesUp(payload), up == 0 ? parameters_.bytesPerCycle : up);
  }
  /// Returns the messages of an answer.
  Cycle messages(const Payload& payload) const {
    const unsigned part = parameters_.answerBytes;
    return part == 0 ? 1 : std::max(1U, (payload.get_data_length() + part - 1) / part);
  }
  /// Returns the bytes of an answer, with all its messages.
  std::uint64_t bytesDown(const Payload& payload) const {
    return messages(payload) * kHeaderBytes + (payload.is_read() ? payload.get_data_length() : 0);
  }
  static std::uint64_t bytesUp(const Payload& payload) {
    return payload.is_write() ? payload.get_data_length() : 0;
  }
  /// Returns the cycles for which an answer takes a link.
  Cycle flitsDown(const Payload& payload, unsigned bytesPerCycle) const {
    const unsigned part =
        parameters_.answerBytes == 0 ? payload.get_data_length() : parameters_.answerBytes;
    return messages(payload) * flits(payload.is_read() ? part : 0, bytesPerCycle);
  }

  Clock clock_;
  Parameters parameters_;
  SliceMap map_;
  std::vector<std::unique_ptr<Port>> ports_;
  std::vector<std::unique_ptr<Slice>> slices_;
  std::vector<std::unique_ptr<Group>> groups_;
  std::vector<UnderWay> underWay_;  ///< with several ports: a heap of requests yet to reach a slice
  std::vector<Request*> answers_;   ///< with input queues: a heap of answers yet to reach them
  std::uint64_t answerCount_ = 0;
  InputQueues<Request*> requestQueues_;
  InputQueues<Request*> answerQueues_;
  RouterQueues<Request*> requestRouter_;
  RouterQueues<Request*> answerRouter_;
  Alarm due_;     ///< rings when the first of `underWay_` reaches its slice
  bool islands_;  ///< ports lie on islands
  std::function<void()> waits_;
};

}  // namespace fermata
