// Off-chip memory: channels of GDDR or DDR SDRAM (dram_channel.h: FR-FCFS, open page) behind one
// plain TLM-2.0 socket, approximately timed. Any payload of the base protocol is served: any
// address of 64 bits, any length, byte enables.
//
// A request is split where the address map (dram_map.h) leaves a row; lines of up to channelBytes
// and bankBytes never are. Its END_REQ comes when all its parts are in the queues of their
// channels: a full queue holds it, and with it what would come behind it. Reads are answered when
// their last data have passed the bus and `latency` is over, writes when the DRAM has their data.
//
// Not modelled: refresh (nor does GPGPU-Sim), limits on activates other than RRD, power-down.
#pragma once

#include <fermata/models/memory/dram_channel.h>
#include <fermata/models/memory/dram_map.h>
#include <fermata/models/memory/sparse_bytes.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/late_target.h>

namespace fermata {

class Dram : public LateLineTarget {
 public:
  /// Defaults: the GTX 480, as GPGPU-Sim 4.2 has it (configs/tested-cfgs/SM2_GTX480). Cycles are
  /// those of the command clock, there of 924 MHz.
  struct Parameters : DramMap::Shape {
    unsigned bankGroups = 4;  ///< of a channel: a power of two; neighbouring banks are in different
    std::uint32_t burstBytes = 64;  ///< of a column command: 2 chips x 4 bytes x 8
    unsigned queue = 64;            ///< requests of a channel that wait for their turn: 1 to 4096
    /// Cycles after which the oldest request of a channel goes before row hits: so that none
    /// starves. An assumption; GPGPU-Sim has no limit.
    unsigned patience = 1024;
    /// Cycles of the controller and the way back, added to each read: 100 core cycles of 700 MHz
    /// (dram_latency), which GPGPU-Sim adds on the way there.
    unsigned latency = 132;
    DramTiming timing;
    bool verify = false;  ///< keeps the bytes; otherwise data arrays are not looked at
  };
  /// Of requests, when they have been served.
  struct Counts {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t rowHits = 0;  ///< all its rows had been opened for an earlier request
  };
  /// What is impossible; empty if nothing is.
  static std::optional<ImpossibleDram> wrong(const Parameters& parameters);
  /// `clock`: the command clock. Impossible parameters are a fatal report.
  /// `probe` may be null.
  Dram(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters,
       Probe* probe = nullptr);

  /// Every row is closed. Precondition: nothing is under way.
  void closeRows();

  const Counts& counts() const { return counts_; }
  void resetCounts() { counts_ = {}; }

  /// Past the queues, as if the channel were idle and the row closed.
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  /// The bytes as they are, without those of writes that have not been answered; byte enables do
  /// not count. 0 bytes without `verify`.
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = ~Index{0};
  struct Request {
    tlm::tlm_generic_payload* payload = nullptr;
    std::uint32_t queued = 0;  ///< bytes that have entered a queue
    std::uint32_t open = 0;    ///< parts in queues
    Cycle end = 0;             ///< of the parts served
    bool rowHit = true;
  };
  struct Channel {
    explicit Channel(const DramChannel::Parameters& parameters) : queue(parameters) {}
    DramChannel queue;
    Cycle due = kNever;  ///< it must have been run by then: nothing of it shows any sooner
  };

  void requested(tlm::tlm_generic_payload& payload) override;
  void wake();
  void settle(Cycle now);
  void arm();
  Index open(tlm::tlm_generic_payload& payload);
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
  std::vector<DramChannel::Served> served_;  ///< of one run
  Index held_ = kNone;                       ///< the request that waits for a queue
  unsigned heldBy_ = 0;                      ///< that channel's
  Alarm wake_{Turn::Memory, [this] { wake(); }};
  Cycle due_ = kNever;  ///< the least of the channels
};

}  // namespace fermata
