// A cache between plain sockets of the TLM-2.0 base protocol: the second level, shared by whoever
// stands above. Requests are of sectors of one line; reads that miss fetch what is missing, and
// merge; writes allocate without a fetch (what a sector lacks is fetched when it is read, as
// GPGPU-Sim's Fermi L2 does) and go to memory when their line leaves (Back), or at once and
// allocate nothing (Through).
//
// Requests are served in their order: one that must wait, for an MSHR, a frame, a line on its way
// to memory or room to send, holds those behind it, hits included. So does GPGPU-Sim's L2: a
// request that finds nothing free stays at the head of the input queue of its slice until it does
// (memory_sub_partition::cache_cycle). There each slice has a queue of its own; here one queue
// stands before them all, so that a slice that waits holds the others as well.
#pragma once

#include <fermata/models/memory/cache_array.h>
#include <fermata/models/memory/line_requester.h>
#include <fermata/models/memory/mshr.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/reservation.h>
#include <fermata/models/timing/ring.h>
#include <fermata/models/transaction/late_target.h>

#include <vector>

namespace fermata {

class L2Cache : public LateLineTarget, private LineRequester::Client {
 public:
  struct Parameters {
    CacheShape shape{49152, 128, 1};
    Replacement replacement = Replacement::Lru;
    WritePolicy writePolicy = WritePolicy::Back;  ///< Back or Through
    unsigned latency = 120;                       ///< cycles from a request's turn to its answer
    unsigned slices = 1;           ///< ports of their own; line i has slice i mod slices
    unsigned cyclesPerSector = 1;  ///< that a request takes its port
    unsigned mshrs = 256;          ///< lines under way, 1 or more
    unsigned merges = 0;           ///< requests that wait for one line; 0: no limit
    unsigned input = 8;            ///< requests taken in and not yet served
    unsigned queue = 32;           ///< requests that wait for memory to take them
    bool verify = false;           ///< keeps data
    /// Ends each response of memory by an END_RESP of its own (LineRequester::ResponseEnd).
    bool fourPhase = false;
    /// Writes whole sectors to memory, without byte enables. Bytes that were not written stay as
    /// they are in memory where `verify` keeps data; they are read untimed. In time a write of part
    /// of a sector is the write of that sector.
    bool wholeSectors = false;
  };

 private:
  LineRequester requests_;

 public:
  LineInitiatorSocket& out;

  /// `probe` may be null.
  L2Cache(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters,
          SetIndex sets, Probe* probe);

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  /// Past the queues and the ports, as if nothing stood in the cache: the data are those that stand
  /// here, as with transport_dbg, and writes go through to memory.
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  /// Reads what a request would find, writes so that every request finds it; the memory behind is
  /// asked likewise.
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

  /// The lines of [address, address + bytes) stand in the cache as memory has them: the host has
  /// copied them through it. Precondition: nothing is under way.
  void warm(std::uint64_t address, std::uint64_t bytes);
  /// Every line is forgotten, what memory has not got included. Precondition: nothing is under way.
  void clear() { array_.clear(); }
  /// Nothing is under way between it and memory.
  bool quiet() const { return requests_.open() == 0; }
  /// Reports each request to memory to the probe from now on: the memory behind does not do so.
  void reportMemory() { reportsMemory_ = true; }
  const SetIndex& sets() const { return array_.sets(); }
  /// With `verify`: the writes that have come and that say their place in the executor's order.
  WriteOrder& writes() { return writes_; }

 private:
  using Payload = tlm::tlm_generic_payload;
  using Waiters = Mshrs<Payload*>;

  void requested(Payload& payload) override;
  void answered(Payload& line, Cycle now) override;
  void roomFreed(Cycle now) override;

  bool serve(Payload& payload);
  bool read(Payload& payload);
  bool write(Payload& payload);
  bool fetch(Payload& payload, SectorMask want, CacheArray::Frame frame);
  CacheArray::Frame makeRoom(std::uint64_t line, const Payload& cause);
  void writeBack(CacheArray::Frame frame, const Payload& cause);
  void writeBack(CacheArray::Frame frame, SectorMask sectors, const Payload& cause);
  Payload& openWrite(std::uint64_t line, std::uint64_t address, std::uint32_t bytes,
                     SectorMask whole, const Payload& cause);
  void send(Payload& request, Cycle at);
  bool writeThrough(Payload& payload, CacheArray::Frame frame);
  void drain();
  void filled(Payload& line);
  void answer(Payload& payload);
  Cycle turn(const Payload& payload);
  SectorMask wanted(const Payload& payload) const;
  SectorMask whole(const Payload& payload) const;
  void take(const Payload& payload, CacheArray::Frame frame);
  void give(Payload& payload, CacheArray::Frame frame);
  std::vector<std::uint8_t> bytesOf(std::uint64_t line);
  template <class Store>
  void settle(const Payload& payload, Store store);
  bool isWritten(std::uint64_t line) const;
  template <class Has>
  void meet(Payload& payload, Has has);
  CacheArray::Frame frameOf(std::uint64_t line) const;
  void report(CacheEvent::What what, const Payload& payload) const;
  void effort(EffortEvent::What what, const Payload& payload, SectorMask sectors) const;
  static void copyOrigin(const Payload& from, Payload& to);

  Clock clock_;
  Parameters parameters_;
  CacheArray array_;
  Probe* probe_;
  bool reportsMemory_ = false;
  Waiters mshrs_;
  std::vector<Reservation> ports_;
  Ring<Payload*> blocked_;        ///< in their order
  std::vector<Payload*> served_;  ///< those of the line that has come
  Payload* unacknowledged_ = nullptr;
  sc_core::sc_time arrival_;       ///< of that
  unsigned taken_ = 0;             ///< requests taken in and not yet served
  std::vector<Payload*> writing_;  ///< on their way to memory
  WriteOrder writes_;
};

}  // namespace fermata
