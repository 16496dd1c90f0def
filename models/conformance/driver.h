// Initiator of the suite. It sends a stream to the module, tries lanes that were left again, and
// notes when each access has its data.
#pragma once

#include <fermata/models/conformance/findings.h>
#include <fermata/models/conformance/stream.h>
#include <fermata/models/timing/has_process.h>
#include <fermata/models/transaction/warp_protocol.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>

namespace fermata::conformance {

/// Way to end a response on the backward path. A response on the return path is ended by END_RESP,
/// at once or later.
enum class Ending : std::uint8_t {
  Completed,  ///< TLM_COMPLETED
  Updated,    ///< TLM_UPDATED with END_RESP
  Later,      ///< TLM_ACCEPTED, END_RESP some cycles later
};

/// `Types`: WarpProtocol, or tlm::tlm_base_protocol_types. Sends all accesses of the stream first.
/// When all have been answered, sends the accesses that have lanes left, in the order of the
/// stream, and so on. So requests and their order do not depend on when the answers come.
template <class Types>
class Driver : public sc_core::sc_module, public tlm::tlm_bw_transport_if<Types> {
 public:
  FERMATA_HAS_PROCESS(Driver);
  tlm::tlm_initiator_socket<32, Types> out;

  /// `options` must outlive the driver.
  Driver(const sc_core::sc_module_name& name, const Options& options, Log& log);

  /// Sends the stream from `start` on, which is not in the past. With `ahead`, calls come
  /// Access::lead early, with the rest annotated. Pauses the simulation when all was answered.
  void start(const Stream& stream, const sc_core::sc_time& start, Ending ending, bool ahead);
  bool finished() const { return finished_; }
  /// Number that rises with every answer.
  std::uint64_t progress() const { return progress_; }
  /// Time from which nothing that was asked for goes on.
  sc_core::sc_time quiet() const { return std::max(known_, free_); }
  /// Times at which each access had its data, counted from the start.
  const std::vector<sc_core::sc_time>& times() const { return times_; }
  /// Checks what must hold when nothing more comes.
  void checkEnd();

 private:
  using Payload = tlm::tlm_generic_payload;
  /// Waiting: has lanes left and waits for TRY_AGAIN.
  enum class Step : std::uint8_t { Idle, Sent, Waiting, Responding, Done };
  struct Transaction {
    explicit Transaction(tlm::tlm_mm_interface* memory) : payload(memory) {}
    Payload payload;
    std::vector<std::uint8_t> data;
    const Access* access = nullptr;
    std::uint32_t index = 0;
    Step step = Step::Idle;
    LaneMask unserved = 0;
    unsigned tries = 0;
    bool again = false;        ///< TRY_AGAIN has come since this try began
    sc_core::sc_time arrival;  ///< arrival of the try
  };
  /// Keeps transactions as long as the driver, so that a module that still uses one is found out.
  struct Memory : tlm::tlm_mm_interface {
    void free(Payload*) override {}
  };

  static constexpr bool warps();
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void open(const Access& access, std::uint32_t index);
  void act();
  void endDue();
  void sendDue();
  void nextRound();
  void send(Transaction& transaction, const sc_core::sc_time& arrival);
  void begin(Transaction& transaction);
  void beginWarp(Transaction& transaction);
  void returned(Transaction& transaction, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                const sc_core::sc_time& at);
  void accepted(Transaction& transaction, const sc_core::sc_time& at);
  void told(Transaction& transaction, const sc_core::sc_time& at);
  void toldLeft(Transaction& transaction, LaneMask left, const sc_core::sc_time& at);
  void maySendAgain(Transaction& transaction, const sc_core::sc_time& at);
  bool responded(Transaction& transaction, const sc_core::sc_time& at);
  tlm::tlm_sync_enum endAnswer(Transaction& transaction, tlm::tlm_phase& phase,
                               const sc_core::sc_time& at);
  void endLater(Transaction& transaction, const sc_core::sc_time& at);
  void finish(Transaction& transaction);
  void arrives(const Transaction& transaction, const sc_core::sc_time& at);
  void notBefore(const Transaction& transaction, const sc_core::sc_time& at, const char* what);
  Transaction* find(const Payload& payload);
  std::string name(const Transaction& transaction) const;
  sc_core::sc_time cycles(Cycle count) const {
    return sc_core::sc_time::from_value(options_.period.value() * count);
  }

  const Options& options_;
  Log& log_;
  Memory memory_;
  sc_core::sc_event wake_;
  std::map<const Payload*, std::unique_ptr<Transaction>> transactions_;
  std::vector<Transaction*> stream_;                    ///< transactions of this stream, by index
  std::deque<Transaction*> round_;                      ///< transactions still to be sent
  std::multimap<sc_core::sc_time, Transaction*> ends_;  ///< END_RESPs to send
  std::vector<sc_core::sc_time> times_;
  Transaction* sending_ = nullptr;
  Transaction* unacknowledged_ = nullptr;
  std::size_t open_ = 0;  ///< tries without their last answer
  sc_core::sc_time start_;
  sc_core::sc_time free_;   ///< earliest arrival of the next request
  sc_core::sc_time known_;  ///< time of the latest answer, or when a retry makes sense
  sc_core::sc_time retry_;  ///< `known_` when this round began
  Ending ending_ = Ending::Completed;
  bool again_ = false;  ///< the module uses TRY_AGAIN
  bool ahead_ = false;
  bool finished_ = true;
  std::uint64_t progress_ = 0;
  std::uint64_t sequence_ = 0;
};

extern template class Driver<WarpProtocol>;
extern template class Driver<tlm::tlm_base_protocol_types>;

}  // namespace fermata::conformance
