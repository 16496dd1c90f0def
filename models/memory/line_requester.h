// The memory side of a cache: sends requests for a line, or for sectors of one, as plain payloads
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

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace fermata {

/// Describes a request of a cache, beside the payload's own attributes. Ignorable, as the base
/// protocol demands: a memory that does not know the extension still serves the payload.
struct LineRequest : tlm::tlm_extension<LineRequest> {
  std::uint64_t line = 0;     ///< number of the line in the cache that asks
  std::uint64_t address = 0;  ///< address as sent; modules on the way may change the payload's
  std::uint32_t program = 0;  ///< Grid::program of the instruction that the request is for
  std::uint32_t pc = 0;
  /// For a write: sectors that it writes completely, bit 0 the first of the payload. Byte enables
  /// tell it only if data are carried.
  SectorMask whole = 0;
  /// For a store, by sector of the payload: the bytes that it writes. Lines of up to 128 bytes.
  std::array<std::uint32_t, 4> bytes{};
  /// For an atomic: the sectors that it updates, and how many updates a sector has more than one,
  /// as further lanes name the same word; summed over the sectors.
  std::uint16_t updates = 0;
  std::uint16_t furtherUpdates = 0;
  bool addsFloats = false;  ///< an atomic on floats
  std::uint32_t token = 0;  ///< free for the cache that asks
  /// Nobody waits for the answer: a network with input queues does not carry it.
  bool silent = false;
  /// For a read without data: if it finds its line under way to an L2, it is answered with what
  /// comes.
  bool joins = false;
  bool answered = false;
  bool owesEnd = false;  ///< the memory waits for END_RESP
  /// For a write: its place in the executor's order; order 0: writes are taken as they come.
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
    /// Takes the answer to a request, in the cycle in which it is there. The payload is valid only
    /// during the call.
    virtual void answered(Payload& line, Cycle now) = 0;
    /// Called when room() may be true again.
    virtual void roomFreed(Cycle now) = 0;
  };

  LineInitiatorSocket out;

  /// When a response ends.
  enum class ResponseEnd : std::uint8_t {
    Early,  ///< with the return of BEGIN_RESP: TLM_COMPLETED
    /// With an END_RESP call in the cycle in which the answer is there, never from within a call of
    /// the memory. For memories that wait for END_RESP and miss an early completion.
    FourPhase
  };

  /// `queue`: requests that may wait for `out`, 1 or more. `period`: least cycles between two
  /// requests that leave. `turn`: the turn of the cache (agenda.h).
  LineRequester(const sc_core::sc_module_name& name, const Clock& clock, Client& client,
                std::uint32_t lineBytes, unsigned queue, Cycle period = 1, Turn turn = Turn::L1,
                ResponseEnd end = ResponseEnd::Early);

  /// Returns a request with every attribute set. Reads enable all bytes; writes enable none before
  /// enable(). The data pointer has room for `bytes`, at most the bytes of a line.
  Payload& open(tlm::tlm_command command, std::uint64_t address, std::uint32_t bytes);
  /// Enables byte `at` of a write, with this value.
  void enable(Payload& line, std::uint32_t at, std::uint8_t value);
  /// Makes a write cover all its bytes, without byte enables. The caller fills the data.
  static void enableAll(Payload& line);
  /// Precondition: open() has given the line.
  static LineRequest& of(const Payload& line) { return static_cast<const Line&>(line).request; }

  /// Way of a request: by the queue of its sector, if there are such queues, or past them.
  enum class Way : std::uint8_t { Banks, Direct };
  /// Sends a request in cycle `at`, or as soon after as `out` takes it. Requests leave in the order
  /// of the calls.
  void send(Payload& line, Cycle at, Way way = Way::Banks);
  /// Lets requests pass `banks` queues of `depth` places before the one for `out`: that of sector n
  /// passes queue n mod `banks`. In each cycle every queue hands on its first while the last has
  /// room, the lowest first, so that under load requests of low sectors overtake others.
  void addBanks(unsigned banks, unsigned depth);
  /// True if another request may be sent without exceeding the length of a queue.
  bool room() const { return banks_.empty() ? waiting_.size() < queue_ : bankRoom(); }
  /// Requests sent and not yet answered.
  std::size_t open() const { return open_; }

 private:
  struct Extension : LineRequest {
    void free() override {}  // part of its payload
  };
  /// A payload and its extension.
  struct Line : Payload {
    explicit Line(tlm::tlm_mm_interface* pool) : Payload(pool) {
      set_extension<LineRequest>(&request);
    }
    ~Line() override { clear_extension<LineRequest>(); }
    mutable Extension request;
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
    line->reset();  // drops the extensions that the memory has added to this transaction
    idle_.push_back(static_cast<Line*>(line));
  }
  void grow();
  void sendNow(Payload& line, Cycle at);
  bool sendWaiting();
  bool bankRoom() const;
  void planHandOn();
  void handOn();
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
  std::vector<Line*> idle_;
  Ring<Waiting> waiting_;
  std::vector<Ring<Waiting>> banks_;  ///< empty: requests wait in `waiting_` alone
  std::size_t bankDepth_ = 0;
  std::unique_ptr<Alarm> handsOn_;  ///< null: no banks
  Cycle nextHandOn_ = 0;            ///< banks hand on no earlier
  Calendar<Payload*> answers_;
  Alarm due_;
  Payload* unacknowledged_ = nullptr;
  bool sending_ = false;
  Cycle next_ = 0;  ///< earliest cycle in which the next request may leave
  std::size_t open_ = 0;
};

}  // namespace fermata
