// Off-chip memory: channels of GDDR or DDR SDRAM (dram_channel.h: FR-FCFS, open page) behind plain
// TLM-2.0 sockets, one for each slice of the L2, approximately timed. Any payload of the base
// protocol is served: any address of 64 bits, any length, byte enables.
//
// A request is split at the borders of the address map's blocks (dram_map.h). An aligned line of at
// most channelBytes and bankBytes is never split. END_REQ comes when all parts of the request are
// in the queues of their channels: a full queue holds the request, and all later ones of its socket
// with it. Requests of several sockets come in order of (time, socket); those that a queue holds go
// on in the order in which they came. A read is answered `latency` cycles after its last data have
// passed the bus, a write when the DRAM has its data.
//
// Not modelled: postponed refreshes, power-down.
#pragma once

#include <fermata/models/memory/dram_channel.h>
#include <fermata/models/memory/dram_map.h>
#include <fermata/models/memory/sparse_bytes.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/timing/ring.h>
#include <fermata/models/transaction/late_target.h>

#include <memory>
#include <vector>

namespace fermata {

class Dram : public sc_core::sc_module {
 public:
  using Parameters = DramParameters;
  /// Counts requests when they have been served.
  struct Counts {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t rowHits = 0;  ///< requests whose rows all were open for an earlier request
  };

 private:
  class Input;
  std::vector<std::unique_ptr<Input>> inputs_;

 public:
  /// `clock`: the command clock. `probe` may be null. `inputs`: sockets, 1 or more. Reports
  /// impossible parameters as fatal.
  Dram(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters,
       Probe* probe = nullptr, unsigned inputs = 1);
  ~Dram() override;

  LineTargetSocket& input(unsigned number);
  LineTargetSocket& in;  ///< input(0)

  /// Closes every row, and counts the time to the next refresh from now. Precondition: nothing is
  /// under way.
  void closeRows();

  const Counts& counts() const { return counts_; }
  void resetCounts() { counts_ = {}; }

  /// Bypasses the queues: takes the time of an idle channel whose row is closed.
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  /// Accesses the bytes kept, without those of writes that have not been served. Ignores byte
  /// enables. Returns 0 without `verify`.
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);

 private:
  using Index = std::uint32_t;
  struct Request {
    tlm::tlm_generic_payload* payload = nullptr;
    Input* input = nullptr;
    std::uint32_t queued = 0;  ///< bytes that have entered a queue
    std::uint32_t open = 0;    ///< parts in queues
    Cycle end = 0;             ///< when the last part served so far ends
    bool rowHit = true;
  };
  struct Channel {
    explicit Channel(const DramChannel::Parameters& parameters) : queue(parameters) {}
    DramChannel queue;
    Ring<Index> held;    ///< requests that wait for room in the queue
    Cycle due = kNever;  ///< run the channel by this cycle; nothing it does is visible earlier
  };

  void requested(Input& input, tlm::tlm_generic_payload& payload);
  void wake();
  void settle(Cycle now);
  void arm();
  void goOn(unsigned channel, Cycle now);
  Index open(Input& input, tlm::tlm_generic_payload& payload);
  void enqueue(Index request, Cycle now);
  void run(unsigned channel, Cycle now);
  Cycle dueOf(unsigned channel) const;
  Cycle leastToAnswer(bool write) const;
  void served(const DramChannel::Served& part);
  void answer(Request& request);
  tlm::tlm_response_status statusOf(const tlm::tlm_generic_payload& payload) const;
  void count(const tlm::tlm_generic_payload& payload, bool rowHit);
  /// Precondition: there is a probe.
  void report(const DramChannel::Served& part, const tlm::tlm_generic_payload& payload) const;

  Clock clock_;
  Parameters parameters_;
  Probe* probe_;
  DramMap map_;
  std::vector<Channel> channels_;
  SparseBytes bytes_;
  Counts counts_;
  std::vector<Request> requests_;
  std::vector<Index> idle_;
  std::vector<DramChannel::Served> served_;  ///< results of one call of DramChannel::run
  Alarm wake_{Turn::Memory, [this] { wake(); }};
  Cycle due_ = kNever;  ///< the earliest `due` of the channels
};

}  // namespace fermata
