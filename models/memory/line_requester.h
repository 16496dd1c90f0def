// The side of a cache that asks memory: requests of a line or of sectors of one, as plain payloads
// of the TLM-2.0 base protocol. Any AT memory may be bound to `out`, early or late, with
// back-pressure and responses out of order.
#pragma once

#include <fermata/models/memory/cache_array.h>
#include <fermata/models/memory/write_order.h>
#include <fermata/models/timing/agenda.h>
#include <fermata/models/timing/calendar.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/timing/ring.h>
#include <fermata/models/transaction/warp_protocol.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace fermata {

/// What a cache says of its request, beside the payload's own attributes. Ignorable, as the base
/// protocol demands: a memory that does not know it serves the payload all the same.
struct LineRequest : tlm::tlm_extension<LineRequest> {
  std::uint64_t line = 0;     ///< number of the line in the cache that asks
  std::uint64_t address = 0;  ///< as asked; modules on the way may change the payload's
  std::uint32_t program = 0;  ///< Grid::program of the instruction that the request is for
  std::uint32_t pc = 0;
  /// A write: sectors of which every byte is written, bit 0 the first of the payload. Byte enables
  /// say the same, but only where data are carried.
  SectorMask whole = 0;
  std::uint32_t token = 0;  ///< the asker's own
  std::uint32_t slot = 0;   ///< of the requester's pool
  bool answered = false;
  bool owesEnd = false;  ///< the memory waits for END_RESP
  /// A write: its place in the executor's order; order 0: writes are taken as they come.
  WriteOrder::Origin origin;
  bool inL2 = false;  ///< answered from a second-level cache

  tlm::tlm_extension_base* clone() const override { return new LineRequest(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const LineRequest&>(other);
  }
};

class LineRequester : public sc_core::sc_module, public LineBackward, public tlm::tlm_mm_interface {
 public:
  using Payload = tlm::tlm_generic_payload;
  class Client {
   public:
    virtual ~Client() = default;
    /// The answer to a request, in the cycle in which it is there. The payload ends with the call.
    virtual void answered(Payload& line, Cycle now) = 0;
    /// room() may be true again.
    virtual void roomFreed(Cycle now) = 0;
  };

  LineInitiatorSocket out;

  /// When a response ends.
  enum class ResponseEnd : std::uint8_t {
    Early,  ///< with the return of BEGIN_RESP: TLM_COMPLETED
    /// By an END_RESP of the requester's own, in the cycle in which the answer is there, never from
    /// within a call of the memory. Some memories wait for it and miss an early completion.
    FourPhase
  };

  /// `queue`: requests that wait for `out`, 1 or more; `period`: cycles between two that leave;
  /// `turn`: the cache's.
  LineRequester(const sc_core::sc_module_name& name, const Clock& clock, Client& client,
                std::uint32_t lineBytes, unsigned queue, Cycle period = 1, Turn turn = Turn::L1,
                ResponseEnd end = ResponseEnd::Early);

  /// A request with every attribute set: reads with all bytes enabled, writes with none, until
  /// enable(). Its data pointer has room for `bytes`, at most those of a line.
  Payload& open(tlm::tlm_command command, std::uint64_t address, std::uint32_t bytes);
  /// Byte `at` of a write has this value.
  void enable(Payload& line, std::uint32_t at, std::uint8_t value);
  /// A write of all its bytes, without byte enables. The caller fills the data.
  static void enableAll(Payload& line);
  static LineRequest& of(const Payload& line) { return *line.get_extension<LineRequest>(); }

  /// Sends it in cycle `at` or as soon after as `out` takes it, in the order of the calls.
  void send(Payload& line, Cycle at);
  /// Another request may be sent without the queue growing beyond its length.
  bool room() const { return waiting_.size() < queue_; }
  /// Requests that are not answered.
  std::size_t open() const { return open_; }

 private:
  struct Line {
    explicit Line(tlm::tlm_mm_interface* pool) : payload(pool) {}
    Payload payload;
    std::vector<std::uint8_t> data;
    std::vector<std::uint8_t> enabled;
  };
  struct Waiting {
    Payload* line = nullptr;
    Cycle at = 0;
  };

  tlm::tlm_sync_enum nb_transport_bw(Payload& line, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void free(Payload* line) override {
    line->reset();  // ends the extensions that the memory has added to this transaction
    idle_.push_back(line);
  }
  void grow();
  void sendNow(Payload& line, Cycle at);
  bool sendWaiting();
  void acknowledged(Payload& line, const sc_core::sc_time& at);
  void answerAt(Payload& line, const sc_core::sc_time& at);
  void tell(Payload& line);
  void endResponse(Payload& line);
  void act();

  Clock clock_;
  Client& client_;
  std::uint32_t lineBytes_;
  std::size_t queue_;
  Cycle period_;
  bool fourPhase_;
  std::vector<std::unique_ptr<Line>> lines_;
  std::vector<Payload*> idle_;
  Ring<Waiting> waiting_;
  Calendar<Payload*> answers_;
  Alarm due_;
  Payload* unacknowledged_ = nullptr;
  bool sending_ = false;
  Cycle next_ = 0;  ///< no request leaves sooner
  std::size_t open_ = 0;
};

}  // namespace fermata
