// One slice of the second-level cache, which all initiators above share: a cache between plain
// sockets of the TLM-2.0 base protocol. The L2 of a chip is one slice, or several behind an
// interconnect that sends each line to its slice (slice_map.h). Each request accesses bytes of one
// line. Reads that miss fetch the missing sectors, and merge. Writes allocate without a fetch (the
// rest of a sector is fetched when it is read, as in GPGPU-Sim's Fermi L2) and go to memory when
// their line leaves (Back), or go to memory at once and allocate nothing (Through). What lies
// between the cache and memory: l2_memory.h.
//
// Requests are served in order. A request that must wait for an MSHR, a frame, a line on its way to
// memory or room to send holds all later ones of the slice, hits included. GPGPU-Sim's L2 does so,
// too: a request that finds nothing free stays at the head of its slice's input queue
// (memory_sub_partition::cache_cycle). Other slices go on.
#pragma once

#include <fermata/models/memory/cache_array.h>
#include <fermata/models/memory/l2_memory.h>
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
    Chosen<ReplacementPolicy> replacement;
    PolicyValues policyValues;
    WritePolicy writePolicy = WritePolicy::Back;  ///< Back or Through
    unsigned latency = 120;                       ///< cycles from a request's turn to its answer
    /// Cycles from a request's arrival to the queue before the tags. With it, requests wait in that
    /// queue until the port is free, and `input` counts their sectors there. 0: a request is looked
    /// up as it arrives, and its answer waits for the port.
    unsigned inputLatency = 0;
    unsigned writeLatency = 0;     ///< of a write that is no atomic; 0: `latency`
    unsigned cyclesPerSector = 1;  ///< cycles that a request holds the port per sector
    /// Cycles that an atomic holds the port for each sector, and for each further update of a word
    /// in a sector (LineRequest): of integers, of floats; 0: not more than a write.
    double atomicInterval = 0;
    double floatInterval = 0;
    /// Cycles that a request which evicts a line holds the port for each dirty sector, if that is
    /// longer: they are read for memory. 0: it holds the port no longer for them.
    unsigned evictionCycles = 0;
    unsigned mshrs = 256;  ///< lines under way, 1 or more
    unsigned merges = 0;   ///< requests that may wait for one line; 0: no limit
    unsigned input = 8;    ///< requests that may be taken in and not yet served
    unsigned queue = 32;   ///< requests that may wait for memory to take them
    /// A sector is present when stores have written all of its bytes, however many they were.
    /// False: when one store has.
    bool addsBytes = false;
    bool verify = false;  ///< keeps data
    /// Ends each response of memory with an END_RESP (LineRequester::ResponseEnd::FourPhase).
    bool fourPhase = false;
    /// Writes whole sectors to memory, without byte enables: a write of part of a sector takes the
    /// time of the sector. With `verify` the bytes not written are read untimed before, so that
    /// memory keeps them.
    bool wholeSectors = false;
  };

 private:
  CacheArray array_;
  L2Memory memory_;

 public:
  LineInitiatorSocket& out;

  /// `sets`: of the slice's lines. `probe` may be null.
  L2Cache(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters,
          SetIndex sets, Probe* probe);

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  /// Bypasses the queues and the port. The time is that of a miss, and writes go through to
  /// memory; the data are the newest, as with transport_dbg.
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  /// Reads the bytes that a request would find, or writes so that every request finds the bytes,
  /// here and in the memory behind.
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

  /// Fills the line of `address` with what memory has: the host has copied it through the cache.
  /// Precondition: nothing is under way.
  void warm(std::uint64_t address);
  /// Forgets every line, even bytes that memory has not got. Precondition: nothing is under way.
  void clear() {
    array_.clear();
    owed_ = 0;
  }
  /// True if nothing is under way between the cache and memory.
  bool quiet() const { return memory_.quiet(); }
  /// Makes the cache report its requests to memory to the probe, for a memory that does not.
  void reportMemory() { memory_.report(); }
  const SetIndex& sets() const { return array_.sets(); }
  /// With `verify`: all writes so far that carry their place in the executor's order.
  WriteOrder& writes() { return memory_.writes(); }

 private:
  using Payload = tlm::tlm_generic_payload;
  using Waiters = Mshrs<Payload*>;

  void requested(Payload& payload) override;
  void answered(Payload& line, Cycle now) override;
  void roomFreed(Cycle now) override;

  bool queues() const { return parameters_.inputLatency != 0; }
  bool full() const { return queues() ? taken_ >= parameters_.input : taken_ > parameters_.input; }
  unsigned placesOf(const Payload& payload) const;
  bool portFree();
  bool serve(Payload& payload);
  bool read(Payload& payload);
  bool write(Payload& payload);
  bool fetch(Payload& payload, SectorMask want, CacheArray::Frame frame);
  CacheArray::Frame makeRoom(std::uint64_t line, const Payload& cause);
  bool writeThrough(Payload& payload, CacheArray::Frame frame);
  void drain();
  void fillUntimed(std::uint64_t line, CacheArray::Frame frame);
  void filled(Payload& line);
  static bool joins(const Payload& payload) {
    const auto* request = payload.get_extension<LineRequest>();
    return request != nullptr && request->joins;
  }
  void answer(Payload& payload);
  Cycle turn(const Payload& payload);
  Cycle latency(const Payload& payload) const;
  Cycle updating(const Payload& payload);
  SectorMask wanted(const Payload& payload) const;
  SectorMask whole(const Payload& payload) const;
  void take(const Payload& payload, CacheArray::Frame frame);
  void addBytes(const Payload& payload, CacheArray::Frame frame);
  void give(Payload& payload, CacheArray::Frame frame);
  void report(CacheEvent::What what, const Payload& payload) const;
  void effort(EffortEvent::What what, const Payload& payload, SectorMask sectors) const;

  Clock clock_;
  Parameters parameters_;
  Probe* probe_;
  Waiters mshrs_;
  Reservation port_;
  Cycle evicting_ = 0;      ///< cycles that the request at hand evicts
  double owed_ = 0;         ///< cycles, less than one, that atomics so far have not held the port
  Ring<Payload*> blocked_;  ///< requests taken in and not yet served, in order
  std::vector<Payload*> served_;  ///< requests that waited for the line that has just come
  Payload* unacknowledged_ = nullptr;
  sc_core::sc_time arrival_;  ///< when `unacknowledged_` arrived
  unsigned taken_ = 0;  ///< requests taken in and not yet served, or their sectors in the queue
  Alarm portFree_;      ///< rings when the port is free for the first of the queue
};

}  // namespace fermata
