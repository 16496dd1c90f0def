// Memory as an L2 sees it: the requests to it, the writes on their way, and the bytes that it has
// not got yet.
#pragma once

#include <fermata/models/memory/byte_enables.h>
#include <fermata/models/memory/cache_array.h>
#include <fermata/models/memory/line_requester.h>
#include <fermata/models/memory/write_order.h>
#include <fermata/models/probe/probe.h>

#include <vector>

namespace fermata {

class L2Memory {
 public:
  using Payload = tlm::tlm_generic_payload;

  /// `wholeSectors`: L2Cache::Parameters::wholeSectors. `probe` may be null. `array`, which must
  /// outlive this, holds the lines of the cache.
  L2Memory(const Clock& clock, LineRequester::Client& client, unsigned queue,
           LineRequester::ResponseEnd end, bool wholeSectors, CacheArray& array, Probe* probe)
      : clock_(clock),
        requester_("requests", clock, client, array.shape().lineBytes, queue, 1, Turn::L2, end),
        wholeSectors_(wholeSectors),
        array_(array),
        probe_(probe) {}

  LineInitiatorSocket& out() { return requester_.out; }
  bool room() const { return requester_.room(); }
  bool quiet() const { return requester_.open() == 0; }
  /// Makes requests known to the probe, for a memory that does not report them.
  void report() { reports_ = true; }

  /// Reads the sectors of a line, from cycle `at` on. `cause`: the request that needs them.
  void read(std::uint64_t line, SectorMask sectors, const Payload& cause, Cycle at);
  /// Writes the bytes of `payload` from cycle `at` on. `whole`: sectors that it writes completely,
  /// counted from its first.
  void write(const Payload& payload, SectorMask whole, Cycle at);
  /// Writes the dirty sectors of the frame. `cause`: the request that needs the frame.
  void writeBack(CacheArray::Frame frame, const Payload& cause, Cycle at);
  /// True if a write of the line is on its way.
  bool isWritten(std::uint64_t line) const;
  void writeEnded(const Payload& request);

  /// Calls store(i, value) for each byte that the write enables. `value`: the byte to store, which
  /// is another than the write's if a newer write came sooner (write_order.h).
  template <class Store>
  void settle(const Payload& payload, Store store);
  WriteOrder& writes() { return writes_; }

  /// Carries out an untimed access that sees, and changes, the bytes that memory has not got yet.
  void transportUntimed(Payload& payload, sc_core::sc_time& delay);
  unsigned transportDebug(Payload& payload);

 private:
  Payload& openWrite(std::uint64_t address, std::uint32_t bytes, SectorMask whole,
                     const Payload& cause);
  void writeBack(CacheArray::Frame frame, SectorMask sectors, const Payload& cause, Cycle at);
  void send(Payload& request, Cycle at);
  std::vector<std::uint8_t> bytesOf(std::uint64_t line);
  template <class Has>
  void reconcile(Payload& payload, Has has);
  static void copyOrigin(const Payload& from, LineRequest& to);

  Clock clock_;
  LineRequester requester_;
  bool wholeSectors_;
  CacheArray& array_;
  Probe* probe_;
  bool reports_ = false;
  std::vector<Payload*> writing_;  ///< writes on their way to memory
  WriteOrder writes_;
};

template <class Store>
void L2Memory::settle(const Payload& payload, Store store) {
  const auto* request = payload.get_extension<LineRequest>();
  if (request == nullptr || request->origin.order == 0) {
    forEachEnabled(payload, [&](unsigned i) { store(i, payload.get_data_ptr()[i]); });
    return;
  }
  const std::uint64_t number = array_.lineOf(payload.get_address());
  WriteOrder::Line* line = writes_.find(number);
  if (line == nullptr) line = &writes_.add(number, bytesOf(number));
  const auto base = static_cast<std::uint32_t>(payload.get_address() - array_.addressOf(number));
  forEachEnabled(payload, [&](unsigned i) {
    store(i, line->take(base + i, request->origin, payload.get_data_ptr()[i]));
  });
}

}  // namespace fermata
